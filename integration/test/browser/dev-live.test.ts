import { load, requirePeer } from "@parlance/test-kit";
import { bothErrors, openBrowser, type TestBrowser } from "@parlance/test-kit/browser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DevPage } from "./support/dev-page.ts";
import { after, line } from "./support/fixture-parts.ts";
import { RUN, SALES, salesFixture } from "./support/sales-fixture.ts";

// What moves on the page: cells, a log that is followed, buttons that ask the server.

const test = suite("the page, live");
const ref = { dagId: SALES.dagId, runId: RUN, taskId: "extract", mapIndex: -1 };
const instance = `#/dags/sales_pipeline/runs/${encodeURIComponent(RUN)}/tasks/extract`;

if (requirePeer(test, "the page, live", "chromium") !== undefined) {
  let browser: TestBrowser;
  test.before(async () => {
    browser = await openBrowser();
  });
  test.after(() => browser.close());

  test(
    "the address opens the page once, and has no token afterwards",
    bothErrors(async () => {
      await using dev = await DevPage.open(browser, salesFixture());
      await dev.page.getByRole("link", { name: "sales_pipeline" }).waitFor();
      assert.not.match(dev.page.url(), /token/);
      assert.not.match(await dev.page.evaluate(() => document.cookie), /./, "no script reads it");
      const again = await fetch(dev.server.url, { redirect: "manual" });
      assert.ok(again.status >= 400, "the same address again");
    }),
  );

  test(
    "tasks are sorted by back-off both ways, and what has no maximum comes last both ways",
    bothErrors(async () => {
      await using dev = await DevPage.open(browser, salesFixture());
      await dev.go("#/dags/sales_pipeline/tasks");
      const sort = async (name: string, way: string): Promise<readonly string[]> => {
        await dev.page.getByRole("button", { name }).click();
        await dev.page.locator(`th[aria-sort=${way}]`, { hasText: name }).waitFor();
        const rows = await dev.page.locator("table.tasks tbody th").allInnerTexts();
        return rows.map((text) => text.split(/\s/)[0] ?? "");
      };
      assert.equal((await sort("Back-off", "descending")).slice(0, 3), [
        "load_full",
        "extract",
        "checks.totals",
      ]);
      assert.equal((await sort("Back-off", "ascending")).slice(-3), [
        "checks.totals",
        "extract",
        "load_full",
      ]);
      assert.equal((await sort("Max delay", "descending")).slice(0, 2), ["load_full", "extract"]);
      assert.equal((await sort("Max delay", "ascending")).slice(0, 2), ["extract", "load_full"]);
    }),
  );

  test(
    "a cell changes when its task does, and a screen reader is told",
    bothErrors(async () => {
      const backend = salesFixture();
      await using dev = await DevPage.open(browser, backend);
      await dev.go("#/dags/sales_pipeline");
      await dev.page.locator("[role=grid] td.s-up_for_retry").waitFor();
      backend.change(ref, { state: "running", tryNumber: 3, dueAt: null });
      await dev.page.locator("[role=grid] td.s-running").waitFor();
      backend.change(ref, { state: "success", endDate: after(100) });
      await dev.untilCount("[role=grid] td.s-up_for_retry, [role=grid] td.s-running", 0);
      await dev.page.locator("[role=status]", { hasText: "extract: success, try 3" }).waitFor();
    }),
  );

  test(
    "a log is followed until one scrolls up, and again when asked",
    bothErrors(async () => {
      const backend = salesFixture();
      backend.finished.delete("a2");
      await using dev = await DevPage.open(browser, backend);
      await dev.go(instance);
      const { page } = dev;
      await page.getByText("HTTP 429: too many requests").waitFor();
      backend.addLines(ref, "a2", [line(55, "one more, seen at once")]);
      await page.getByText("one more, seen at once").waitFor();
      await page.locator("#log-lines").hover();
      await page.mouse.wheel(0, -2_000);
      await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
      backend.addLines(ref, "a2", [line(56, "not seen while one reads")]);
      await page.getByText("403 lines, paused").waitFor();
      assert.is(await page.getByText("not seen while one reads").count(), 0);
      await page.getByRole("button", { name: "Follow", exact: true }).click();
      await page.getByText("not seen while one reads").waitFor();
    }),
  );

  test(
    "levels and search leave lines out",
    bothErrors(async () => {
      await using dev = await DevPage.open(browser, salesFixture());
      await dev.go(instance);
      const { page } = dev;
      await page.getByText("401 lines").waitFor();
      for (const level of ["debug", "info"])
        await page.getByRole("button", { name: level }).click();
      await page.getByText("6 of 401 lines").waitFor();
      await page.getByRole("searchbox").fill("ANSWERS");
      await page.getByText("5 of 401 lines").waitFor();
      assert.is(await page.locator("mark").first().textContent(), "answers");
    }),
  );

  test(
    "a log of very many lines is in the document only where it is seen",
    bothErrors(async () => {
      const backend = salesFixture();
      const count = load(100_000);
      backend.logs.set(
        "a2",
        Array.from({ length: count }, (_, index) => line(0, `line ${index}.`)),
      );
      await using dev = await DevPage.open(browser, backend);
      await dev.go(instance);
      const { page } = dev;
      await page.getByText(`${count} lines`, { exact: true }).waitFor();
      await page.getByText(`line ${count - 1}.`, { exact: true }).waitFor();
      await page.locator("#log-lines").focus();
      await page.keyboard.press("Home");
      await page.getByText("line 0.", { exact: true }).first().waitFor();
      assert.ok((await page.locator(".log-line").count()) < 200);
    }),
  );

  test(
    "a run is asked for with what the form says, and only when it is well formed",
    bothErrors(async () => {
      const backend = salesFixture();
      await using dev = await DevPage.open(browser, backend);
      await dev.go("#/dags/sales_pipeline");
      const { page } = dev;
      await page.getByRole("button", { name: "Run with" }).click();
      await page.getByLabel("region").selectOption(`"us"`);
      await page.getByLabel("limit").fill("many");
      const run = page.getByRole("dialog").getByRole("button", { name: "Run" });
      await run.click();
      await page.getByRole("alert").getByText("a whole number").waitFor();
      await page.getByLabel("limit").fill("20");
      await page.getByLabel("Conf").fill(`{"day": "2026-01-02"}`);
      await page.getByLabel("Time scale").fill("0.1");
      await run.click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const conf = { day: "2026-01-02", region: "us", limit: 20 };
      assert.equal(backend.asked, [
        `start sales_pipeline ${JSON.stringify({ conf, timeScale: 0.1 })}`,
      ]);
    }),
  );

  test(
    "a wait is ended, a run canceled",
    bothErrors(async () => {
      const backend = salesFixture();
      await using dev = await DevPage.open(browser, backend);
      await dev.go(instance);
      await dev.page.getByRole("button", { name: "Retry now" }).click();
      await dev.page.getByText("does not wait any longer").first().waitFor();
      await dev.page.getByRole("link", { name: RUN }).click();
      await dev.page.getByRole("button", { name: "Cancel run" }).click();
      await dev.page.getByText("is being canceled").first().waitFor();
      assert.equal(backend.asked, [`retry ${RUN} extract -1`, `cancel ${RUN}`]);
    }),
  );
}

test.run();
