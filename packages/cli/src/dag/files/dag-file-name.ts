import { createHash } from "node:crypto";

/** With the suffix and some room, below what file systems take (255 bytes). */
const MAX_BYTES = 200;
/** Modules that a Dag file imports: one of these names beside it would be imported in their place. */
const MODULES = new Set(["airflow", "pendulum", "datetime"]);

/**
 * What the file of a Dag is called: its id, where that is a name on every system; else as much of it
 * as is, with a mark of the whole.
 */
export function dagFileName(dagId: string): string {
  const bare = dagId.replace(/[^A-Za-z0-9_.-]/g, "_").replace(/^[.-]/, "_");
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(bare);
  const isSafe = bare === dagId && bare.length <= MAX_BYTES && !MODULES.has(bare) && !isReserved;
  if (isSafe) return `${bare}.py`;
  const mark = createHash("sha256").update(dagId).digest("hex").slice(0, 8);
  return `${bare.slice(0, MAX_BYTES)}-${mark}.py`;
}
