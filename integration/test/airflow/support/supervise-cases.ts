import {
  type AirflowVersion,
  type HarnessStore,
  type SuperviseResult,
  type SuperviseTask,
  superviseTasks,
} from "@parlance/test-kit";

/** Gives the result of one case; the first call runs all cases, since a process costs seconds. */
export type CaseRunner<Name extends string> = (name: Name) => Promise<SuperviseResult>;

/**
 * Cases of one bundle folder under the real supervisor of one Airflow version, run in their order
 * when the first result is asked for.
 */
export function superviseCases<Name extends string>(
  version: AirflowVersion,
  setting: {
    readonly bundlesRoot: string;
    readonly store: HarnessStore;
    /** Of the worker, and so of the tasks. */
    readonly env?: Readonly<Record<string, string>>;
  },
  cases: Readonly<Record<Name, SuperviseTask>>,
): CaseRunner<Name> {
  let running: Promise<ReadonlyMap<string, SuperviseResult>> | undefined;
  const runAll = async () => {
    const names = Object.keys(cases);
    const results = await superviseTasks({
      version,
      launch: { bundlesRoot: setting.bundlesRoot },
      store: setting.store,
      env: setting.env ?? {},
      // Airflow may notice an exit only one interval late: 1 s in place of 5.
      settings: { heartbeatIntervalSeconds: 1 },
      tasks: Object.values<SuperviseTask>(cases),
      deadlineMs: 600_000, // for a machine with much else to do
    });
    return new Map(results.map((result, index) => [names[index] ?? "", result]));
  };
  return async (name) => {
    running ??= runAll();
    const result = (await running).get(name);
    if (result === undefined) throw new Error(`the harness gave no result for ${name}`);
    return result;
  };
}
