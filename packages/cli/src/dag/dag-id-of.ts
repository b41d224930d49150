import { mapOf } from "./read/json.ts";

/** The id in a serialised Dag; empty for what is none. */
export function dagIdOf(document: unknown): string {
  const { dag_id: dagId } = mapOf(mapOf(document)["dag"]);
  return typeof dagId === "string" ? dagId : "";
}
