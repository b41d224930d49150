import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answer, run } from "../support/fake-supervisor.ts";

const TRACE = "a6a12e1fc5971c6e6206f164bc25b44d";
const PARENT = "ff38a8311aedb218";
const carrier = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "vendor=1" };

const answer = ({ type }: { readonly [field: string]: unknown }): Answer | undefined =>
  type === "GetVariable" ? { body: { type: "VariableResult", key: "k", value: "v" } } : undefined;

test("tracing headers of the task go along with each request", async () => {
  const { carriers } = await run({
    fixture: "tasks.mjs",
    taskId: "falsy",
    taskInstance: { context_carrier: carrier },
  });
  assert.equal(carriers, [carrier, carrier]);
});

test("OpenTelemetry: spans belong to Airflow's trace, requests to the active span, all are exported", async () => {
  const { bodies, carriers, stdout, exitCode } = await run({
    fixture: "traced.mjs",
    taskInstance: { context_carrier: carrier },
    answer,
  });
  const span = JSON.parse(stdout) as { readonly [key: string]: string };
  assert.equal([span["name"], span["traceId"], span["parent"]], ["work", TRACE, PARENT]);
  const own = { traceparent: `00-${TRACE}-${span["spanId"]}-01`, tracestate: "vendor=1" };
  assert.equal(carriers, [own, carrier, carrier]);
  assert.equal(bodies[1]?.["value"], { own, headers: own });
  assert.is(exitCode, 0);
});

test("OpenTelemetry: without a trace of Airflow's a task has its own", async () => {
  const { carriers, stdout } = await run({ fixture: "traced.mjs", answer });
  assert.is(JSON.parse(stdout).parent, undefined);
  assert.match(String((carriers[0] as { traceparent?: string }).traceparent), /^00-[0-9a-f]{32}-/);
  assert.is(carriers.at(-1), null);
});

test.run();
