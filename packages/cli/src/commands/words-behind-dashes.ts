import type { Command } from "commander";

/** The words after `--`: commander hands them over as operands and forgets the `--`. */
export function wordsBehindDashes(command: Command): readonly string[] {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const raw = (root as Command & { rawArgs: string[] }).rawArgs;
  const at = raw.indexOf("--");
  return at === -1 ? [] : raw.slice(at + 1);
}
