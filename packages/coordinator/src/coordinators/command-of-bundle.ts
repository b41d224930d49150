import type { FoundBundle, NoBundle } from "@parlance/bundle";
import { isSchemaVersion } from "@parlance/protocol";
import { type TaskCommand, TaskCommandError } from "./task-command.ts";

/** Rejected candidates that the message names; the task's log has them all. */
const MAX_NAMED = 5;

/**
 * The command that runs a bundle that was found.
 *
 * @throws TaskCommandError `bundle-not-found`, with what was passed over and why
 */
export function commandOfBundle(
  { path, schemaVersion, rejected }: FoundBundle | NoBundle,
  search: {
    readonly what: string;
    readonly roots: readonly string[];
    readonly dagId: string;
    /** Words before the bundle's path. */
    readonly prefix?: readonly string[];
  },
): TaskCommand {
  const { what, roots, dagId, prefix = [] } = search;
  if (path !== null && isSchemaVersion(schemaVersion)) {
    return { argv: [...prefix, path], schemaVersion };
  }
  const named = rejected.slice(0, MAX_NAMED).map((one) => `${one.path}: ${one.reason}`);
  const more = rejected.length > MAX_NAMED ? ` (and ${rejected.length - MAX_NAMED} more)` : "";
  const passedOver = named.length === 0 ? "" : `; passed over: ${named.join("; ")}${more}`;
  throw new TaskCommandError(
    "bundle-not-found",
    `no ${what} under ${roots.join(", ")} names the Dag ${JSON.stringify(dagId)}${passedOver}`,
    { rejected },
  );
}
