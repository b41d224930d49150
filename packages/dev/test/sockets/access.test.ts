import { serveBackend } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FixtureBackend } from "../fixture/fixture-backend.ts";
import { send, signIn } from "../http-client.ts";

const PROJECT = "/api/dev/project";
const RUNS = "/api/dev/dags/sales_pipeline/runs";

const server = await serveBackend({ backend: new FixtureBackend(3) });
const { port } = server;
const own = `http://127.0.0.1:${port}`;
const browser = await signIn(server.url);
test.after(() => server.close());

test("the token opens one session, and the address without it replaces the one with it", async () => {
  const path = new URL(server.freshUrl());
  const first = await send(port, `${path.pathname}${path.search}`);
  assert.is(first.status, 303);
  assert.is(first.headers.location, "/");
  const cookie = first.headers["set-cookie"]?.[0] ?? "";
  assert.match(cookie, /^parlance_dev_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const again = await send(port, `${path.pathname}${path.search}`);
  assert.is(again.status, 401);
  assert.is(again.headers["set-cookie"], undefined);
});

test("a token is worth nothing once there is a newer one", async () => {
  const old = new URL(server.freshUrl());
  const fresh = new URL(server.freshUrl());
  assert.is((await send(port, `/${old.search}`)).status, 401);
  assert.is((await send(port, `/${fresh.search}`)).status, 303);
});

test("neither HEAD nor a browser that guesses uses the token up", async () => {
  const { search } = new URL(server.freshUrl());
  assert.is((await send(port, `/${search}`, { method: "HEAD" })).status, 401);
  const guess = { headers: { "sec-purpose": "prefetch;prerender" } };
  assert.is((await send(port, `/${search}`, guess)).status, 401);
  assert.is((await send(port, `/${search}`)).status, 303);
});

test("a token that has expired opens nothing", async () => {
  const short = await serveBackend({ backend: new FixtureBackend(0), tokenLifetimeMs: 0 });
  const { search } = new URL(short.url);
  assert.is((await send(short.port, `/${search}`)).status, 401);
  await short.close();
});

test("without a session everything but the start is a 401, in the form of its part", async () => {
  for (const path of [PROJECT, RUNS, "/api/dev/events", "/openapi.json", "/nothing", "/app.js"]) {
    const answer = await send(port, path);
    assert.is(answer.status, 401, path);
    assert.is((answer.json as { error: { code: string } }).error.code, "unauthorized");
  }
  const airflow = await send(port, "/api/v2/dags/sales_pipeline/tasks");
  assert.is(airflow.status, 401);
  assert.equal(airflow.json, { detail: "Not authenticated" });
  for (const cookie of [
    "parlance_dev=x",
    `parlance_dev_${port}=`,
    `parlance_dev_${port}=${"A".repeat(43)}`,
  ]) {
    assert.is((await send(port, PROJECT, { headers: { cookie } })).status, 401, cookie);
  }
});

test("a session does not end, and another cookie of its name does no harm", async () => {
  assert.is((await browser.get(PROJECT)).status, 200);
  const cookie = `parlance_dev_${port}=foreign; a=b; ${browser.cookie}`;
  assert.is((await browser.get(PROJECT, { cookie })).status, 200);
});

test("a foreign Host is refused, whatever else is right", async () => {
  const hosts = [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    `127.0.0.1:${port + 1}`,
    `127.0.0.1.evil.example:${port}`,
    `[::]:${port}`,
  ];
  for (const host of hosts) {
    const answer = await browser.get(PROJECT, { host });
    assert.is(answer.status, 403, host);
    const { search } = new URL(server.freshUrl());
    assert.is((await send(port, `/${search}`, { headers: { host } })).status, 403, host);
  }
  assert.is((await browser.get(PROJECT, { host: `LOCALHOST:${port}` })).status, 200);
});

test("a foreign page can neither read nor change anything", async () => {
  const foreign = [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: `http://127.0.0.1:${port + 1}` },
    { origin: `https://127.0.0.1:${port}` },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    const name = JSON.stringify(headers);
    assert.is((await browser.get(PROJECT, headers)).status, 403, name);
    assert.is((await browser.get("/api/dev/events", headers)).status, 403, name);
    assert.is((await browser.post(RUNS, {}, headers)).status, 403, name);
  }
  const typedIn = { "sec-fetch-site": "none" };
  assert.is((await browser.get(PROJECT, typedIn)).status, 200);
  assert.is((await browser.post(RUNS, {}, typedIn)).status, 403);
});

test("a POST without an origin changes nothing", async () => {
  const headers = { cookie: browser.cookie, "content-type": "application/json" };
  const answer = await send(port, RUNS, { method: "POST", headers, body: "{}" });
  assert.is(answer.status, 403);
  assert.is((await browser.post(RUNS, {})).status, 202);
});

test("nothing is changed by what a form can send", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/json; charset=utf-16",
    "",
  ]) {
    const answer = await browser.post(RUNS, "{}", { "content-type": type });
    assert.is(answer.status, 415, type);
  }
});

test("a link on a foreign page leads to the page by a step of its own", async () => {
  const crossSite = { "sec-fetch-site": "cross-site" };
  const step = await send(port, "/", { headers: crossSite });
  assert.is(step.status, 200);
  assert.match(step.text, /^<!doctype html><meta http-equiv="refresh" content="0;url=\/">/);
  assert.is((await send(port, "/")).status, 401);
});

test("every answer has the headers", async () => {
  const answers = [
    await browser.get("/"),
    await browser.get(PROJECT),
    await browser.get("/nothing"),
    await browser.get("/%zz"),
    await browser.get("/api/v2/dags/sales_pipeline/tasks"),
    await browser.get(PROJECT, { host: "evil.example" }),
    await send(port, PROJECT),
    await send(port, `/${new URL(server.freshUrl()).search}`),
  ];
  for (const { headers, status } of answers) {
    assert.is(
      headers["content-security-policy"],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      String(status),
    );
    assert.is(headers["x-content-type-options"], "nosniff");
    assert.is(headers["referrer-policy"], "no-referrer");
    assert.is(headers["cross-origin-opener-policy"], "same-origin");
    assert.is(headers["cross-origin-resource-policy"], "same-origin");
    assert.is(headers["cache-control"], "no-store");
    assert.is(headers["access-control-allow-origin"], undefined);
    assert.is(headers["x-powered-by"], undefined);
  }
});

test("only loopback addresses can be served", async () => {
  const backend = new FixtureBackend(0);
  try {
    await serveBackend({ backend, host: "0.0.0.0" as "127.0.0.1" });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, TypeError);
  }
  const six = await serveBackend({ backend, host: "::1" }).catch((error: NodeJS.ErrnoException) => {
    assert.is(error.code, "EADDRNOTAVAIL"); // a machine without IPv6
    return undefined;
  });
  if (six === undefined) return;
  assert.match(six.url, /^http:\/\/\[::1\]:\d+\/\?token=/);
  await six.close();
});

test("the origin that is its own is the one it was opened under", async () => {
  const host = `localhost:${port}`;
  assert.is((await browser.post(RUNS, {}, { host, origin: `http://${host}` })).status, 202);
  assert.is((await browser.post(RUNS, {}, { host, origin: own })).status, 403);
});

test.run();
