import {
  CATALOGUE,
  DEFAULT_SCHEMA_VERSION,
  SCHEMA_VERSIONS,
  type SchemaVersion,
} from "@parlance/protocol";
import { type CommandIo, write, writeJson } from "../io.ts";
import { columns } from "./columns.ts";

/** Which Airflow speaks a version to its runtimes (3.4 as of its second beta). */
const AIRFLOW: { readonly [V in SchemaVersion]: readonly string[] } = {
  "2026-06-16": ["3.3", "3.4"],
  "2026-10-30": ["3.4"],
};

/** Prints the versions that are known, oldest first. */
export async function versionsCommand(
  options: { readonly json?: boolean },
  io: CommandIo,
): Promise<void> {
  const versions = SCHEMA_VERSIONS.map((version) => ({
    version,
    airflow: AIRFLOW[version],
    default: version === DEFAULT_SCHEMA_VERSION,
    messages: {
      "to-supervisor": CATALOGUE[version]["to-supervisor"],
      "to-task": CATALOGUE[version]["to-task"],
    },
  }));
  if (options.json === true) {
    await writeJson(io.stdout, { versions });
    return;
  }
  const heads = ["VERSION", "AIRFLOW", "TO SUPERVISOR", "TO TASK", ""];
  const rows = versions.map((each) => [
    each.version,
    each.airflow.join(", "),
    `${each.messages["to-supervisor"].length} messages`,
    `${each.messages["to-task"].length} messages`,
    each.default ? "what `parlance pack` declares unless told otherwise" : "",
  ]);
  await write(io.stdout, columns([heads, ...rows]));
}
