import { type Command, Option } from "commander";

/** How values are written on the command line and printed with `--json`. */
export const NOTATION_NOTE: string =
  "\nValues: JSON, read exactly (1.0 is a float, 1 an integer of any size). What JSON lacks is marked:\n" +
  '{"$":"int","v":"…"} beyond ±(2^53-1); {"$":"float","v":"nan"|"inf"|"-inf"}; {"$":"bytes","hex":"…"};\n' +
  '{"$":"datetime","iso":"…","aware":true|false}; {"$":"date","iso":"…"}; {"$":"time","iso":"…"};\n' +
  '{"$":"decimal","v":"1.50"}; {"$":"uuid","v":"…"}; {"$":"map","entries":[[key,value],…]} for keys that\n' +
  'are not text, or a text key "$". Celery\'s own tags, {"__type__","__value__"}, are read as the value\n' +
  "they stand for.";

/** Which store, and how its rows are written: the same for every command. */
export function addStoreOptions(command: Command): Command {
  return command
    .option(
      "--url <url>",
      "the store, e.g. db+sqlite:///results.db (default: PARLANCE_RESULTS_URL)",
    )
    .option("--url-file <file>", "a file with the URL, - for stdin; a password is best kept there")
    .addOption(
      new Option("--serializer <name>", "Celery's result_serializer")
        .choices(["json", "yaml", "msgpack"])
        .default("json"),
    )
    .option("--timezone <zone>", "Celery's timezone, where its rows are not UTC (an IANA name)")
    .option("--task-table <name>", "database_table_names, task")
    .option("--group-table <name>", "database_table_names, group")
    .option("--task-schema <name>", "database_table_schemas, task")
    .option("--group-schema <name>", "database_table_schemas, group");
}
