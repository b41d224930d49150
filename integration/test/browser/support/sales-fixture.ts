import type { DagDetail, TaskState } from "@parlance/dev";
import { FixtureBackend, keyOf } from "./fixture-backend.ts";
import {
  after,
  attempt,
  dag,
  frame,
  instance,
  line,
  param,
  run,
  task,
  wait,
} from "./fixture-parts.ts";

/** A Dag with groups, a branch, a mapped task, params and every kind of back-off. */
export const SALES: DagDetail = dag(
  "sales_pipeline",
  [
    task("extract", [], {
      retries: 3,
      retryDelaySeconds: 30,
      retryExponentialBackoff: 2,
      maxRetryDelaySeconds: 90,
      executionTimeoutSeconds: 600,
    }),
    task("checks.schema", ["extract"], { retries: 1 }),
    task("checks.totals", ["extract"], {
      retries: 2,
      retryDelaySeconds: 5,
      retryExponentialBackoff: 1.5,
    }),
    task("choose", ["checks.schema", "checks.totals"], { kind: "branch" }),
    task("load_full", ["choose"], {
      retries: 5,
      retryDelaySeconds: 60,
      retryExponentialBackoff: 3,
      maxRetryDelaySeconds: 3_600,
    }),
    task("load_delta", ["choose"], {
      retries: 1,
      retryDelaySeconds: 10,
      pool: "warehouse",
      poolSlots: 2,
    }),
    task("notify", ["load_full", "load_delta"], {
      isMapped: true,
      triggerRule: "none_failed_min_one_success",
      queue: "typescript",
    }),
  ],
  {
    description: "Yesterday's sales of all shops into the warehouse",
    tags: ["sales", "daily"],
    schedule: "@daily",
    groups: [{ groupId: "checks", displayName: "checks", parentId: null }],
    params: [
      param("region", "eu", { schema: { enum: ["eu", "us", "apac"] }, description: "Whose sales" }),
      param("limit", 500, { schema: { type: "integer", minimum: 1 } }),
      param("dry_run", false, { schema: { type: "boolean" }, description: "Load nothing" }),
    ],
  },
);

export const RUN = "manual__2026-01-02T12:00:00+00:00";

/** 24 runs of {@link SALES}; in the newest, `extract` waits for its third try. */
export function salesFixture(): FixtureBackend {
  const backend = new FixtureBackend();
  backend.dags.set(SALES.dagId, SALES);
  const hello = dag("hello", [task("greet", [])], { kind: "plain", displayName: "hello" });
  backend.dags.set("hello", hello);
  backend.allRuns.push(waitingRun());
  for (let index = 1; index < 24; index++) {
    const old = run(
      SALES,
      `scheduled__2026-01-${String(32 - index).padStart(2, "0")}`,
      -index * 3_600,
      (id) => pastState(id, index),
    );
    const notify = old.instances.at(-1);
    const many = [0, 1, 2].map((mapIndex) => ({
      ...notify,
      mapIndex,
      renderedMapIndex: ["eu", "us", "apac"][mapIndex],
    }));
    backend.allRuns.push({
      ...old,
      instances: [...old.instances.slice(0, -1), ...many],
    } as typeof old);
  }
  addDetails(backend);
  return backend;
}

function waitingRun() {
  const pending = run(SALES, RUN, 0, (id) => (id === "extract" ? "up_for_retry" : null), {
    state: "running",
    endDate: null,
    isActive: true,
    conf: { region: "us", limit: 20 },
  });
  const ref = { dagId: SALES.dagId, runId: RUN, taskId: "extract", mapIndex: -1 };
  const waiting = instance(ref, "up_for_retry", {
    tryNumber: 2,
    maxTries: 4,
    startDate: after(53),
    endDate: after(54),
    dueAt: after(144),
  });
  return { ...pending, instances: [waiting] };
}

function pastState(taskId: string, index: number): TaskState {
  if (index % 7 === 3) return taskId === "extract" ? "failed" : "upstream_failed";
  if (taskId === (index % 2 === 0 ? "load_full" : "load_delta")) return "skipped";
  if (index % 9 === 4 && taskId === "notify") return "failed";
  return "success";
}

function addDetails(backend: FixtureBackend): void {
  const due = after(144);
  backend.rest.set(keyOf({ runId: RUN, taskId: "extract", mapIndex: -1 }), {
    attempts: [
      attempt("a1", 1, { state: "failed", exitCode: 0, endDate: after(1) }),
      attempt("a2", 2, {
        state: "failed",
        startDate: after(53),
        endDate: after(54),
        exitCode: 3,
        error: {
          code: "exit-without-verdict",
          message: "The process ended with 3 and told no verdict.",
        },
      }),
    ],
    waits: [
      wait(1, 30, 22, 90, { beganAt: after(1), dueAt: after(53), startedAt: after(53) }),
      wait(2, 60, 41, 90, {
        beganAt: after(54),
        dueAt: due,
        reason: "HTTP 429",
      }),
    ],
    plannedWaits: [wait(3, 120, 17, 90)],
    xcoms: [
      {
        key: "return_value",
        json: `{"rows": 18446744073709551615, "ratio": 1.0, "shops": ["Berlin", "Wien"]}`,
        isCut: false,
      },
    ],
  });
  backend.logs.set("a1", [
    line(0.1, "asking the shops", { region: "us" }),
    line(0.9, "HTTP 429", { level: "error" }),
  ]);
  backend.logs.set(
    "a2",
    Array.from({ length: 400 }, (_, index) =>
      line(
        53 + index / 500,
        index % 90 === 7 ? `shop ${index} answers slowly` : `shop ${index} read`,
        {
          level: index % 90 === 7 ? "warning" : index % 5 === 0 ? "debug" : "info",
          ...(index % 3 === 0 && { rows: index * 17 }),
          logger: index % 4 === 0 ? "shops.client" : "task",
        },
      ),
    ),
  );
  backend.logs.get("a2")?.push(line(54, "HTTP 429: too many requests", { level: "error" }));
  backend.finished.add("a1").add("a2");
  backend.allFrames.set("a2", [
    frame(1, {
      type: "StartupDetails",
      body: { ti: { task_id: "extract", try_number: 2 }, type: "StartupDetails" },
    }),
    frame(2, {
      direction: "to-supervisor",
      id: 1,
      type: "GetConnection",
      body: { conn_id: "shops", type: "GetConnection" },
    }),
    frame(3, {
      id: 1,
      type: "ConnectionResult",
      body: { conn_id: "shops", host: "shops.example", password: "***", type: "ConnectionResult" },
      redacted: ["/password"],
    }),
    frame(4, {
      direction: "to-supervisor",
      id: 2,
      type: "GetVariable",
      body: { key: "limit", type: "GetVariable" },
    }),
    frame(5, {
      id: 2,
      type: "ErrorResponse",
      third: { error: "VARIABLE_NOT_FOUND", detail: { key: "limit" } },
    }),
    frame(6, {
      direction: "to-supervisor",
      id: 3,
      type: "RetryTask",
      body: { state: "up_for_retry", retry_reason: "HTTP 429", type: "RetryTask" },
    }),
  ]);
}
