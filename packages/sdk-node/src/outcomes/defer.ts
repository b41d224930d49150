import { encodeValue } from "../values/encode-value.ts";
import { checkRecord, optionalDuration, optionalText, refuse, textOf } from "./check-arguments.ts";
import { TaskOutcome } from "./task-outcome.ts";

/** A trigger: Python code that waits in Airflow's triggerer, many in one process. */
export interface Trigger {
  /** Module and class, for example `airflow.providers.standard.triggers.temporal.DateTimeTrigger`. */
  readonly classpath: string;
  /** Arguments of the class, by name. @default {} */
  readonly kwargs?: { readonly [name: string]: unknown } | undefined;
  /** The task fails when the trigger has not fired by then. @default no limit */
  readonly timeoutMs?: number | undefined;
  /**
   * Of triggerers, where Airflow runs with such queues (`[triggerer] queues_enabled`). Where the
   * worker's environment says that it does not, as 3.4 does, the queue is left out, since nobody would
   * serve it. @default any
   */
  readonly queue?: string | null | undefined;
}

/** What the next start of the task gets as `resumed`. */
export interface ResumeOptions {
  /** A word of your own, to tell several waits apart. @default "resume" */
  readonly resumeMethod?: string | undefined;
  /** What the next start needs to know, since it is another process. @default {} */
  readonly kwargs?: { readonly [name: string]: unknown } | undefined;
}

export const DEFAULT_RESUME_METHOD = "resume";

/**
 * Ends the process and leaves the waiting to a trigger. When that fires the handler is called
 * again, from its beginning, in a new process, with `resumed: { method, event, kwargs }`. When the
 * trigger fails or is too late, the task fails and the handler is not called.
 *
 * @throws TaskOutcome always; InvalidRequestError when an argument is wrong
 */
export function defer(trigger: Trigger, resume: ResumeOptions = {}): never {
  const call = "defer(…)";
  checkRecord(call, "", trigger, "a trigger such as { classpath, kwargs }");
  const expected =
    "a Python class such as airflow.providers.standard.triggers.temporal.TimeDeltaTrigger";
  const classpath = textOf(call, "/classpath", trigger.classpath, expected);
  // Airflow takes any text, and the triggerer fails later on one that it can't import.
  if (!/^[^.\s]+(\.[^.\s]+)+$/u.test(classpath)) refuse(call, "/classpath", classpath, expected);
  const facts = {
    kind: "defer",
    classpath,
    triggerKwargs: plainKwargs(call, "/kwargs", trigger.kwargs),
    timeoutMs: optionalDuration(call, "/timeoutMs", trigger.timeoutMs),
    queue: optionalText(call, "/queue", trigger.queue),
    ...checkResume(call, resume),
  } as const;
  throw new TaskOutcome(facts, `the task waits for ${classpath}`);
}

/** The part of the facts that the next start gets. */
export function checkResume(
  call: string,
  resume: unknown,
): { readonly resumeMethod: string; readonly kwargs: { readonly [name: string]: unknown } } {
  checkRecord(call, "", resume, "{ resumeMethod, kwargs }");
  const method = resume["resumeMethod"] ?? DEFAULT_RESUME_METHOD;
  return {
    resumeMethod: textOf(call, "/resumeMethod", method, "a word of your own"),
    kwargs: plainKwargs(`${call} for the next start`, "/kwargs", resume["kwargs"]),
  };
}

function plainKwargs(
  call: string,
  path: string,
  kwargs: unknown,
): { readonly [name: string]: unknown } {
  if (kwargs === undefined || kwargs === null) return {};
  checkRecord(call, path, kwargs, "an object with values by name");
  encodeValue(kwargs, `${call}, kwargs`); // to be told here, at the call; sent is what it is at the end
  return kwargs;
}
