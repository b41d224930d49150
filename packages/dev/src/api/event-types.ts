import type { InstanceRef, RunSummary, TaskInstance } from "./run-types.ts";

/**
 * One event: `id:` and `data:` (this, as JSON) of `GET /api/dev/events`; there are no event names, so
 * `onmessage` gets all. A browser that reconnects sends the last id by itself; where events were
 * missed and are no longer kept, the first one is `resync`. Comments keep the line alive (15 s).
 */
export type DevEvent =
  /** First on each new connection that missed nothing: what has been fetched before it may be old. */
  | { readonly type: "hello"; readonly revision: number; readonly serverTime: string }
  /** Events were missed: fetch again whatever is shown. */
  | { readonly type: "resync"; readonly revision: number; readonly serverTime: string }
  /** Code was loaded, or failed to: fetch the project, and the Dag that is shown. */
  | { readonly type: "project"; readonly revision: number }
  | { readonly type: "run"; readonly run: RunSummary }
  /** Its state, attempts or waits have changed. */
  | { readonly type: "instance"; readonly instance: TaskInstance }
  /** A word about a run, e.g. that a task waits for a trigger that nothing runs here. */
  | {
      readonly type: "notice";
      readonly dagId: string;
      readonly runId: string;
      readonly message: string;
    }
  /** The log has grown: fetch from the offset that you have. At most some a second for an attempt. */
  | ({ readonly type: "log" } & AttemptNews)
  /** So have the frames. */
  | ({ readonly type: "frames" } & AttemptNews);

/** Whose log or frames have grown. */
export interface AttemptNews extends InstanceRef {
  readonly attemptId: string;
  readonly tryNumber: number;
}
