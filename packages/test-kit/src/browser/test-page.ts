import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { type AccessibilityOptions, findViolations } from "./find-violations.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../../../.screenshots", import.meta.url));
// Of what a test waits for: only one that waits in vain is ended by it.
const PATIENCE_MS = 120_000;
const HEIGHTS = { 390: 844, 1280: 800 };

export interface TestPageOptions {
  /** In CSS pixels: a phone, or a desk. 1280 by default. */
  readonly width?: 390 | 1280;
  /** What the user's system asks for. `light` by default. */
  readonly colorScheme?: "light" | "dark";
  /** `reduce` by default: a picture then has no half-way animation in it. */
  readonly reducedMotion?: "reduce" | "no-preference";
}

/**
 * A page of the browser that remembers what a good page never does: ask another origin, write an error to the
 * console, throw, break its content policy (Chromium writes that to the console).
 */
export class TestPage {
  /** Playwright's own, to click, type and look with. */
  readonly page: Page;
  /** The width and the colour scheme, as the end of a screenshot's name: `390-dark`. */
  readonly look: string;
  readonly #problems: string[] = [];
  #home: URL | undefined;

  /** @internal use `TestBrowser.openPage` */
  constructor(page: Page, look: string) {
    this.page = page;
    this.look = look;
    page.on("request", (request) => this.#checkRequest(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error") this.#problems.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.#problems.push(`uncaught: ${error.stack ?? error}`));
    page.on("crash", () => this.#problems.push("the page crashed"));
  }

  /** @internal use `TestBrowser.openPage` */
  static async open(browser: Browser, options: TestPageOptions): Promise<TestPage> {
    const { width = 1280, colorScheme = "light", reducedMotion = "reduce" } = options;
    const context = await browser.newContext({
      viewport: { width, height: HEIGHTS[width] },
      colorScheme,
      reducedMotion,
      hasTouch: width === 390,
      locale: "en-GB",
      timezoneId: "UTC",
      serviceWorkers: "block",
    });
    context.setDefaultTimeout(PATIENCE_MS);
    return new TestPage(await context.newPage(), `${width}-${colorScheme}`);
  }

  /**
   * Opens an address and waits until it is loaded. Its origin is the page's own from now on; of `file:` addresses
   * only this very file is.
   *
   * @throws Error when the answer is an error or none comes
   */
  async goto(address: string): Promise<void> {
    this.#home = new URL(address);
    const response = await this.page.goto(address);
    const status = response?.status() ?? 0; // 0: a file
    if (status >= 400) throw new Error(`${address} was answered with ${status}`);
  }

  /** What the page complained of so far, and no test has taken. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  /** Takes the problems away, for a test that causes some: those that are left fail `close()`. */
  takeProblems(): string[] {
    return this.#problems.splice(0);
  }

  /** What axe-core finds wrong with the page as it stands, a text for each fault; empty is well. */
  async findViolations(options?: AccessibilityOptions): Promise<string[]> {
    return await findViolations(this.page, options);
  }

  /**
   * Writes `.screenshots/NAME-LOOK.png` (ignored by git) for people to look at.
   *
   * @param fullPage - also what is below the fold; true by default
   * @returns the file
   */
  async screenshot(
    name: string,
    { fullPage = true }: { fullPage?: boolean } = {},
  ): Promise<string> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const path = join(SCREENSHOTS, `${name}-${this.look}.png`);
    await this.page.screenshot({ path, fullPage });
    return path;
  }

  /**
   * Ends the page and its profile.
   *
   * @throws Error with the problems that no test has taken
   */
  async close(): Promise<void> {
    await this.page.context().close();
    // Taken last: what is on its way when the page ends counts, too.
    const problems = this.takeProblems();
    if (problems.length > 0) throw new Error(`the page had problems:\n${problems.join("\n")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #checkRequest(address: string): void {
    const home = this.#home;
    const url = new URL(address);
    if (home === undefined || ["data:", "blob:", "about:"].includes(url.protocol)) return;
    const own =
      home.protocol === "file:" ? url.pathname === home.pathname : url.origin === home.origin;
    if (!own) this.#problems.push(`a request left ${home.origin}: ${address}`);
  }
}
