import type { SqliteTaskStore } from "../../store/sqlite-task-store.ts";
import type { ActiveRun, RunEvent } from "./runner-types.ts";

/** What a run needs of its runner. */
export interface EngineHost {
  readonly store: SqliteTaskStore;
  readonly folder: string;
  readonly keepFrames: boolean;
  readonly maxTaskRetryDelaySeconds: number | undefined;
  readonly now: () => Date;
  /** Something may be started, or a place has become free. */
  fill(): void;
  emit(event: RunEvent, run: ActiveRun): void;
  /** The run stands still: its lock is given back. */
  ended(run: ActiveRun): void;
}
