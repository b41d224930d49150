import { type Browser, chromium } from "playwright-core";
import { findPeer } from "../peers/find-peer.ts";
import { TestPage, type TestPageOptions } from "./test-page.ts";

/**
 * Chromium of the peer `chromium`, without a window, through playwright-core (which brings and fetches none).
 * It ends with `close()`, and by itself when the test's process ends in whatever way: its link is a pipe.
 */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #pages = new Set<TestPage>();

  /** @internal use `openBrowser` */
  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** As Chromium says it, for reports: `156.0.8078.114`. */
  get version(): string {
    return this.#browser.version();
  }

  /** A page with a profile of its own: no cookie, no storage of another. Ends with the browser, or its own `close()`. */
  async openPage(options: TestPageOptions = {}): Promise<TestPage> {
    const page = await TestPage.open(this.#browser, options);
    this.#pages.add(page);
    return page;
  }

  /**
   * Ends the browser and all its pages.
   *
   * @throws Error with all that pages complained of and no test has taken: see {@link TestPage.problems}
   */
  async close(): Promise<void> {
    await this.#browser.close();
    const problems = [...this.#pages].flatMap((page) => page.takeProblems());
    if (problems.length > 0) throw new Error(`pages had problems:\n${problems.join("\n")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Starts the browser: about a second. One is enough for a file of tests.
 *
 * @throws Error when the peer is missing: ask `requirePeer(test, label, "chromium")` first
 */
export async function openBrowser(): Promise<TestBrowser> {
  const peer = findPeer("chromium");
  if ("missing" in peer) throw new Error(peer.missing);
  const browser = await chromium.launch({
    executablePath: peer.path,
    // Root has no sandbox to give, and the pages are ours. Containers have a small /dev/shm.
    chromiumSandbox: false,
    args: [
      "--disable-dev-shm-usage",
      // Not even a name is looked up for a page that asks for the outside.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ],
  });
  return new TestBrowser(browser);
}
