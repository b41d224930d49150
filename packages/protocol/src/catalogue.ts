import { CHANNELS } from "./generated/catalogue.ts";
import type { SchemaVersion } from "./schema-version.ts";
import type { Direction } from "./wire-values.ts";

type Names = { readonly [D in Direction]: readonly string[] };

/**
 * Message names by schema version and direction, sorted: those of the task channel and, for
 * bundles that the Dag processor of 3.4 asks to parse themselves, those of the Dag-parse
 * channel. `CHANNELS` keeps the two apart. `CreateHITLDetailPayload` goes both ways.
 */
export const CATALOGUE: { readonly [V in SchemaVersion]: Names } = {
  "2026-06-16": namesOf("2026-06-16"),
  "2026-10-30": namesOf("2026-10-30"),
};

function namesOf(version: SchemaVersion): Names {
  const all = (direction: Direction): readonly string[] => {
    const { task, "dag-parse": parse } = CHANNELS[version];
    return [...new Set<string>([...task[direction], ...parse[direction]])].sort();
  };
  return { "to-supervisor": all("to-supervisor"), "to-task": all("to-task") };
}
