import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { answerTaskRequest, ORDER_FIELDS, readTaskResource, task, taskJson } from "@parlance/retry";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { askRestTasks, type GenuineAnswer } from "./support/ask-rest-tasks.ts";
import { STUB_FILES, stubDags, stubRequests, withDevServer } from "./support/dev-tasks.ts";
import { oddDags } from "./support/odd-dags.ts";
import { parlance } from "./support/parlance.ts";

const LABEL = "tasks with odd values are answered as Airflow 3.3.2 answers them, to the byte";
const ROOT = "/api/v2/dags";
const DAG_FILE = fileURLToPath(new URL("../../test/retry/support/odd_dags.py", import.meta.url));
const BOOLEANS_FILE = fileURLToPath(
  new URL("../../test/retry/support/boolean_dags.py", import.meta.url),
);

const python = requirePeer(test, LABEL, "airflow-3.3.2");
if (python !== undefined) {
  const asked = oddRequests();
  const target = (dagId: string) => `${ROOT}/${dagId}/tasks?order_by=retry_exponential_backoff`;
  const stubs = stubDags(python);
  stubs.catch(() => {}); // the test that needs them tells
  let given: Promise<readonly GenuineAnswer[]> | undefined;
  // One server for all tests: its start is most of the time.
  const ask = () => {
    given ??= Promise.all([migratedFiles(python), stubs]).then(([files, dags]) => {
      const both = ["before", "after"].map((dagId) => ["GET", target(dagId)] as const);
      const requests = [...asked, ...both, ...stubRequests(dags)];
      return askRestTasks(python, [DAG_FILE, ...files, ...STUB_FILES], requests);
    });
    return given;
  };

  test(LABEL, async () => {
    const genuine = await ask();
    for (const [at, [method, path]] of asked.entries()) compare(method, path, genuine[at]);
  });

  test("a Dag file whose booleans were migrated shows the same tasks", async () => {
    const [before, after] = (await ask()).slice(asked.length, asked.length + 2);
    assert.is(before?.status, 200);
    const { tasks } = JSON.parse(before?.text ?? "") as {
      tasks: { retry_exponential_backoff: number }[];
    };
    assert.equal(
      tasks.map((each) => each.retry_exponential_backoff),
      [0, 0, 2, 2, 2, 2, 2],
    );
    assert.is(after?.text, before?.text);
  });

  test("parlance dev answers for its tasks as Airflow does, to the byte", async () => {
    const genuine = (await ask()).slice(asked.length + 2);
    const dags = await stubs;
    await withDevServer(dags, async (askDev) => {
      for (const [at, [method, path]] of stubRequests(dags).entries()) {
        const { status, allow, contentType, text } = await askDev(method, path);
        const told = `${method} ${path}`;
        const wanted = genuine[at];
        assert.is(`${status} ${inOrder(text)}`, `${wanted?.status} ${inOrder(wanted?.text)}`, told);
        assert.equal([allow, contentType], [wanted?.allow, wanted?.contentType], told);
      }
    });
  });
}

/** {@link sorted} for any ids. */
function inOrder(text = ""): string {
  return text.replace(/"downstream_task_ids":\[([^\]]+)\]/g, (_, ids: string) => {
    return `"downstream_task_ids":[${ids.split(",").sort().join(",")}]`;
  });
}

function compare(method: string, target: string, genuine: GenuineAnswer | undefined): void {
  if (genuine === undefined) throw new Error(`${target} was not answered`);
  const { status, allow, contentType, text } = genuine;
  const find = (id: string) => oddDags.find(({ dagId }) => dagId === id);
  const ours = answerTaskRequest({ method, target }, find);
  if (ours === undefined) {
    // No route of ours: the server knows none there either.
    assert.is(`${status} ${text}`, '404 {"error":"API route not found"}', target);
    return;
  }
  if (/order_by=-?weight_rule$/.test(target)) {
    assert.equal([status, contentType, ours.status], [500, "text/plain; charset=utf-8", 200]);
    return;
  }
  assert.is(ours.status, status, target);
  assert.is(ours.headers["allow"] ?? null, allow, target);
  assert.is(contentType, "application/json");
  assert.is(method === "HEAD" ? "" : taskJson(ours.body), sorted(text), target);
  if (ours.status === 200 && !("tasks" in ours.body)) readBack(JSON.parse(text));
}

/** A Dag file with booleans, and a copy that was migrated; both of one name, for the class_ref. */
async function migratedFiles(interpreter: string): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const text = await readFile(BOOLEANS_FILE, "utf8");
  const files = ["before", "after"].map((dagId) => ({
    dagId,
    path: join(folder, dagId, "dags.py"),
  }));
  for (const { dagId, path } of files) {
    await mkdir(dirname(path));
    await writeFile(path, text.replace('DAG("booleans"', `DAG("${dagId}"`));
  }
  const [before, after] = files.map(({ path }) => path) as [string, string];
  const run = await parlance(["retry", "migrate", "--write", "--python", interpreter, after]);
  assert.is(run.code, 0, run.stderr);
  assert.match(run.stderr, "1 file changed");
  assert.not.match(await readFile(after, "utf8"), /True|False/);
  return [before, after];
}

/** What a real server answered, read back into a description, is answered the same again. */
function readBack(body: { task_id: string; params: Record<string, { source: string }> }): void {
  const description = readTaskResource(body);
  const others = (description.downstreamTaskIds ?? []).map((taskId) => ({ taskId }));
  const again = task({ dagId: "again", tasks: [description, ...others] }, body.task_id);
  const params = Object.entries(body.params).map(([name, p]) => [name, { ...p, source: "task" }]);
  const expected = { ...body, params: Object.fromEntries(params) };
  assert.equal(again.body, JSON.parse(sorted(JSON.stringify(expected))));
}

/** The server keeps downstream ids in a set, which has another order in each process. */
function sorted(text: string): string {
  return text.replace('["é","later"]', '["later","é"]');
}

function oddRequests(): readonly (readonly [string, string])[] {
  const odd = `${ROOT}/odd_values/tasks`;
  const orders = ORDER_FIELDS.flatMap((field) => [field, `-${field}`]);
  const get = (target: string) => ["GET", target] as const;
  return [
    get(odd),
    ...orders.map((order) => get(`${odd}?order_by=${order}`)),
    ...["", "-", "--retries", "nope", "it's", "%00a", "a%22b%C3%A9", "retries&order_by=-owner"].map(
      (order) => get(`${odd}?order_by=${order}`),
    ),
    get(`${odd}?order_by`),
    ...[
      "dates",
      "mapped",
      "group.inner",
      "%C3%A9",
      "Z",
      "decorated",
      "bash",
      "a%20b%3C%3E%22'",
    ].map((id) => get(`${odd}/${id}?order_by=nope`)),
    ...["numbers", "no_numbers"].flatMap((dag) => [
      get(`${ROOT}/${dag}/tasks?order_by=retry_exponential_backoff`),
      get(`${ROOT}/${dag}/tasks?order_by=-retry_exponential_backoff`),
    ]),
    get(`${ROOT}/nope/tasks?order_by=nope`),
    get(`${ROOT}/nope/tasks/x`),
    get(`${odd}/`),
    get(`${odd}/a%2Fb`),
    ...["HEAD", "OPTIONS", "POST", "PATCH", "FOO"].map((method) => [method, odd] as const),
    ["DELETE", `${odd}/nope`],
  ];
}

test.run();
