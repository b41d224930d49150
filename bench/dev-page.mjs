// How the page of `parlance dev` bears much at once, in a real Chromium: 100 runs of 50 tasks as a grid, a burst of
// 500 events, a log of 100,000 lines. No row of `npm run bench`: it has no limit to be held against.
//
//   node bench/dev-page.mjs [--json]
//
// A frame is 16.7 ms; a long task is one of 50 ms and more, in which the page does not answer.
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../scripts/lib/workspace.mjs";
import { ensurePeers } from "../scripts/peers.mjs";

const RUNS = 100;
const TASKS = 50;
const LINES = 100_000;
const EVENTS = 500;
const PATIENCE = { timeout: 300_000 };

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
await ensureBuilt();
const { chromium } = await ensurePeers(["chromium"], { log: console.error });
if (chromium.missing !== undefined) {
  console.error(`not measured: ${chromium.missing}`);
  process.exit(1);
}
const support = new URL("../integration/dist-test/browser/support/", import.meta.url);
const { wideFixture } = await import(new URL("wide-fixture.js", support).href);
const { DevPage } = await import(new URL("dev-page.js", support).href);
const { openBrowser } = await import(
  new URL("../packages/test-kit/dist/browser/index.js", import.meta.url).href
);

const backend = wideFixture(RUNS, TASKS, LINES);
const browser = await openBrowser();
const dev = await DevPage.open(browser, backend, { reducedMotion: "no-preference" });
const { page } = dev;
const cdp = await page.context().newCDPSession(page);
await cdp.send("Performance.enable");
await page.evaluate(watchLongTasks);

const figures = [];
/** Tells a figure at once: a busy machine takes its time. */
figures.add = (figure) => {
  figures.push(figure);
  const { what, ...rest } = figure;
  if (!values.json) console.log(`${what.padEnd(52)} ${write(rest)}`);
};
await measureGrid();
await measureEvents();
await measureLog();
await dev[Symbol.asyncDispose]();
await browser.close();
if (values.json) console.log(JSON.stringify(figures, null, 1));

async function measureGrid() {
  const cells = RUNS * (TASKS + 5);
  const all = await shown("#/dags/wide", () => dev.untilCount(".grid td", cells));
  figures.add({
    what: `grid of ${RUNS} runs x ${TASKS} tasks: shown`,
    ...all,
    ...(await memory()),
  });
  figures.add({
    what: "grid: scrolled right and back",
    ...(await scroll(".runs-grid", "scrollLeft")),
  });
  figures.add({
    what: "grid: scrolled down and back",
    ...(await scroll(".runs-grid", "scrollTop")),
  });
  await page.locator(".grid [data-column='0'][tabindex='0'], .grid .corner").first().focus();
  const keys = await during(async () => {
    for (let step = 0; step < 60; step++) await page.keyboard.press("ArrowRight");
  });
  figures.add({ what: "grid: 60 steps by key", ...keys });
}

async function measureEvents() {
  const [newest] = backend.allRuns;
  const last = newest.instances.at(-1);
  const told = await during(async () => {
    for (let index = 0; index < EVENTS; index++) {
      const instance = newest.instances[index % TASKS];
      backend.change(instance, { state: index % 2 === 0 ? "running" : "success", tryNumber: 2 });
    }
    backend.change(last, { state: "deferred" });
    await page.locator(".grid td.s-deferred").first().waitFor(PATIENCE);
  });
  figures.add({ what: `grid: ${EVENTS} events at once, until the last is seen`, ...told });
}

async function measureLog() {
  const [newest] = backend.allRuns;
  const path = `#/dags/wide/runs/${newest.runId}/tasks/${newest.instances[0].taskId}`;
  const end = page.getByText(`${LINES} lines`, { exact: true });
  const all = await shown(path, () => end.waitFor(PATIENCE));
  figures.add({ what: `log of ${LINES} lines: all of it there`, ...all, ...(await memory()) });
  figures.add({
    what: "log: scrolled up and back",
    ...(await scroll("#log-lines", "scrollTop", -400)),
  });
  const found = await during(async () => {
    await page.getByRole("searchbox").fill("line 99999 ");
    await page.getByText(`1 of ${LINES} lines`).waitFor(PATIENCE);
  });
  figures.add({ what: "log: searched", ...found });
}

/** From the change of the address until it is there. */
async function shown(hash, isThere) {
  return await during(async () => {
    await dev.go(hash);
    await isThere();
  });
}

async function during(work) {
  await page.evaluate(() => {
    window.longTasks.length = 0;
  });
  const before = await metrics();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const after = await metrics();
  const cpuMs = Math.round((after.ProcessTime - before.ProcessTime) * 1_000);
  const long = await page.evaluate(() => window.longTasks.map(({ duration }) => duration));
  return {
    ms: Math.round(ms),
    cpuMs,
    longTasks: long.length,
    longestMs: Math.round(Math.max(0, ...long)),
  };
}

/** 120 frames away and back: how long the frames were. */
async function scroll(selector, property, step = 40) {
  let frames;
  const rest = await during(async () => {
    frames = await page.evaluate(scrollInPage, { selector, property, step });
  });
  frames.sort((a, b) => a - b);
  const at = (share) => Number(frames[Math.floor((frames.length - 1) * share)].toFixed(1));
  const { cpuMs, longTasks, longestMs } = rest;
  return {
    frames: frames.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    worstMs: at(1),
    cpuMs,
    longTasks,
    longestMs,
  };
}

async function memory() {
  await cdp.send("HeapProfiler.collectGarbage");
  const { JSHeapUsedSize, Nodes } = await metrics();
  return { heapMiB: Number((JSHeapUsedSize / 1_048_576).toFixed(1)), nodes: Nodes };
}

/** Of the page's own process; its CPU is told apart from what else the machine does. */
async function metrics() {
  const { metrics: list } = await cdp.send("Performance.getMetrics");
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

function watchLongTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({
    type: "longtask",
  });
}

async function scrollInPage({ selector, property, step }) {
  const box = document.querySelector(selector);
  const frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let index = 0; index < 240; index++) {
    box[property] += index < 120 ? step : -step;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return frames;
}

function write(figure) {
  return Object.entries(figure)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
