import type { Page } from "playwright-core";
import * as assert from "uvu/assert";

const STOPS = 120;

/** Presses the tab key until what has the focus has this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const names: string[] = [];
  for (let step = 0; step < STOPS; step++) {
    const at = await focused(page);
    if (at === name) return;
    names.push(at.slice(0, 40));
    await page.keyboard.press("Tab");
  }
  assert.unreachable(`the tab key never reaches ${name}: ${[...new Set(names)].join(" | ")}`);
}

/** The name of what has the focus. */
export async function focused(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement;
    return (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim();
  });
}
