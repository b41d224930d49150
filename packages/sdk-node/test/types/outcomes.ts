import {
  awaitInput,
  Bundle,
  defer,
  type HumanAnswer,
  isTaskOutcome,
  reschedule,
  skip,
  skipDownstream,
  TaskError,
  type TaskOptions,
} from "@parlance/sdk-node";

// What an editor refuses. Nothing here is run.

export function refused(): void {
  // @ts-expect-error: a reason is text
  skip(7);
  // @ts-expect-error: tasks are named
  void skipDownstream([{ mapIndex: 1 }]);
  // @ts-expect-error: a Date or { afterMs }
  reschedule("2026-06-16");
  // @ts-expect-error: a trigger has a class
  defer({ kwargs: {} });
  // @ts-expect-error: a time-out is a number of milliseconds
  defer({ classpath: "a.B", timeoutMs: "PT1S" });
  // @ts-expect-error: a question has options
  awaitInput({ subject: "?" });
  // @ts-expect-error: a user has an id
  awaitInput({ subject: "?", options: ["a"], assignees: [{ name: "Ada" }] });
  // @ts-expect-error: no such option
  new TaskError("no", { delayMs: 1 });
  // @ts-expect-error: a policy is a function
  const options: TaskOptions = { retryPolicy: { retry: false } };
  // @ts-expect-error: a misspelt option
  new Bundle().task("d", "t", { executionTimeout: 1 }, () => 1);
  void options;
}

export function inferred(): void {
  new Bundle().task("d", "t", ({ resumed, onKill, context }) => {
    const text: string | undefined = Math.random() > 0.5 ? "a" : undefined;
    if (text === undefined) skip();
    const length: number = text.length; // skip() does not return
    const answer: HumanAnswer = resumed?.answer ?? awaitInput({ subject: "?", options: ["a"] });
    const at: Date | null = answer.respondedAt;
    const page: unknown = resumed?.kwargs["page"];
    const timeout: number | null = context.executionTimeoutMs;
    const trace: string | undefined = context.trace?.traceparent;
    onKill((reason) => reason);
    // @ts-expect-error: a callback is a function
    onKill("cancel");
    return { length, at: at?.toISOString(), page: String(page), timeout, trace };
  });
  try {
    skip();
  } catch (error) {
    if (!isTaskOutcome(error)) throw error;
    if (error.facts.kind === "defer") {
      const classpath: string = error.facts.classpath;
      void classpath;
    }
  }
}
