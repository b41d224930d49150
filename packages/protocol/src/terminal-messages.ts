/** States that a terminal message can ask for. */
export type TerminalState =
  | "awaiting_input"
  | "deferred"
  | "failed"
  | "removed"
  | "skipped"
  | "success"
  | "up_for_reschedule"
  | "up_for_retry";

/** States that a `TaskState` may carry; success and the others have messages of their own. */
export const TASK_STATE_STATES = ["failed", "removed", "skipped"] as const;

/**
 * The messages that end a task, with the state each stands for; null: it is the message's own
 * `state`. `SkipDownstreamTasks` is none of them: the task goes on after it.
 */
export const TERMINAL_MESSAGES: {
  readonly AwaitInputTask: "awaiting_input";
  readonly DeferTask: "deferred";
  readonly RescheduleTask: "up_for_reschedule";
  readonly RetryTask: "up_for_retry";
  readonly SucceedTask: "success";
  readonly TaskState: null;
} = {
  AwaitInputTask: "awaiting_input",
  DeferTask: "deferred",
  RescheduleTask: "up_for_reschedule",
  RetryTask: "up_for_retry",
  SucceedTask: "success",
  TaskState: null,
};

/** The `type` of a message that ends a task. */
export type TerminalMessageType = keyof typeof TERMINAL_MESSAGES;

/** True when a message of this type ends its task. */
export function isTerminalMessage(type: unknown): type is TerminalMessageType {
  return typeof type === "string" && Object.hasOwn(TERMINAL_MESSAGES, type);
}

/**
 * The state that a valid terminal message asks for; undefined for any other body. What the
 * task ends as is decided together with its exit code, not by this alone.
 */
export function terminalState(body: {
  readonly type?: unknown;
  readonly state?: unknown;
}): TerminalState | undefined {
  const { type, state } = body;
  if (!isTerminalMessage(type)) return undefined;
  return TERMINAL_MESSAGES[type] ?? TASK_STATE_STATES.find((each) => each === state);
}
