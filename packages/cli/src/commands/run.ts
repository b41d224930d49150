import { type Command, Option } from "commander";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { timeScale, waitSeconds, wholeNumber } from "../option-values.ts";
import type { ResultsOptions, RunOptions } from "../run/run-options.ts";
import { wordsBehindDashes } from "./words-behind-dashes.ts";

interface Flags {
  readonly dag: string;
  readonly task?: string;
  readonly runId?: string;
  readonly tryNumber: number;
  readonly shouldRetry?: boolean;
  readonly retries: number;
  readonly mapIndex?: number;
  readonly dagFile?: string;
  readonly bundleName?: string;
  readonly event?: string;
  readonly store: string;
  readonly seedStore?: string;
  readonly arg: readonly string[];
  readonly conf?: string;
  readonly param: readonly string[];
  readonly logicalDate?: string;
  readonly timeScale?: number;
  readonly parallel?: number;
  readonly rerunFailed?: boolean;
  readonly schemaVersion?: RunOptions["schemaVersion"];
  readonly airflow?: keyof typeof HEAD_VERSIONS;
  readonly startupTimeout: number;
  readonly logLevel?: string;
  readonly namespaceLevels?: string;
  readonly inheritEnv?: boolean;
  readonly trace?: boolean;
  readonly "trace=full"?: boolean;
  readonly logFile?: string;
  readonly logFormat: RunOptions["logFormat"];
  readonly inspectBrk?: boolean;
  readonly strictAirflow?: boolean;
  readonly results?: string | true;
  readonly resultsUrlFile?: string;
  readonly resultsId: string;
  readonly resultsSerializer: ResultsOptions["serializer"];
  readonly json?: boolean;
}

/** The schema version that the supervisor of an Airflow speaks. */
const HEAD_VERSIONS = { "3.3": "2026-06-16", "3.4": "2026-10-30" } as const;

/** `parlance run` */
export function registerRun(program: Command, io: CommandIo): void {
  program
    .command("run")
    .summary("run a Dag, or tasks, under Parlance's own coordinator")
    .description(
      "Run tasks of a bundle, of a TypeScript entry or of a bare command under Parlance's own " +
        "coordinator. A Dag made with dag() runs as a whole, as Airflow's scheduler would run it: " +
        "dependencies, trigger rules, branches, mapping, retries with their true waits; the same " +
        "--run-id with the same --store takes it up again. Exit code 1 unless the run is a success. " +
        "Tasks of bundle.task run in their order of registration, and one that ends " +
        "up_for_retry starts again at once, at most --retries times. Exit code 1 unless every " +
        "final state is success or skipped.",
    )
    .usage("[options] (BUNDLE | ENTRY.ts | -- ARGV…) --dag <id>")
    .argument("[target...]", "a packed bundle, or the TypeScript file that calls serve()")
    .requiredOption("--dag <id>", "the Dag id")
    .option("--task <id>", "run one attempt of this task only (needed with -- ARGV…)")
    .option("--run-id <id>", "the Dag run's id (default: manual__ and the time now)")
    .option("--try-number <n>", "the first attempt's try number", wholeNumber(1), 1)
    .option("--should-retry", "tell the task that a failure will be retried")
    .option("--retries <n>", "how often a task may start again", wholeNumber(0), 1)
    .option(
      "--map-index <n>",
      "which instance of a mapped task to run",
      wholeNumber(0, 2 ** 31 - 1),
    )
    .option("--dag-file <path>", "the Dag's file, as its bundle has it (default: <dag>.py)")
    .option("--bundle-name <name>", "the Dag bundle's name (default: parlance)")
    .option(
      "--event <json>",
      "resume the task, which deferred itself or awaits input in the store, with this event",
    )
    .option(
      "--store <store>",
      "memory, or sqlite:FILE to keep Variables, Connections and XComs",
      "memory",
    )
    .option(
      "--seed-store <file>",
      "JSON with variables, connections and xcoms to put into the store first",
    )
    .addOption(
      new Option("--arg <name=json>", "an argument of the Python call (schema 2026-10-30)")
        .argParser((word: string, before: readonly string[] = []) => [...before, word])
        .default([], "none"),
    )
    .option("--conf <json>", "the run's configuration, a JSON object")
    .addOption(
      new Option("--param <name=json>", "a param of the Dag, over what --conf says")
        .argParser((word: string, before: readonly string[] = []) => [...before, word])
        .default([], "none"),
    )
    .option("--logical-date <date>", "of a new run: ISO 8601 with a zone, or none (default: now)")
    .option("--time-scale <x>", "whole Dag: waits are multiplied by this; 0: at once", timeScale)
    .option(
      "--parallel <n>",
      "whole Dag: so many tasks at once (default: the number of processors)",
      wholeNumber(1, 1_000),
    )
    .option("--rerun-failed", "whole Dag: run again what has failed in the run of --run-id")
    .addOption(
      new Option(
        "--schema-version <version>",
        "for an entry or a bare command (default: 2026-06-16; with --arg 2026-10-30)",
      ).choices(["2026-06-16", "2026-10-30"]),
    )
    .addOption(
      new Option(
        "--airflow <version>",
        "be the supervisor of this Airflow (default: of the one that the runtime is for)",
      ).choices(Object.keys(HEAD_VERSIONS)),
    )
    .option(
      "--startup-timeout <seconds>",
      "for both connections",
      waitSeconds({ mayBeZero: false }),
      10,
    )
    .option("--log-level <level>", "the child's AIRFLOW__LOGGING__LOGGING_LEVEL (default: INFO)")
    .option("--namespace-levels <levels>", "the child's AIRFLOW__LOGGING__NAMESPACE_LEVELS")
    .option("--inherit-env", "hand on the whole environment, not the allow-list")
    .option("--log-file <file>", "append all log records to this file, private to you")
    .addOption(
      new Option("--log-format <format>", "of that file: JSON lines, or text for people")
        .choices(["json", "text"])
        .default("json"),
    )
    .option("--trace", "print each frame to stderr, cut to one line, secrets masked")
    .option("--trace=full", "the same, not cut")
    .option("--inspect-brk", "stop at the first line for a debugger; no start-up time-out")
    .option(
      "--strict-airflow",
      "leave without an answer what Airflow leaves without one, and say what else it would do",
    )
    .option(
      "--results [url]",
      "store each task's outcome for Celery in this database (default: PARLANCE_RESULTS_URL)",
    )
    .option("--results-url-file <file>", "the same, the URL in a file, - for stdin")
    .option("--results-id <template>", "the task ids there", "{dag}/{run}/{task}")
    .addOption(
      new Option("--results-serializer <name>", "Celery's result_serializer")
        .choices(["json", "yaml", "msgpack"])
        .default("json"),
    )
    .option("--json", "print one JSON document; progress goes to stderr")
    .action(async (words: string[], flags: Flags, command: Command) => {
      const { runCommand } = await import("../run/run-command.ts");
      const argv = wordsBehindDashes(command);
      const target = argv.length > 0 ? words.slice(0, words.length - argv.length) : words;
      await runCommand(target, argv, readFlags(flags, argv), io);
    });
}

