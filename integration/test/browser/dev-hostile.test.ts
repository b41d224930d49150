import { requirePeer } from "@parlance/test-kit";
import { bothErrors, openBrowser, type TestBrowser } from "@parlance/test-kit/browser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DevPage } from "./support/dev-page.ts";
import { FixtureBackend, keyOf } from "./support/fixture-backend.ts";
import { attempt, dag, frame, line, param, run, task, wait } from "./support/fixture-parts.ts";

// Whatever a task names, logs, returns or sends is text on the page: never markup, never an instruction to the
// terminal or to the direction of the text, never too long to show.

const test = suite("hostile tasks");
const MARKUP = `<img src=x onerror="window.stolen=1"><script>window.stolen=1</script><style>*{display:none}</style>`;
const ANSI = "\u001b[31mred\u001b[0m\u001b]8;;http://evil.example\u0007link";
const BIDI = "user\u202egnp.exe\u2066";
const TASK = `t${MARKUP}`;
const DAG_ID = `d ${MARKUP}`;
const RUN_ID = `r/?#%${MARKUP}`;

if (requirePeer(test, "hostile tasks", "chromium") !== undefined) {
  let browser: TestBrowser;
  test.before(async () => {
    browser = await openBrowser();
  });
  test.after(() => browser.close());

  test(
    "names, logs, XComs, frames, waits and errors are text on every view",
    bothErrors(async () => {
      const backend = hostile();
      await using dev = await DevPage.open(browser, backend, { width: 390 });
      const { page } = dev;
      const base = `#/dags/${encodeURIComponent(DAG_ID)}`;
      const here = `${base}/runs/${encodeURIComponent(RUN_ID)}`;
      const instance = `${here}/tasks/${encodeURIComponent(TASK)}`;
      for (const [hash, seen] of [
        ["#/", MARKUP],
        [base, MARKUP],
        [`${base}/tasks`, MARKUP],
        [`${base}/graph`, "<img"],
        [here, MARKUP],
        [instance, "window.stolen=1"],
        [`${instance}?part=attempts`, MARKUP],
        [`${instance}?part=xcoms`, MARKUP],
        [`${instance}?part=frames`, "<img"],
      ] as const) {
        await dev.go(hash);
        await page.getByText(seen).first().waitFor({ state: "attached" });
        const made = await page.evaluate(() => ({
          elements: document.querySelectorAll(
            "#app script, #app style, #app img:not([src='/icon.svg'])",
          ).length,
          stolen: "stolen" in window,
          isShown: getComputedStyle(document.body).display !== "none",
        }));
        assert.equal(made, { elements: 0, stolen: false, isShown: true }, hash);
        assert.equal(await dev.test.findViolations(), [], hash);
      }
    }),
  );

  test(
    "escape sequences and directions are written out",
    bothErrors(async () => {
      await using dev = await DevPage.open(browser, hostile());
      await dev.go(
        `#/dags/${encodeURIComponent(DAG_ID)}/runs/${encodeURIComponent(RUN_ID)}/tasks/${encodeURIComponent(TASK)}`,
      );
      await dev.page.getByText("\\u001b[31mred\\u001b[0m").first().waitFor();
      await dev.page.getByText("user\\u202egnp.exe\\u2066").first().waitFor();
      const body = (await dev.page.locator("body").textContent()) ?? "";
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      assert.not.match(body, /[\u001b\u0007\u202a-\u202e\u2066-\u2069]/);
    }),
  );

  test(
    "a line of 1 MiB is one line high, and whole only where it is opened step by step",
    bothErrors(async () => {
      await using dev = await DevPage.open(browser, hostile());
      const { page } = dev;
      await dev.go(
        `#/dags/${encodeURIComponent(DAG_ID)}/runs/${encodeURIComponent(RUN_ID)}/tasks/${encodeURIComponent(TASK)}`,
      );
      const long = page.locator(".log-line", { hasText: "1047576 more" });
      await long.waitFor();
      assert.ok(((await long.boundingBox())?.height ?? 99) < 40);
      assert.ok((await page.evaluate(() => (document.body.textContent ?? "").length)) < 50_000);
      await long.click();
      await page.getByRole("button", { name: /characters more/ }).click();
      await page.getByRole("button", { name: "1028576 characters more" }).waitFor();
    }),
  );
}

function hostile(): FixtureBackend {
  const backend = new FixtureBackend();
  const made = dag(DAG_ID, [task(TASK, [], { pool: MARKUP, queue: BIDI, docMd: MARKUP })], {
    displayName: DAG_ID,
    description: MARKUP,
    docMd: MARKUP,
    tags: [MARKUP],
    schedule: MARKUP,
    params: [param(MARKUP, MARKUP, { description: MARKUP })],
  });
  backend.dags.set(DAG_ID, made);
  const old = run(made, RUN_ID, 0, () => "failed", { conf: { [MARKUP]: MARKUP } });
  const instances = old.instances.map((one) => ({
    ...one,
    note: MARKUP,
    renderedMapIndex: MARKUP,
  }));
  backend.allRuns.push({ ...old, instances });
  backend.rest.set(keyOf({ runId: RUN_ID, taskId: TASK, mapIndex: -1 }), {
    attempts: [attempt("h1", 1, { state: "failed", error: { code: MARKUP, message: MARKUP } })],
    waits: [wait(1, 3, 1, null, { reason: MARKUP, beganAt: new Date().toISOString() })],
    plannedWaits: [],
    xcoms: [
      { key: MARKUP, json: JSON.stringify({ [MARKUP]: [MARKUP, ANSI, BIDI] }), isCut: false },
    ],
  });
  backend.logs.set("h1", [
    line(0, MARKUP, { logger: MARKUP, [MARKUP]: MARKUP }),
    line(0, { html: MARKUP }),
    line(0, ANSI),
    line(0, BIDI, { level: "error" }),
    line(0, "A".repeat(1_048_576)),
    line(0, "two\nlines\tand a tab"),
  ]);
  backend.finished.add("h1");
  backend.allFrames.set("h1", [
    frame(1, { type: MARKUP, body: { [MARKUP]: MARKUP } }),
    frame(2, { third: { error: MARKUP }, id: { [MARKUP]: 1 } }),
  ]);
  return backend;
}

test.run();
