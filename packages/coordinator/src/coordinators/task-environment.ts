import { types } from "node:util";
import type { ExecuteTaskRequest } from "./base-coordinator.ts";
import { TaskCommandError } from "./task-command.ts";

/** Variables by name; undefined removes one. */
export interface TaskVariables {
  readonly [name: string]: string | undefined;
}

/** Gives variables for one attempt; see `SubprocessCoordinatorOptions.environment`. */
export type EnvironmentHook = (
  request: ExecuteTaskRequest,
) => TaskVariables | undefined | Promise<TaskVariables | undefined>;

/**
 * Asks the hook, and refuses what no environment can hold before the system does so without a name.
 *
 * @throws TaskCommandError `environment-failed`; the message never shows a value
 */
export async function askEnvironmentHook(
  hook: EnvironmentHook,
  request: ExecuteTaskRequest,
): Promise<TaskVariables> {
  let given: unknown;
  try {
    given = (await hook(request)) ?? {};
  } catch (cause) {
    if (cause instanceof TaskCommandError) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new TaskCommandError("environment-failed", `environment(): ${said}`, {}, { cause });
  }
  if (typeof given !== "object" || given === null || Array.isArray(given) || types.isMap(given)) {
    throw refused(`gave ${describe(given)}; expected an object of names and texts`);
  }
  const variables = given as TaskVariables;
  for (const [name, value] of Object.entries(variables)) {
    checkVariable(name, value);
  }
  return variables;
}

function checkVariable(name: string, value: unknown): void {
  const shown = JSON.stringify(name);
  if (name === "" || name.includes("=") || name.includes("\0")) {
    throw refused(`gave the name ${shown}; a name has no "=" and no U+0000, and is not empty`);
  }
  if (value === undefined) return;
  if (typeof value !== "string") {
    throw refused(`gave ${describe(value)} for ${shown}; expected text, or undefined to remove it`);
  }
  if (value.includes("\0")) {
    throw refused(`gave a text with U+0000 for ${shown}; no environment can hold it`);
  }
}

function refused(what: string): TaskCommandError {
  return new TaskCommandError("environment-failed", `environment() ${what}`);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object"
    ? `a ${value.constructor?.name ?? "object"}`
    : `a ${typeof value}`;
}
