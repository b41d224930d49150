import { isLongRun, requirePeer } from "@parlance/test-kit";
import { bothErrors, openBrowser, type TestBrowser } from "@parlance/test-kit/browser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DevPage } from "./support/dev-page.ts";
import { RUN, salesFixture } from "./support/sales-fixture.ts";

// Every view of the page of `parlance dev`, at a phone's width and a desk's, light and dark: axe-core finds nothing,
// nothing is wider than the window, and a picture is left to look at.

const test = suite("views of the page");
const dag = "#/dags/sales_pipeline";
const run = `${dag}/runs/${encodeURIComponent(RUN)}`;
const failedRun = `${dag}/runs/scheduled__2026-01-28`;

/** What stands on a view when it is there. */
const VIEWS: readonly (readonly [name: string, hash: string, sign: string])[] = [
  ["dags", "#/", "text=never run"],
  ["grid", dag, "[role=grid] .s-up_for_retry"],
  ["no-run", "#/dags/hello", "text=No run yet"],
  ["tasks", `${dag}/tasks`, "table.tasks"],
  ["graph", `${dag}/graph`, "svg .node"],
  ["run", failedRun, ".bars li"],
  ["mapped", `${failedRun}/tasks/notify`, ".bars li"],
  ["log", `${run}/tasks/extract`, ".log-line"],
  ["attempts", `${run}/tasks/extract?part=attempts`, ".wait-drawing"],
  ["xcoms", `${run}/tasks/extract?part=xcoms`, ".json"],
  ["frames", `${run}/tasks/extract?part=frames`, ".frame-line"],
];

const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  // The other two differ from these by colours and by width alone.
  ...(isLongRun()
    ? ([
        { width: 1280, colorScheme: "dark" },
        { width: 390, colorScheme: "light" },
      ] as const)
    : []),
] as const;

if (requirePeer(test, "the views of the page", "chromium") !== undefined) {
  let browser: TestBrowser;
  test.before(async () => {
    browser = await openBrowser();
  });
  test.after(() => browser.close());

  for (const look of LOOKS) {
    test(
      `${look.width} px, ${look.colorScheme}`,
      bothErrors(async () => {
        await using dev = await DevPage.open(browser, salesFixture(), look);
        const { page } = dev;
        for (const [name, hash, sign] of VIEWS) {
          await dev.go(hash);
          await page.locator(sign).first().waitFor();
          await dev.test.screenshot(`dev-${name}`, { fullPage: false });
          assert.equal(await dev.test.findViolations(), [], name);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${name} is no wider than the window`,
          );
        }
        await dev.go(dag);
        await page.getByRole("button", { name: "Run with" }).click();
        await page.getByRole("dialog").waitFor();
        await dev.test.screenshot("dev-start", { fullPage: false });
        assert.equal(await dev.test.findViolations(), [], "the form");
      }),
    );
  }

  test(
    "what cannot compile is told on every view, and gone when it is mended",
    bothErrors(async () => {
      const backend = salesFixture();
      await using dev = await DevPage.open(browser, backend);
      const at = new Date().toISOString();
      const text = `src/tasks.ts:12:4: ERROR: Expected ")" but found "}"`;
      backend.loadError = { kind: "build", text, at };
      backend.emit({ type: "project", revision: ++backend.revision });
      await dev.page.getByText("The newest code does not compile").first().waitFor();
      await dev.page.getByText("src/tasks.ts:12:4").waitFor();
      await dev.test.screenshot("dev-load-error", { fullPage: false });
      assert.equal(await dev.test.findViolations(), []);
      backend.loadError = null;
      backend.emit({ type: "project", revision: ++backend.revision });
      await dev.page.getByText("New code is loaded").first().waitFor();
      assert.is(await dev.page.getByText("does not compile").filter({ visible: true }).count(), 0);
    }),
  );

  test(
    "a project without a Dag says what to do",
    bothErrors(async () => {
      const backend = salesFixture();
      backend.dags.clear();
      await using dev = await DevPage.open(browser, backend);
      await dev.page.getByRole("heading", { name: "No Dag yet" }).waitFor();
      assert.equal(await dev.test.findViolations(), []);
    }),
  );

  test(
    "a Dag that is not there, and a session that is over, are told",
    bothErrors(async () => {
      await using dev = await DevPage.open(browser, salesFixture());
      await dev.go("#/dags/nowhere");
      await dev.page.getByRole("alert").waitFor();
      assert.equal(await dev.test.findViolations(), []);
      assert.match(dev.test.takeProblems().join("\n"), /404/);
      await dev.page.context().clearCookies();
      const answer = await dev.page.reload();
      assert.is(answer?.status(), 401);
      assert.match(
        (await dev.page.locator("body").textContent()) ?? "",
        /parlance dev|token|session/i,
      );
      await dev.page.goto("about:blank");
      dev.test.takeProblems();
    }),
  );
}

test.run();
