import { fileURLToPath } from "node:url";
import {
  ArgvCoordinator,
  type DagRunSpec,
  type ExecuteTaskRequest,
  type LogRecord,
  type TaskInstanceSpec,
  type TaskResult,
  type TaskStore,
} from "@parlance/coordinator";
import { Timestamp } from "@parlance/framing";
import {
  type AirflowVersion,
  startWarmRunner,
  temporaryFolder,
  type WarmRunner,
} from "@parlance/test-kit";
import { readSentFrames, type SentFrame } from "./read-sent-frames.ts";

/** The example whose launcher is tested. */
export const EXAMPLE = fileURLToPath(
  new URL("../../../../examples/runtimes/airflow-python/", import.meta.url),
);

/** Files of `data`. */
export const DATA = new URL("../../../test/runtimes/data/", import.meta.url);

/** The versions under test, with the schema that each speaks. */
export const VERSIONS = [
  { version: "3.3.2", schemaVersion: "2026-06-16" },
  { version: "3.4.0b2", schemaVersion: "2026-10-30" },
] as const;

/** The run of the recordings. */
export const RUN_ID = "scheduled__2026-01-02T00:00:00+00:00";
const at = (text: string): Timestamp => Timestamp.parse(text);
export const DAG_RUN: DagRunSpec = {
  logicalDate: at("2026-01-02T00:00:00Z"),
  dataIntervalStart: at("2026-01-02T00:00:00Z"),
  dataIntervalEnd: at("2026-01-03T00:00:00Z"),
  runAfter: at("2026-01-03T00:00:00Z"),
  startDate: at("2026-01-03T00:00:01.5Z"),
  runType: "scheduled",
};

/** What one attempt needs; the task's Dag is `proof` of `data/dags`. */
export interface PythonTask extends Partial<Omit<ExecuteTaskRequest, "taskInstance">> {
  readonly store: TaskStore;
  readonly spec?: Partial<TaskInstanceSpec>;
  /** Variables of the runtime's process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly strictAirflow?: boolean;
}

/** What came of it. */
export interface PythonTaskResult extends TaskResult {
  readonly records: readonly LogRecord[];
  /** What the task sent over its comm link. */
  readonly sent: readonly SentFrame[];
}

/** A task that waits for the processor of a busy machine is not what is tested here. */
const PATIENCE_MS = 60_000;

/** Runs tasks of the recorded Dag under our coordinator, with an Airflow that is imported once. */
export class PythonTasks {
  readonly schemaVersion: (typeof VERSIONS)[number]["schemaVersion"];
  readonly #runner: WarmRunner;
  readonly #folder = temporaryFolder("parlance-frames");
  #count = 0;

  private constructor(runner: WarmRunner, schemaVersion: PythonTasks["schemaVersion"]) {
    this.#runner = runner;
    this.schemaVersion = schemaVersion;
  }

  static async start(version: AirflowVersion): Promise<PythonTasks> {
    const found = VERSIONS.find((entry) => entry.version === version) ?? VERSIONS[0];
    const runner = await startWarmRunner({ version, launcher: `${EXAMPLE}launcher.py` });
    return new PythonTasks(runner, found.schemaVersion);
  }

  /** One attempt; any number at once. */
  async run(taskId: string, task: PythonTask): Promise<PythonTaskResult> {
    const { spec, env = {}, strictAirflow, ...request } = task;
    this.#count += 1;
    const record = `${this.#folder}/${this.#count}-${taskId}`;
    const dags = fileURLToPath(new URL("dags", DATA));
    const args = ["--dags", dags, "--bundle", "proofs"];
    const coordinator = new ArgvCoordinator({
      argv: this.#runner.command(args, record),
      schemaVersion: this.schemaVersion,
      startupTimeoutMs: PATIENCE_MS,
      killGraceMs: PATIENCE_MS,
      successOvertimeMs: PATIENCE_MS,
      strictAirflow,
      env: { AIRFLOW_HOME: this.#runner.home, ...env },
    });
    const records: LogRecord[] = [];
    const result = await coordinator.executeTask({
      dagRun: DAG_RUN,
      logSink: { write: (line) => void records.push(line) },
      ...request,
      taskInstance: {
        dagId: "proof",
        runId: RUN_ID,
        tryNumber: 1,
        dagRelPath: "proof_dag.py",
        dagBundleName: "proofs",
        ...spec,
        taskId,
      },
    });
    return { ...result, records, sent: readSentFrames(record) };
  }

  async close(): Promise<void> {
    await this.#runner.close();
  }
}
