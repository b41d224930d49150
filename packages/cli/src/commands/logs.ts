import type { Command } from "commander";
import type { CommandIo } from "../io.ts";

/** Adds `parlance logs filter`. */
export function registerLogs(program: Command, io: CommandIo): void {
  const logs = program.command("logs").description("log records as a runtime sends them");
  logs
    .command("filter")
    .description("NDJSON log records on stdin -> those that a runtime would send, unchanged")
    .option("--level <level>", "value of AIRFLOW__LOGGING__LOGGING_LEVEL; absent means INFO")
    .option(
      "--namespace-levels <list>",
      "value of AIRFLOW__LOGGING__NAMESPACE_LEVELS: logger=level pairs",
    )
    .option("--json", "accepted; the output is JSON in any case")
    .action(async (options: { level?: string; namespaceLevels?: string }) => {
      const { filterLogs } = await import("../logs/filter-logs.ts");
      await filterLogs(io, options);
    });
}
