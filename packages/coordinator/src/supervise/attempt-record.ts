import type { SchemaVersion } from "@parlance/protocol";
import type { SecretMasker } from "../logs/secret-masker.ts";
import type { TaskInstanceRef, TaskStore } from "../store/task-store.ts";
import type { Body } from "./answers.ts";
import type { Attempt } from "./attempt.ts";
import type { FinalState } from "./final-state.ts";

/** What an {@link AttemptRecord} is made of, and what it tells its owner. */
export interface AttemptRecordOptions {
  readonly schemaVersion: SchemaVersion;
  readonly store: TaskStore;
  readonly masker: SecretMasker;
  readonly strictAirflow?: boolean | undefined;
  /** The message the child got, for the ids and the run in it. */
  readonly startupDetails: Body;
  readonly now: () => Date;
  /** After every terminal message. */
  readonly onReport: () => void;
  readonly onExecutionTimeout: (seconds: number) => void;
}

/** The state of one attempt as its handlers see it and change it. */
export class AttemptRecord implements Attempt {
  readonly schemaVersion: SchemaVersion;
  readonly store: TaskStore;
  readonly masker: SecretMasker;
  readonly strictAirflow: boolean;
  readonly taskInstanceId: string;
  readonly taskInstance: TaskInstanceRef;
  readonly tryNumber: number;
  readonly dagFile: Attempt["dagFile"];
  readonly now: () => Date;
  readonly #options: AttemptRecordOptions;
  #dagRun: Body;
  #reported: FinalState | null = null;
  #terminal: Body | undefined;

  constructor(options: AttemptRecordOptions) {
    const { startupDetails } = options;
    const ti = startupDetails["ti"] as Body;
    const bundle = startupDetails["bundle_info"] as Body;
    this.#options = options;
    this.schemaVersion = options.schemaVersion;
    this.store = options.store;
    this.masker = options.masker;
    this.strictAirflow = options.strictAirflow === true;
    this.now = options.now;
    this.taskInstanceId = String(ti["id"]);
    this.tryNumber = Number(ti["try_number"]);
    this.taskInstance = {
      dagId: String(ti["dag_id"]),
      runId: String(ti["run_id"]),
      taskId: String(ti["task_id"]),
      mapIndex: Number(ti["map_index"]),
    };
    this.dagFile = {
      bundleName: String(bundle["name"]),
      bundleVersion: bundle["version"] as string | null,
      path: String(startupDetails["dag_rel_path"]),
    };
    this.#dagRun = (startupDetails["ti_context"] as Body)["dag_run"] as Body;
  }

  get dagRun(): Body {
    return this.#dagRun;
  }

  /** The state the last terminal message asked for; null before the first. */
  get reported(): FinalState | null {
    return this.#reported;
  }

  /** The last terminal message. */
  get terminal(): Body | undefined {
    return this.#terminal;
  }

  report(state: FinalState, body: Body): void {
    this.#reported = state;
    this.#terminal = body;
    this.#options.onReport();
  }

  setNote(note: string | null): void {
    this.#dagRun = { ...this.#dagRun, note };
  }

  setExecutionTimeout(seconds: number): void {
    this.#options.onExecutionTimeout(seconds);
  }
}
