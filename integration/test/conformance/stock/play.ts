import { type CaseVerdict, type ConformanceCase, runSuite } from "@parlance/conformance";
import type { SchemaVersion } from "@parlance/protocol";
import { type AirflowVersion, superviseTasks } from "@parlance/test-kit";
import { compare, type Difference } from "./compare.ts";
import type { StockRuntime } from "./runtimes.ts";
import { stockTask } from "./stock-task.ts";
import { whyUnplayable } from "./unplayable.ts";

/** A case under the kit's own supervisor and under the real one. */
export interface PlayedCase {
  readonly runtime: string;
  readonly id: string;
  readonly outcome: CaseVerdict["outcome"];
  readonly differences: readonly Difference[];
}

/** What to play. */
export interface PlayOptions {
  readonly airflow: AirflowVersion;
  readonly schema: SchemaVersion;
  readonly runtimes: readonly StockRuntime[];
  readonly cases: readonly ConformanceCase[];
  /** Tasks at a time under the real supervisor. Default 6: most of the time they wait. */
  readonly workers?: number;
}

/**
 * Plays cases under the kit's own supervisor first, then, with the same start-up details, under the real one: one Python
 * process for all of them.
 */
export async function play(options: PlayOptions): Promise<readonly PlayedCase[]> {
  const { airflow, schema, runtimes, workers = 6 } = options;
  const own: {
    readonly queue: string;
    readonly runtime: StockRuntime;
    readonly verdict: CaseVerdict;
  }[] = [];
  for (const [number, runtime] of runtimes.entries()) {
    const cases = options.cases.filter(
      (one) =>
        whyUnplayable(one) === undefined && isWanted(one, runtime) && one.versions.includes(schema),
    );
    const verdicts = await runSuite({ runtime, cases, versions: [schema] });
    for (const verdict of verdicts) own.push({ queue: `q${number}`, runtime, verdict });
  }
  const played = own.flatMap(({ verdict, ...rest }) =>
    verdict.evidence === undefined ? [] : [{ ...rest, verdict, evidence: verdict.evidence }],
  );
  const [first] = runtimes;
  if (first === undefined || played.length === 0) return [];
  const results = await superviseTasks({
    version: airflow,
    launch: launchOf(first, schema),
    launches: Object.fromEntries(
      runtimes.map((one, number) => [`q${number}`, launchOf(one, schema)]),
    ),
    // Airflow may notice an exit only one interval late: 1 s in place of 5.
    settings: { heartbeatIntervalSeconds: 1, loggingLevel: "DEBUG", startupTimeoutSeconds: 60 },
    workers,
    exact: true,
    tasks: played.map(({ verdict, evidence, queue, runtime }) =>
      stockTask(verdict.case, evidence, queue, runtime.name),
    ),
    deadlineMs: 600_000, // for a machine with much else to do
  });
  return played.map(({ verdict, runtime }, at) => {
    const result = results[at];
    if (result === undefined) throw new Error(`the harness gave no result for ${verdict.case.id}`);
    const { id } = verdict.case;
    const { outcome } = verdict;
    return { runtime: runtime.name, id, outcome, differences: compare(verdict, result) };
  });
}

function launchOf({ launch }: StockRuntime, schemaVersion: SchemaVersion): StockRuntime["launch"] {
  return "argv" in launch ? { ...launch, schemaVersion } : launch;
}

function isWanted({ id }: ConformanceCase, { only }: StockRuntime): boolean {
  return only === undefined || only.some((wanted) => id === wanted || id.startsWith(`${wanted}/`));
}
