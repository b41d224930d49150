import { type RunDetail, type RunPage, serveBackend, type TaskInstanceDetail } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FixtureBackend } from "../fixture/fixture-backend.ts";
import { signIn } from "../http-client.ts";

const backend = new FixtureBackend(12);
const faults: unknown[] = [];
const server = await serveBackend({ backend, onFault: (error) => faults.push(error) });
const browser = await signIn(server.url);
test.after(() => server.close());

const DAG = "/api/dev/dags/sales_pipeline";

test("runs come in pages, the newest first", async () => {
  const first = (await browser.get(`${DAG}/runs?limit=5`)).json as RunPage;
  assert.is(first.runs.length, 5);
  const before = encodeURIComponent(first.nextBefore ?? "");
  const second = (await browser.get(`${DAG}/runs?limit=100&before=${before}`)).json as RunPage;
  assert.is(second.runs.length, 7);
  assert.is(second.nextBefore, null);
  const dates = [...first.runs, ...second.runs].map((run) => run.createdAt);
  assert.equal(dates, [...dates].sort().reverse());
});

test("a run, an instance, its log and its frames", async () => {
  const [run] = ((await browser.get(`${DAG}/runs?limit=1`)).json as RunPage).runs;
  const path = `${DAG}/runs/${encodeURIComponent(run?.runId ?? "")}`;
  const detail = (await browser.get(path)).json as RunDetail;
  assert.is(detail.instances.length, 7);
  const instance = (await browser.get(`${path}/tasks/checks.rows?mapIndex=1`)).json;
  const { attempts, waits } = instance as TaskInstanceDetail;
  assert.is(attempts.length, 2);
  assert.is(waits[0]?.jitterSeconds, 212);
  const attempt = `/api/dev/attempts/${encodeURIComponent(attempts[0]?.attemptId ?? "")}`;
  const log = (await browser.get(`${attempt}/log?offset=1&limit=1`)).json;
  assert.is((log as { nextOffset: number }).nextOffset, 2);
  assert.is((await browser.get(`${attempt}/frames`)).status, 200);
});

test("what is not there is a 404, and a wrong query a 400, in JSON", async () => {
  const gone = [
    "/nothing",
    "/api",
    "/api/dev/dags/no",
    "/api/dev/dags/no/runs",
    `${DAG}/runs/no`,
    `${DAG}/runs/no/tasks/no`,
    `${DAG}/runs/no/tasks/no/xcoms`,
    "/api/dev/attempts/no/log",
    "/api/dev/attempts/no/frames",
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//etc/passwd",
    "/index.html",
    "/package.json",
  ];
  for (const path of gone) {
    const answer = await browser.get(path);
    assert.is(answer.status, 404, path);
    assert.is((answer.json as { error: { code: string } }).error.code, "not-found", path);
  }
  for (const query of ["limit=0", "limit=201", "limit=x", "limit=1e2", "limit=", "limit=-1"]) {
    const answer = await browser.get(`${DAG}/runs?${query}`);
    assert.is(answer.status, 400, query);
    assert.match(answer.text, /limit has to be a whole number from 1 to 200/);
  }
  assert.is((await browser.get(`${DAG}/%zz`)).status, 400);
});

test("an id may be whatever a task's author likes", async () => {
  const id = encodeURIComponent("<img src=x onerror=alert(1)>");
  const answer = await browser.get(`/api/dev/dags/${id}`);
  assert.is(answer.status, 200);
  assert.is(answer.headers["content-type"], "application/json; charset=utf-8");
  const long = await browser.get(`/api/dev/dags/${"%C3%A9".repeat(250)}`);
  assert.is(long.status, 404);
});

test("other methods are a 405 that names the right ones", async () => {
  const origin = `http://127.0.0.1:${server.port}`;
  const cases: [string, string, string][] = [
    ["POST", "/api/dev/project", "GET"],
    ["DELETE", `${DAG}/runs`, "GET, POST"],
    ["PUT", `${DAG}/runs/r/cancel`, "POST"],
    ["PATCH", "/", "GET"],
    ["POST", "/api/dev/events", "GET"],
  ];
  const { send } = await import("../http-client.ts");
  for (const [method, path, allow] of cases) {
    const headers = { cookie: browser.cookie, origin, "content-type": "application/json" };
    const answer = await send(server.port, path, { method, headers, body: "not json" });
    assert.is(answer.status, 405, `${method} ${path}`);
    assert.is(answer.headers["allow"], allow, `${method} ${path}`);
  }
  const cancel = await browser.get(`${DAG}/runs/r/cancel`);
  assert.is(cancel.status, 405, "GET never changes anything");
});

test("a body that is wrong says what is wrong with it", async () => {
  const bad: [unknown, RegExp][] = [
    ["", /body is empty/],
    ["{", /not JSON/],
    ["[]", /JSON object/],
    ["null", /JSON object/],
    [{ confg: {} }, /no field "confg": there are conf, logicalDate, timeScale, taskIds/],
    [{ conf: [] }, /conf has to be a JSON object/],
    [`{"conf":{"deep":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`, /at most 64 levels/],
    [{ logicalDate: "0000-01-01T00:00Z" }, /logicalDate/],
    [{ logicalDate: "2026-01-02" }, /logicalDate/],
    [{ logicalDate: "2026-13-02T00:00Z" }, /logicalDate/],
    [{ timeScale: -1 }, /timeScale/],
    [{ timeScale: "1" }, /timeScale/],
    [{ taskIds: [1] }, /taskIds/],
  ];
  for (const [body, message] of bad) {
    const answer = await browser.post(`${DAG}/runs`, body);
    assert.is(answer.status, 400, JSON.stringify(body));
    assert.match((answer.json as { error: { message: string } }).error.message, message);
  }
  const polluted = '{"conf":{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}}';
  assert.is((await browser.post(`${DAG}/runs`, polluted)).status, 202);
  assert.is(({} as { polluted?: boolean }).polluted, undefined);
});

test("a body of more than 1 MiB is a 413, also where its length is not told", async () => {
  const large = JSON.stringify({ conf: { text: "x".repeat(1_100_000) } });
  assert.is((await browser.post(`${DAG}/runs`, large)).status, 413);
  const chunked = await browser.post(`${DAG}/runs`, large, { "transfer-encoding": "chunked" });
  assert.is(chunked.status, 413);
});

test("a fault of the server is told to its terminal, not to the page", async () => {
  backend.project = async () => {
    throw new Error("secret path /home/me");
  };
  const answer = await browser.get("/api/dev/project");
  assert.is(answer.status, 500);
  assert.equal(answer.json, {
    error: { code: "internal", message: "The server failed; its terminal says why." },
  });
  assert.is((faults[0] as Error).message, "secret path /home/me");
});

test.run();
