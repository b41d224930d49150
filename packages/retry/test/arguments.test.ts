import * as retry from "@parlance/retry";
import {
  type DagDescription,
  Instant,
  type NextRetry,
  nextRetry,
  RetryError,
  type RetryErrorCode,
  retryDelay,
  TaskResourceError,
  task,
  taskCollection,
} from "@parlance/retry";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const INPUT = {
  dagId: "d",
  taskId: "t",
  logicalDate: null,
  tryNumber: 1,
  retryDelayUs: 300_000_000,
  multiplier: 0,
} as const;

// What must not compile; `npx tsc` is the test.
export function wrongUses(): void {
  // @ts-expect-error booleans are converted by the functions named after their place
  retryDelay({ ...INPUT, multiplier: true });
  // @ts-expect-error text too
  retryDelay({ ...INPUT, multiplier: "2" });
  // @ts-expect-error null says that there is none
  retryDelay({ ...INPUT, logicalDate: undefined });
  // @ts-expect-error the end of the attempt is needed
  nextRetry(INPUT);
  // @ts-expect-error made by parse, from and the like
  new Instant(0, 0, 0);
  // @ts-expect-error read-only
  retryDelay(INPUT).delayUs = 5n;
  // @ts-expect-error a code is one of a few
  const code: RetryErrorCode = "something";
  void code;
  const dag: DagDescription = { dagId: "d", tasks: [{ taskId: "t" }] };
  // @ts-expect-error a task has an id
  const without: DagDescription = { dagId: "d", tasks: [{}] };
  void without;
  // @ts-expect-error retries are a number
  task({ dagId: "d", tasks: [{ taskId: "t", retries: "3" }] }, "t");
  const answer = task(dag, "t");
  // @ts-expect-error it may be a refusal
  void answer.body.task_id;
  // @ts-expect-error only an answer of status 200 has tasks
  void taskCollection(dag).body.tasks;
}

test("what is used right compiles", () => {
  const next: NextRetry = nextRetry({ ...INPUT, endDate: new Date(0), maxRetryDelayUs: null });
  const delayUs: bigint = next.delayUs;
  assert.is(delayUs, 300_000_000n);
});

const MISFITS: readonly unknown[] = [
  undefined,
  null,
  true,
  5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n ** 40n,
  "x",
  Symbol("s"),
  () => 1,
  [],
  {},
  new Date(Number.NaN),
  {
    toString() {
      throw new Error("never called");
    },
  },
];

/** Whatever it is given, a function answers, or throws one of the two errors of this package. */
function tryOut(label: string, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (error instanceof RetryError || error instanceof TaskResourceError) return;
    throw new Error(`${label} threw ${String(error)}`, { cause: error });
  }
}

test("no function of the package falls over what plain JavaScript gives it", () => {
  let functions = 0;
  for (const [name, value] of Object.entries(retry)) {
    if (typeof value !== "function" || /^[A-Z]/.test(name)) continue;
    functions += 1;
    const call = value as (...given: unknown[]) => unknown;
    const isNamed = name === "fromTimeDelta" || name === "microsecondsOfSeconds"; // the second is a label
    for (const first of MISFITS) {
      tryOut(name, () => call(first));
      if (!isNamed) for (const second of MISFITS) tryOut(name, () => call(first, second));
    }
  }
  assert.ok(functions > 25);
});

test("nor does one over a single field", () => {
  const plan = { ...INPUT, multiplier: 2, endDate: new Date(0), tries: 3 };
  const optional = ["maxRetryDelayUs", "maxTaskRetryDelaySeconds", "overrideSeconds", "attemptUs"];
  const { planRetries, retryHashText } = retry;
  for (const [name, calculate] of Object.entries({
    retryDelay,
    nextRetry,
    planRetries,
    retryHashText,
  })) {
    const call = calculate as (input: unknown) => unknown;
    for (const field of [...Object.keys(plan), ...optional, "firstTryNumber"]) {
      for (const value of MISFITS) {
        tryOut(`${name} ${field}`, () => call({ ...plan, [field]: value }));
      }
    }
  }
  for (const value of MISFITS as readonly never[]) {
    for (const field of ["method", "target"]) {
      const request = { method: "GET", target: "/api/v2/dags/d/tasks", [field]: value };
      tryOut(field, () => retry.answerTaskRequest(request, () => undefined));
    }
    const dag = { dagId: "d", tasks: [{ taskId: "t", params: { p: { value } } }] };
    tryOut("a param", () => retry.taskJson(task(dag, "t").body));
    tryOut("options", () => taskCollection(dag, value));
    tryOut("plus", () => Instant.fromDate(new Date(0)).plus(value));
    tryOut("an offset", () => Instant.fromEpochUs(0n, value).toIso());
  }
});

test("numbers as text are refused where comparing them would go wrong in silence", () => {
  const text = { state: "failed", tryNumber: "3", maxTries: "10", retries: "2" } as never;
  throws(() => retry.isEligibleToRetry(text), "bad-input");
  throws(() => retry.shouldRetry(text), "bad-input");
  throws(() => retry.maxTriesAfterClearing(text), "bad-input");
  throws(() => retry.maxTriesAfterSuccess(text), "bad-input");
  throws(() => retry.initialMaxTries("3" as never), "bad-input");
  throws(() => retry.retryHashText({ ...INPUT, dagId: 5 as never }), "bad-input");
  throws(
    () => retry.planRetries({ ...INPUT, tries: 2, firstTryNumber: "a" as never }),
    "bad-input",
  );
  throws(() => Instant.fromEpochUs(0n, 0.5), "bad-date");
  throws(() => Instant.fromEpochUs(0n, 90_000), "bad-date");
});

test("an error names the argument", () => {
  const messageOf = (change: object, code: string) =>
    throws(() => nextRetry({ ...INPUT, endDate: new Date(0), ...change }), code).message;
  assert.match(messageOf({ endDate: "soon" }, "bad-date"), /^endDate: /);
  assert.match(messageOf({ multiplier: 2, logicalDate: "x" }, "bad-date"), /^logicalDate: /);
  assert.match(messageOf({ multiplier: () => "\n" }, "wrong-type"), /^multiplier is a function;/);
});

test.run();
