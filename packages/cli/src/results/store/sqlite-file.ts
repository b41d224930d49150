import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { parseResultsUrl } from "@parlance/results";

/**
 * Whether a URL names a SQLite file that is not there, though its folder is. Opening it would make
 * one.
 */
export function isAbsentFile(url: string): boolean {
  const { dialect, database } = parseResultsUrl(url);
  if (dialect !== "sqlite" || database === undefined) return false;
  if (database.startsWith("file:")) return false;
  try {
    return statOf(database) === undefined && statOf(dirname(database))?.isDirectory() === true;
  } catch {
    return false; // Nobody may look there: whoever opens it says so.
  }
}

/** Whether a URL names a SQLite database in memory: what is stored there is gone with the command. */
export function isInMemory(url: string): boolean {
  const { dialect, database = ":memory:" } = parseResultsUrl(url);
  return dialect === "sqlite" && database === ":memory:";
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
