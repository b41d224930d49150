import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rejects, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { bothErrors, openBrowser, type TestBrowser } from "@parlance/test-kit/browser";
import { suite } from "uvu";
import * as assert from "uvu/assert";

// The kit itself: what a page must not do is seen, a good one passes, and nothing is left running.

const test = suite("browser kit");

const GOOD = "<!doctype html><html lang=en><title>Good</title><main><h1>Good</h1></main></html>";
const HEAD = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'self'",
};

if (requirePeer(test, "the browser kit", "chromium") !== undefined) {
  let browser: TestBrowser;
  test.before(async () => {
    browser = await openBrowser();
  });
  test.after(() => browser.close());

  test(
    "a good page has no problems, at both widths and in both schemes",
    bothErrors(async () => {
      await using server = await serve(GOOD);
      for (const width of [390, 1280] as const) {
        for (const colorScheme of ["light", "dark"] as const) {
          await using page = await browser.openPage({ width, colorScheme });
          await page.goto(server.url);
          assert.equal(await page.findViolations(), []);
          const dark = await page.page.evaluate(
            () => matchMedia("(prefers-color-scheme: dark)").matches,
          );
          assert.is(dark, colorScheme === "dark");
          assert.is(await page.page.evaluate(() => innerWidth), width);
        }
      }
    }),
  );

  test(
    "a file is a page too",
    bothErrors(async () => {
      const file = join(temporaryFolder(), "report.html");
      writeFileSync(file, GOOD);
      const page = await browser.openPage();
      await page.goto(pathToFileURL(file).href);
      assert.equal(await page.findViolations(), []);
      await page.close();
    }),
  );

  for (const [what, body, complaint] of [
    [
      "asks another origin",
      `<img alt="" src="http://127.0.0.1:9/x.png">`,
      /request left .*127\.0\.0\.1:9/,
    ],
    [
      "asks the outside",
      `<img alt="" src="https://example.org/x.png">`,
      /request left .*example\.org/,
    ],
    ["breaks its content policy", "<script>1</script>", /console: .*Content Security Policy/],
    ["writes an error", `<script src="/error.js"></script>`, /console: .*broken/],
    ["throws", `<script src="/throw.js"></script>`, /uncaught: .*thrown/],
  ] as const) {
    test(
      `a page that ${what} fails`,
      bothErrors(async () => {
        await using server = await serve(`${GOOD}${body}`);
        const page = await browser.openPage();
        await page.goto(server.url);
        assert.match((await rejects(page.close())).message, complaint);
      }),
    );
  }

  test(
    "axe-core's findings are told with their place",
    bothErrors(async () => {
      await using server = await serve(
        "<!doctype html><html lang=en><title>x</title><img src=/x.png></html>",
      );
      const page = await browser.openPage();
      await page.goto(server.url);
      page.takeProblems(); // there is no picture
      const violations = await page.findViolations();
      assert.ok(
        violations.some((text) => /^image-alt \(critical\).*img/s.test(text)),
        violations.join("\n"),
      );
      const without = await page.findViolations({ without: ["image-alt"] });
      assert.not.ok(without.some((text) => text.startsWith("image-alt")));
    }),
  );

  test(
    "nothing runs on when the browser is closed",
    bothErrors(async () => {
      await using server = await serve(`${GOOD}<script>1</script>`);
      const before = chromiums();
      const another = await openBrowser();
      assert.ok(chromiums() > before);
      const page = await another.openPage();
      await page.goto(server.url);
      const error = await rejects(another.close());
      assert.match(error.message, /Content Security Policy/, "a page left open is heard too");
      assert.is(chromiums(), before);
    }),
  );
}

function chromiums(): number {
  const lines = execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], {
    encoding: "utf8",
  });
  return lines.split("\n").filter((line) => line.includes("chromium")).length;
}

async function serve(page: string): Promise<{ url: string } & AsyncDisposable> {
  const server: Server = createServer(({ url }, response) => {
    const script = {
      "/error.js": `console.error("broken")`,
      "/throw.js": `throw new Error("thrown")`,
    }[url ?? ""];
    if (script !== undefined)
      response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    else if (url === "/favicon.ico") response.writeHead(204).end();
    else response.writeHead(url === "/" ? 200 : 404, HEAD).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.run();
