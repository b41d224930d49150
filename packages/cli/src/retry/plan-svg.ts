import type { PlannedWait, RetryPlan } from "@parlance/retry";
import { escapeControls } from "../terminal-text.ts";
import { formatDate, formatSeconds, formatWait } from "./format-wait.ts";
import { barParts } from "./plan-bars.ts";
import type { PlanSettings } from "./plan-settings.ts";

const WIDTH = 860;
const ROW = 30;
const TOP = 74;
const BAR_LEFT = 76;
const BAR_WIDTH = 380;
const BAR_HEIGHT = 16;

// Light and dark by the reader's choice; the parts differ by pattern, not by colour alone.
const STYLE = `
  svg { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --soft: #59636e; --base: #0969da; --jitter: #54aeff; --cap: #9a6700; }
  @media (prefers-color-scheme: dark) { svg { --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --base: #4493f8; --jitter: #1f6feb; --cap: #d29922; } }
  text { font: 13px system-ui, sans-serif; fill: var(--ink); }
  .title { font-size: 16px; font-weight: 600; }
  .soft { fill: var(--soft); }
  .paper { fill: var(--paper); }
  .base { fill: var(--base); }
  .jitter { fill: url(#stripes); stroke: var(--jitter); }
  .cap { stroke: var(--cap); stroke-width: 3; }
  .stripe { stroke: var(--jitter); stroke-width: 3; }`;

/** A picture of a plan: one bar a wait, to scale, with its parts and its next start in words. */
export function planSvg(settings: PlanSettings, plan: RetryPlan): string {
  const { waits } = plan;
  const height = TOP + Math.max(1, waits.length) * ROW + 36;
  const title = escapeControls(`Retries of ${settings.dagId} / ${settings.taskId}`);
  const summary =
    `delay ${formatWait(settings.retryDelayUs)}, multiplier ${settings.multiplier}, ` +
    `${settings.tries} attempts, ${formatWait(plan.totalUs)} of waiting in all`;
  const longest = Math.max(0, ...waits.map((wait) => Number(wait.delayUs) / 1e6));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="description">${escapeXml(describe(summary, waits))}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<defs><pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    text(16, 28, title, "title"),
    text(16, 50, summary, "soft"),
    ...waits.map((wait, at) => row(wait, TOP + at * ROW, longest > 0 ? BAR_WIDTH / longest : 0)),
    ...(waits.length === 0 ? [text(16, TOP + 13, "No waits.", "soft")] : []),
    legend(height - 14, waits),
    "</svg>\n",
  ].join("\n");
}

function row(wait: PlannedWait, top: number, scale: number): string {
  const { base, jitter } = barParts(wait);
  const [solid, striped] = [round(base * scale), round(jitter * scale)];
  const end = BAR_LEFT + solid + striped;
  const { nextRetry } = wait;
  const start = nextRetry === null ? "" : `, next start ${formatDate(nextRetry)}`;
  const words = `${formatWait(wait.delayUs)}${start}`;
  const baseline = top + 13;
  return [
    `<g><title>${escapeXml(partsOf(wait))}</title>`,
    text(16, baseline, `try ${wait.tryNumber}`),
    `<rect class="base" x="${BAR_LEFT}" y="${top}" width="${solid}" height="${BAR_HEIGHT}"/>`,
    striped > 0
      ? `<rect class="jitter" x="${BAR_LEFT + solid}" y="${top}" width="${striped}" height="${BAR_HEIGHT}"/>`
      : "",
    wait.cappedBy === null
      ? ""
      : `<line class="cap" x1="${end}" y1="${top - 3}" x2="${end}" y2="${top + BAR_HEIGHT + 3}"/>`,
    `${text(end + 8, baseline, words)}</g>`,
  ].join("");
}

function legend(baseline: number, waits: readonly PlannedWait[]): string {
  const isFixed = waits.every(({ mode }) => mode === "fixed");
  const words = isFixed ? "fixed delay" : "filled: base; striped: jitter; upright line: capped";
  return text(16, baseline, words, "soft");
}

function describe(summary: string, waits: readonly PlannedWait[]): string {
  const shown = waits.slice(0, 20).map((wait) => `Try ${wait.tryNumber}: ${partsOf(wait)}.`);
  const rest = waits.length > 20 ? [`And ${waits.length - 20} more.`] : [];
  return [`${summary}.`, ...shown, ...rest].join(" ");
}

function partsOf(wait: PlannedWait): string {
  const whole = `waits ${formatWait(wait.delayUs)}`;
  if (wait.baseSeconds === null || wait.jitterSeconds === null) return `${whole}, fixed`;
  const parts = `base ${formatSeconds(wait.baseSeconds)}, jitter ${formatSeconds(wait.jitterSeconds)}`;
  return `${whole}: ${parts}${wait.cappedBy === null ? "" : `, capped by ${wait.cappedBy}`}`;
}

function text(x: number, y: number, words: string, style?: string): string {
  const attribute = style === undefined ? "" : ` class="${style}"`;
  return `<text x="${round(x)}" y="${y}"${attribute}>${escapeXml(words)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

// What XML can't hold, not even escaped: most control characters and lone surrogates.
const NO_XML =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or an attribute of XML. */
function escapeXml(words: string): string {
  return words.replace(NO_XML, "\ufffd").replace(/[&<>"']/g, (found) => MARKUP[found] ?? found);
}
