import { readFileSync } from "node:fs";
import {
  answerTaskRequest,
  readTaskResource,
  type TaskResource,
  task,
  taskJson,
} from "@parlance/retry";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { demoDags } from "./demo-dags.ts";

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly allow?: string;
  readonly body?: unknown;
  readonly order?: readonly (readonly [string, number | null])[];
  readonly total_entries?: number;
}

const recorded = readRecorded();

/**
 * The one place where ours differs from the recording: Airflow answers 500 as plain text. (No
 * exchange is about authentication, which is left to who serves the answers.)
 */
const SERVER_FAULTS: Readonly<Record<string, unknown>> = {
  // Strategy objects have no order. Ours orders by the name of the rule.
  "/api/v2/dags/weights/tasks?order_by=weight_rule": ["w1", "w2"],
  // Text that is no number. Ours shows null, as for NaN.
  "/api/v2/dags/mapped_bad/tasks": ["m"],
  "/api/v2/dags/mapped_bad/tasks/m": null,
};

test("there are 82 exchanges", () => assert.is(recorded.length, 82));

for (const exchange of recorded) {
  test(`${exchange.method} ${exchange.path}`, () => {
    const answer = answerTaskRequest({ method: exchange.method, target: exchange.path }, find);
    if (answer === undefined) throw new Error("no route");
    const { body } = answer;
    if (exchange.path in SERVER_FAULTS) {
      assert.is(exchange.status, 500);
      assert.is(answer.status, 200);
      const expected = SERVER_FAULTS[exchange.path];
      if ("tasks" in body)
        assert.equal(
          body.tasks.map(({ task_id }) => task_id),
          expected,
        );
      else assert.is((body as TaskResource).retry_exponential_backoff, expected);
      return;
    }
    assert.is(answer.status, exchange.status);
    assert.is(answer.headers["allow"], exchange.allow);
    if (exchange.order === undefined) {
      // As text, so that the order of the fields counts too.
      assert.is(JSON.stringify(body), JSON.stringify(exchange.body));
      return;
    }
    if (!("tasks" in body)) throw new Error("no list");
    assert.equal(
      body.tasks.map((each) => [each.task_id, each.retry_exponential_backoff]),
      exchange.order,
    );
    assert.is(body.total_entries, exchange.total_entries);
  });
}

test("every recorded task is read back into a description that answers the same", () => {
  let count = 0;
  for (const resource of recordedTasks()) {
    const dag = { dagId: "again", tasks: [readTaskResource(resource)] };
    if (resource.downstream_task_ids.length > 0) {
      dag.tasks.push({ taskId: "aggressive_backoff" });
    }
    const answer = task(dag, resource.task_id);
    const params = Object.entries(resource.params).map(([name, p]) => [
      name,
      { ...p, source: "task" },
    ]);
    assert.equal(answer.body, { ...resource, params: Object.fromEntries(params) });
    count += 1;
  }
  assert.is(count, 31);
});

test("the text has floats where the server has them", () => {
  const exchange = recorded.find(({ path }) => path.endsWith("/standard_backoff"));
  const line =
    readText()
      .split("\n")
      .find((each) => each.includes("/standard_backoff")) ?? "";
  // Python's json.dumps, which made the recording, puts a space behind each comma and colon.
  const text = line.slice(line.indexOf('"body": ') + 8, line.lastIndexOf("}"));
  assert.is(taskJson(exchange?.body), text.replaceAll(", ", ",").replaceAll(": ", ":"));
});

function find(dagId: string) {
  return demoDags.find((dag) => dag.dagId === dagId);
}

function* recordedTasks(): Generator<TaskResource> {
  for (const { status, body } of recorded) {
    if (status !== 200 || body === undefined) continue;
    if ("tasks" in (body as object)) yield* (body as { tasks: TaskResource[] }).tasks;
    else yield body as TaskResource;
  }
}

function readText(): string {
  return readFileSync(new URL("../../test/data/rest/tasks.json", import.meta.url), "utf8");
}

function readRecorded(): readonly Exchange[] {
  return (JSON.parse(readText()) as { requests: Exchange[] }).requests;
}

test.run();
