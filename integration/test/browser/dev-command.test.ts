import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { bothErrors, openBrowser } from "@parlance/test-kit/browser";
import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DevCommand, makeProject } from "./support/dev-command.ts";
import { focused, tabTo } from "./support/keyboard.ts";

// The real `parlance dev` over a real program, in a real browser, without a mouse: open, sort, run, watch retries
// wait and succeed, read the log, change the code.

const PASSWORD = "pässwörd-5-of-the-shop";
const PROGRAM = `
import { dag, param, serve } from "@parlance/sdk-node";

serve(dag("orders", { params: { region: param("eu") } })
  .task("fetch", { retries: 2, retryDelayMs: 1_000, retryExponentialBackoff: 2 }, async ({ client, context, log }) => {
    const { password } = await client.getConnectionOrThrow("shop");
    log.info("asking with " + password);
    if (context.tryNumber === 1) throw new Error("the shop does not answer <b>yet</b>");
    log.info("the shop has answered");
    return { rows: 3, password };
  })
  .task("load", { retries: 1, retryDelayMs: 300_000, retryExponentialBackoff: 3, inputs: { found: "fetch" } }, ({ context, inputs }) => {
    if (context.tryNumber === 1) throw new Error("the warehouse is locked");
    return inputs.found.rows;
  }));
`;

const test = suite("parlance dev in a browser");
// A test waits for what it waits for; this only ends one that waits in vain.
const PATIENCE = { timeout: 240_000 };

if (requirePeer(test, "parlance dev in a browser", "chromium") !== undefined) {
  test(
    "a Dag is run, its retries watched, its log read, its code changed: by keyboard alone",
    bothErrors(async () => {
      const folder = temporaryFolder();
      const entry = makeProject(folder, PROGRAM);
      const seed = join(folder, "seed.json");
      const connections = { shop: { conn_type: "http", login: "me", password: PASSWORD } };
      writeFileSync(seed, JSON.stringify({ connections }));
      await using command = await DevCommand.start(entry, "--seed-store", seed);
      await using browser = await openBrowser();
      await using opened = await browser.openPage();
      const { page } = opened;
      await opened.goto(command.url);
      assert.not.match(page.url(), /token/);
      await seen(page.getByRole("link", { name: "orders" }));

      await tabTo(page, "orders");
      await page.keyboard.press("Enter");
      await seen(page.getByText("No run yet"));
      await tabTo(page, "Tasks");
      await page.keyboard.press("Enter");
      await seen(page.getByRole("columnheader", { name: "Back-off" }));
      await tabTo(page, "Back-off");
      await page.keyboard.press("Enter");
      await seen(page.locator("th[aria-sort=descending]", { hasText: "Back-off" }));
      assert.equal(await taskNames(page), ["load", "fetch"]);
      await page.keyboard.press("Enter");
      await seen(page.locator("th[aria-sort=ascending]", { hasText: "Back-off" }));
      assert.equal(await taskNames(page), ["fetch", "load"]);

      await tabTo(page, "Run orders");
      await page.keyboard.press("Enter");
      await seen(page.getByRole("heading", { name: /^Run / }));
      const load = page
        .getByRole("list", { name: "Task instances" })
        .locator("li", { hasText: "load" });
      await seen(load.getByText("up for retry"));
      await opened.screenshot("real-run", { fullPage: false });

      await tabTo(page, "fetch");
      await page.keyboard.press("Enter");
      await seen(page.getByRole("heading", { name: "fetch" }));
      await seen(page.getByText("the shop has answered"));
      await seen(page.getByText("asking with ***"));
      await opened.screenshot("real-log", { fullPage: false });
      await tabTo(page, "Attempts");
      await page.keyboard.press("Enter");
      await seen(page.getByText("Base 1 s: 1 s, rounded up to whole seconds."));
      await seen(page.getByText("the shop does not answer <b>yet</b>").first());
      await opened.screenshot("real-attempts", { fullPage: false });
      await tabTo(page, "Frames");
      await page.keyboard.press("Enter");
      await seen(page.locator(".frame-type", { hasText: "GetConnection" }));
      await opened.screenshot("real-frames", { fullPage: false });
      await tabTo(page, "XComs");
      await page.keyboard.press("Enter");
      await seen(page.getByText("return_value"));

      // The other task waits five minutes and more: its wait is ended by hand.
      await page.keyboard.press("Escape");
      await seen(page.getByRole("grid"));
      await tabTo(page, "success, try 2");
      await page.keyboard.press("ArrowDown");
      assert.is(await focused(page), "up for retry");
      await page.keyboard.press("Enter");
      await seen(page.getByText(/next try in [45] min/));
      await tabTo(page, "Retry now");
      await page.keyboard.press("Enter");
      await seen(page.locator(".panel .facts .s-success"));
      await seen(page.locator("[role=grid] .run-head .s-success"));
      assert.equal(await opened.findViolations(), []);
      assert.not.match(await page.content(), new RegExp(PASSWORD), "no secret in the document");

      writeFileSync(entry, `${PROGRAM}\nthis is no program`);
      await seen(page.getByRole("heading", { name: "does not compile" }));
      await opened.screenshot("real-load-error", { fullPage: false });
      const longer = PROGRAM.replace("}));", `}).task("tell", { after: ["load"] }, () => 1));`);
      writeFileSync(entry, longer);
      await seen(page.getByText("New code is loaded").first());
      await tabTo(page, "Tasks");
      await page.keyboard.press("Enter");
      await seen(page.getByRole("rowheader", { name: "tell" }));
    }),
  );
}

async function seen(what: Locator): Promise<void> {
  await what.waitFor(PATIENCE);
}

async function taskNames(page: Page): Promise<readonly string[]> {
  const texts = await page.locator("table.tasks tbody th").allInnerTexts();
  return texts.map((text) => text.trim());
}

test.run();
