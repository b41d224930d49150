import { type DevBackend, type RunningServer, serveBackend } from "@parlance/dev";
import type { TestBrowser, TestPage, TestPageOptions } from "@parlance/test-kit/browser";
import type { Page } from "playwright-core";

/** The page of `parlance dev` over a backend of the test. */
export class DevPage implements AsyncDisposable {
  readonly test: TestPage;
  readonly page: Page;
  readonly server: RunningServer;

  constructor(test: TestPage, server: RunningServer) {
    this.test = test;
    this.page = test.page;
    this.server = server;
  }

  /** Opens the page with the one-time address. */
  static async open(
    browser: TestBrowser,
    backend: DevBackend,
    options: TestPageOptions = {},
  ): Promise<DevPage> {
    const server = await serveBackend({ backend });
    const test = await browser.openPage(options);
    await test.goto(server.url);
    return new DevPage(test, server);
  }

  /** Shows something else, as a link would. */
  async go(hash: string): Promise<void> {
    await this.page.evaluate((target) => {
      location.hash = target;
    }, hash);
  }

  /** Waits until so many elements are there. */
  async untilCount(selector: string, count: number): Promise<void> {
    // A function: a text would be evaluated by the page, whose content policy refuses that.
    const isSo = ({ selector: of, count: wanted }: { selector: string; count: number }): boolean =>
      document.querySelectorAll(of).length === wanted;
    await this.page.waitForFunction(isSo, { selector, count }, { timeout: 120_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.test.close();
    } finally {
      await this.server.close();
    }
  }
}