function readFlags(flags: Flags, argv: readonly string[]): RunOptions {
  if (argv.length > 0 && flags.task === undefined) {
    throw new CliError(
      "usage",
      "A bare command (-- ARGV…) needs --task. See --help.",
      ExitCode.usage,
    );
  }
  const ofOneTask =
    flags.event !== undefined ? "--event" : flags.mapIndex !== undefined ? "--map-index" : null;
  if (ofOneTask !== null && flags.task === undefined) {
    throw new CliError(
      "usage",
      `${ofOneTask} is about one task: give its --task. See --help.`,
      ExitCode.usage,
    );
  }
  return {
    dagId: flags.dag,
    taskId: flags.task,
    runId: flags.runId ?? `manual__${new Date().toISOString().replace("Z", "+00:00")}`,
    tryNumber: flags.tryNumber,
    shouldRetry: flags.shouldRetry === true,
    retries: flags.retries,
    mapIndex: flags.mapIndex ?? -1,
    dagFile: flags.dagFile,
    bundleName: flags.bundleName,
    event: flags.event,
    store: flags.store,
    seedStore: flags.seedStore,
    // Only the newer schema has a place for arguments.
    schemaVersion: flags.schemaVersion ?? (flags.arg.length > 0 ? "2026-10-30" : undefined),
    headVersion: flags.airflow && HEAD_VERSIONS[flags.airflow],
    args: flags.arg,
    conf: flags.conf,
    params: flags.param,
    logicalDate: flags.logicalDate,
    timeScale: flags.timeScale,
    parallel: flags.parallel,
    rerunFailed: flags.rerunFailed === true,
    startupTimeoutMs: flags.startupTimeout * 1000,
    logLevel: flags.logLevel,
    namespaceLevels: flags.namespaceLevels,
    inheritEnv: flags.inheritEnv === true,
    trace: flags["trace=full"] === true ? "full" : flags.trace === true ? "line" : "none",
    logFile: flags.logFile,
    logFormat: flags.logFormat,
    inspectBrk: flags.inspectBrk === true,
    strictAirflow: flags.strictAirflow === true,
    json: flags.json === true,
    results: readResults(flags),
  };
}

/** `--results` may stand alone, and then takes a word that follows for its URL. */
function readResults(flags: Flags): ResultsOptions | undefined {
  const { results, resultsUrlFile: urlFile } = flags;
  if (results === undefined && urlFile === undefined) return undefined;
  if (typeof results === "string" && !/^[a-z][a-z\d+._-]*:/i.test(results)) {
    throw new CliError(
      "usage",
      `--results got ${JSON.stringify(results)}, which is no URL. Give db+sqlite:///… or the like, ` +
        "or, to take PARLANCE_RESULTS_URL, put --results where no word follows it. See --help.",
      ExitCode.usage,
    );
  }
  return {
    url: typeof results === "string" ? results : undefined,
    urlFile,
    idTemplate: flags.resultsId,
    serializer: flags.resultsSerializer,
  };
}
