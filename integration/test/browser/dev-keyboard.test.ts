import { requirePeer } from "@parlance/test-kit";
import { bothErrors, openBrowser, type TestBrowser } from "@parlance/test-kit/browser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DevPage } from "./support/dev-page.ts";
import { focused, tabTo } from "./support/keyboard.ts";
import { salesFixture } from "./support/sales-fixture.ts";

// Everything without a mouse, and the focus is always seen.

const test = suite("the page by keyboard");

if (requirePeer(test, "the page by keyboard", "chromium") !== undefined) {
  let browser: TestBrowser;
  test.before(async () => {
    browser = await openBrowser();
  });
  test.after(() => browser.close());

  for (const width of [1280, 390] as const) {
    test(
      `from the list of Dags to a line of a log and back, at ${width} px`,
      bothErrors(async () => {
        await using dev = await DevPage.open(browser, salesFixture(), { width });
        const { page } = dev;
        await page.getByRole("link", { name: "sales_pipeline" }).waitFor();
        await tabTo(page, "sales_pipeline");
        await page.keyboard.press("Enter");
        await page.getByRole("grid").waitFor();

        await tabTo(page, "Task");
        for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"])
          await page.keyboard.press(key);
        assert.is(await focused(page), "up for retry, try 2");
        await page.keyboard.press("Control+End");
        assert.is(await focused(page), "success, 3 instances");
        await page.keyboard.press("Control+Home");
        assert.is(await focused(page), "Task");

        // A group folds: two rows fewer, and the focus stays.
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        const rows = await page.locator("tbody tr").count();
        await page.keyboard.press("Enter");
        await dev.untilCount("tbody tr", rows - 2);
        assert.match(await focused(page), /checks/);
        await page.keyboard.press("Enter");
        await dev.untilCount("tbody tr", rows);

        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "extract" }).waitFor();
        assert.is(await focused(page), "extract", "the panel has the focus");
        await page.getByText("401 lines").waitFor();

        await tabTo(page, "Lines of the log");
        await page.keyboard.press("End");
        await page.keyboard.press("ArrowUp");
        await page
          .getByRole("region", { name: "The line whole" })
          .getByText("shop 399 read")
          .waitFor();
        await tabTo(page, "Close the detail");
        await page.keyboard.press("Enter");
        await page.getByRole("region", { name: "The line whole" }).waitFor({ state: "detached" });

        await page.keyboard.press("Escape");
        await page.getByRole("heading", { name: "extract" }).waitFor({ state: "detached" });
      }),
    );
  }

  test(
    "every stop of the tab key is seen",
    bothErrors(async () => {
      await using dev = await DevPage.open(browser, salesFixture());
      await dev.go("#/dags/sales_pipeline/runs/scheduled__2026-01-28/tasks/extract");
      const { page } = dev;
      await page.getByRole("heading", { name: "extract" }).waitFor();
      const stops = new Set<string>();
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press("Tab");
        const stop = await page.evaluate(() => {
          const element = document.activeElement;
          if (element === null || element === document.body) return undefined;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const box = element.getBoundingClientRect();
          const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
          return {
            name: `${element.tagName} ${name}`,
            isSeen:
              outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1 && box.width > 0,
          };
        });
        if (stop === undefined) continue; // from the end to the beginning
        assert.ok(stop.isSeen, stop.name);
        stops.add(stop.name);
      }
      assert.ok(stops.size > 10, `${stops.size} stops`);
    }),
  );
}

test.run();
