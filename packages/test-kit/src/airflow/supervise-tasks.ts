import { runHarness } from "./run-harness.ts";
import type {
  AirflowError,
  HarnessLogRecord,
  Launch,
  SuperviseOptions,
  SuperviseResult,
} from "./supervise-types.ts";

const DEADLINE_MS = 120_000;

/**
 * Runs tasks, one after the other in one process (with `workers` in some forks of it), through the supervisor
 * of a stock Airflow whose Execution API is held in memory. About 2 s, then 0.1 s a task.
 *
 * @returns one result a task, in order; a task that fails is no error
 * @throws Error when the harness itself could not do its work
 */
export async function superviseTasks(
  options: SuperviseOptions,
): Promise<readonly SuperviseResult[]> {
  const { results } = await supervise<{ results: readonly SuperviseResult[] }>(options, []);
  return results;
}

/** Wall times of many tasks, in milliseconds. */
export interface BatchResult {
  /** Tasks run: rounds times the number of tasks. */
  readonly count: number;
  readonly wallMs: readonly number[];
  readonly minMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  readonly finalStates: readonly string[];
  /** The first three exceptions that left the supervisor. */
  readonly problems: readonly AirflowError[];
}

/** Runs the tasks `rounds` times and keeps the wall times only. */
export function superviseBatch(options: SuperviseOptions, rounds: number): Promise<BatchResult> {
  return supervise<BatchResult>(options, ["--batch", String(rounds)]);
}

/** Which files the Dag processor is asked to parse. */
export interface ParseOptions {
  readonly launch: Exclude<Launch, { readonly argv: readonly string[] }>;
  /** Relative to the root. */
  readonly files: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
}

/** What came of one file. */
export interface ParseResult {
  readonly file: string;
  /** The DagFileParsingResult, `serialized_dags` holding each Dag's data; null when none came. */
  readonly result: {
    readonly serialized_dags: readonly unknown[];
    readonly import_errors?: Readonly<Record<string, string>> | null;
    readonly [field: string]: unknown;
  } | null;
  readonly wallMs: number;
  readonly supervisorError: AirflowError | null;
  readonly parseLog: readonly HarnessLogRecord[];
}

/** Lets the Dag processor's own class of Airflow 3.4.0b2 run files as if they held native Dags. */
export async function parseDagFiles(options: ParseOptions): Promise<readonly ParseResult[]> {
  const { files, launch, env = {}, deadlineMs = DEADLINE_MS } = options;
  const plan = { launch, env, parse: files };
  const run = { version: "3.4.0b2", script: "supervise.py", plan, deadlineMs } as const;
  const { parses } = (await runHarness(run)) as { parses: readonly ParseResult[] };
  return parses;
}

async function supervise<Document>(options: SuperviseOptions, args: string[]): Promise<Document> {
  const { version, deadlineMs = DEADLINE_MS, transcriptFile, ...plan } = options;
  if (transcriptFile !== undefined) args.push("--transcript", transcriptFile);
  const document = await runHarness({ version, script: "supervise.py", plan, args, deadlineMs });
  return document as Document;
}
