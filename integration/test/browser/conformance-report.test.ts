import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { openBrowser, type TestBrowser, type TestPage } from "@parlance/test-kit/browser";
import { suite } from "uvu";
import * as assert from "uvu/assert";

// The conformance kit's report as its readers see it: of a runtime that is wrong everywhere and puts markup into
// whatever it sends, and of one that passes.

const test = suite("conformance report");

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HOSTILE_RUNTIME = join(ROOT, "integration/test/browser/fixtures/hostile-runtime.mjs");
const SOUND_RUNTIME = join(ROOT, "integration/test/conformance/fixtures/reference/runtime.mjs");
const LOOKS = [390, 1280].flatMap((width) =>
  ["light", "dark"].map((colorScheme) => ({ width, colorScheme }) as Look),
);
interface Look {
  readonly width: 390 | 1280;
  readonly colorScheme: "light" | "dark";
}

/** Runs the kit as an author does, and gives the address of the page that it wrote. */
async function reportOf(runtime: string, cases: readonly string[], code: number): Promise<string> {
  const page = join(temporaryFolder(), "report.html");
  const parlance = join(ROOT, "packages/cli/bin/parlance.js");
  const wanted = cases.flatMap((id) => ["--case", id]);
  const report = ["--level", "may", "--report", "html", "--out", page];
  const argv = [parlance, "conformance", ...wanted, ...report, "--", process.execPath, runtime];
  const child = spawn(process.execPath, [...argv, `<img src="x">`], { stdio: "ignore" });
  assert.equal(await once(child, "close"), [code, null]);
  return pathToFileURL(page).href;
}

/** Opens whatever is folded. */
async function openAll({ page }: TestPage): Promise<void> {
  await page.locator("details").evaluateAll((all) => {
    for (const one of all) one.setAttribute("open", "");
  });
}

/** The document stays within the screen: what is wider scrolls in a place of its own. */
async function fits({ page }: TestPage): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}

if (requirePeer(test, "the conformance report", "chromium") !== undefined) {
  let browser: TestBrowser;
  let failing: string;
  let passing: string;
  test.before(async () => {
    browser = await openBrowser();
    failing = await reportOf(HOSTILE_RUNTIME, ["states/failed", "logs/levels"], 1);
    passing = await reportOf(SOUND_RUNTIME, ["states/failed", "logs/levels"], 0);
  });
  test.after(() => browser.close());

  for (const look of LOOKS) {
    test(`both reports are accessible and fit at ${look.width} px, ${look.colorScheme}`, async () => {
      for (const [name, address] of Object.entries({ failing, passing })) {
        await using page = await browser.openPage(look);
        await page.goto(address);
        await openAll(page);
        assert.equal(await page.findViolations(), []);
        assert.ok(await fits(page), `${name} is wider than the screen`);
        await page.screenshot(`conformance-report-${name}`);
      }
    });
  }

  test("what the runtime sent is text, whatever it looks like", async () => {
    await using page = await browser.openPage();
    await page.goto(failing);
    await openAll(page);
    const text = (await page.page.locator("main").textContent()) ?? "";
    assert.match(text, /<script>document\.title=\\?"taken\\?"<\/script>/);
    assert.match(text, "\\u001b[31mred \\u202eturned");
    assert.is(await page.page.locator("script, img, iframe, [onerror]").count(), 0);
    assert.match(await page.page.title(), /^Conformance failed: .*<img src="x">/);
  });

  test("a failure shows what was expected beside what was seen, the bytes, and how to run it again", async () => {
    await using page = await browser.openPage();
    await page.goto(failing);
    const failure = page.page.locator("article", { hasText: "states/failed" }).first();
    await failure.locator("summary").first().click();
    const text = (await failure.textContent()) ?? "";
    assert.match(text, /expected frame\{\s+"type": "TaskState",\s+"state": "failed"\s+\}/);
    assert.match(text, "seen frame");
    assert.match(text, /Run it again:\s+parlance conformance .*--case states\/failed/);
    assert.match(text, /task → supervisor/);
    assert.match(text, /\b00 00 0/);
  });

  test("every part that opens or scrolls is reached by the keyboard", async () => {
    await using page = await browser.openPage({ width: 390 });
    await page.goto(failing);
    const details = page.page.locator("details").first();
    await details.locator("summary").focus();
    await page.page.keyboard.press("Enter");
    assert.is(await details.getAttribute("open"), "");
    await page.page.keyboard.press("Tab");
    const inside = await page.page.evaluate(
      () => document.activeElement?.closest("details") !== null,
    );
    assert.ok(inside, "the first stop behind the summary is inside");
  });
}

test.run();
