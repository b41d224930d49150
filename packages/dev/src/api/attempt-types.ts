import type { TaskInstance, TaskState } from "./run-types.ts";

/** One instance with its attempts and the waits between them. */
export interface TaskInstanceDetail extends TaskInstance {
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** Waits that have begun, oldest first. */
  readonly waits: readonly Wait[];
  /** What it would wait from here on if it failed every time: `dueAt` and `startedAt` are null. */
  readonly plannedWaits: readonly Wait[];
}

/** One run of the task's process. */
export interface Attempt {
  /** Opaque; for the paths of its log and frames. */
  readonly attemptId: string;
  readonly tryNumber: number;
  readonly startDate: string;
  /** Null while it runs. */
  readonly endDate: string | null;
  /** How it ended; `running` while it runs. */
  readonly state: TaskState;
  readonly exitCode: number | null;
  /** From spawn to verdict; null while it runs. */
  readonly durationMs: number | null;
  /** Why it could not be started, or what it broke. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly hasLog: boolean;
  readonly hasFrames: boolean;
}

/** The wait between two attempts: how it comes about, and how long it was. */
export interface Wait {
  /** `reschedule`: a sensor that did not fail, and goes on with the same try. */
  readonly kind: "retry" | "reschedule";
  /** The try that failed before it, or that goes on after it. */
  readonly afterTry: number;
  /**
   * `backoff`: base and jitter, capped. `fixed`: always `retryDelaySeconds`. `override`: the task
   * asked for it. `overflow`: the base was beyond a double, so it is the global cap.
   */
  readonly mode: "backoff" | "fixed" | "override" | "overflow";
  /** `ceil(retryDelay * multiplier^(try - 1))`; null without back-off. */
  readonly baseSeconds: number | null;
  /** 0 to base - 1, out of a hash; null without back-off. */
  readonly jitterSeconds: number | null;
  /** The cap of the task; null for none. */
  readonly capSeconds: number | null;
  /** The cap that made it shorter than base and jitter. */
  readonly cappedBy: null | "max_task_retry_delay" | "max_retry_delay";
  readonly multiplier: number;
  /** What Airflow waits. */
  readonly delaySeconds: number;
  /** What is waited here: `delaySeconds` times the time scale of the run. */
  readonly scaledSeconds: number;
  /** When the failed try ended. */
  readonly beganAt: string | null;
  /** When the next try is due. */
  readonly dueAt: string | null;
  /** When it really started. */
  readonly startedAt: string | null;
  /** What the task said when it asked for the retry. */
  readonly reason: string | null;
}

/** What a task left for others. */
export interface XComList {
  readonly xcoms: readonly XComEntry[];
}

/** One XCom. */
export interface XComEntry {
  readonly key: string;
  /** The value as JSON text with its exact numbers (`1.0`, 2^63), secrets masked. */
  readonly json: string;
  /** Whether `json` is only the beginning; it is then no valid JSON. */
  readonly isCut: boolean;
}

/** A part of the log of an attempt. */
export interface LogPage {
  readonly records: readonly LogEntry[];
  /** Give it as `offset` for what follows, now or later. Opaque but for its order. */
  readonly nextOffset: number;
  /** Whether there is more right now. */
  readonly hasMore: boolean;
  /** The attempt is over: once `hasMore` is false, too, nothing more comes. */
  readonly isFinished: boolean;
}

/** One record of a log; other fields are what the task logged beside it. Secrets are masked. */
export interface LogEntry {
  readonly timestamp: string | null;
  readonly level: "debug" | "info" | "warning" | "error" | "critical";
  readonly logger: string;
  /** Text, or whatever JSON the task logged. */
  readonly event: unknown;
  readonly [field: string]: unknown;
}

/** A part of what was said between coordinator and task. */
export interface FramePage {
  readonly frames: readonly FrameEntry[];
  readonly nextOffset: number;
  readonly hasMore: boolean;
  readonly isFinished: boolean;
}

/** One frame, decoded, secrets replaced by placeholders. */
export interface FrameEntry {
  /** From 1, over both directions. */
  readonly number: number;
  readonly at: string;
  readonly direction: "to-task" | "to-supervisor";
  /** A number, in frames that are well formed. */
  readonly id: unknown;
  /** The message's type; null where the body names none. */
  readonly type: string | null;
  /** JSON; what JSON has not is `{"$":"int","v":"…"}` and the like. */
  readonly body: unknown;
  /** To a task: the error; to the supervisor: the context carrier. Null for none. */
  readonly third: unknown;
  /** JSON pointers to what was replaced. */
  readonly redacted: readonly string[];
  /** The frame was larger than is kept: `body` and `third` are null. */
  readonly isCut: boolean;
  /** So many frames after this one were not kept: there were too many. */
  readonly lost: number;
}
