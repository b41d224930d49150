// A command of the machine with settings of ours, as a script of the same name.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MissingPeer, run } from "./commands.mjs";

/** Where a command of the machine lies; a MissingPeer when it has none. */
export async function findCommand(name) {
  const { code, stdout } = await run("sh", ["-c", `command -v ${name}`]);
  if (code !== 0) throw new MissingPeer(`there is no ${name} on this machine`);
  return stdout.trim();
}

/**
 * Writes `bin/NAME` of a peer's folder.
 *
 * @param {string} command as findCommand gave it
 * @param {{ env?: Record<string, string>, args?: readonly string[] }} settings
 */
export function writeLauncher(folder, name, command, { env = {}, args = [] }) {
  // The folder may be brought along to another checkout.
  const here = 'here=$(cd "$(dirname "$0")/.." && pwd)';
  const word = (text) => text.split(folder).map(quote).join('"$here"');
  const exports = Object.entries(env).map(([key, value]) => `export ${key}=${word(value)}`);
  const line = ["exec", ...[command, ...args].map(word), '"$@"'].join(" ");
  mkdirSync(join(folder, "bin"));
  const script = ["#!/bin/sh", here, ...exports, line, ""].join("\n");
  writeFileSync(join(folder, "bin", name), script, { mode: 0o755 });
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
