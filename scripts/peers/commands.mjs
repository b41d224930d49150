// What the installers of peers share. Plain Node without dependencies.
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCaptured } from "../lib/capture.mjs";

export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
export const PEERS_FOLDER = join(REPOSITORY, ".peers");
const INSTALL_DEADLINE_MS = 15 * 60_000;

/** A peer that can't be had here, with a reason for people. */
export class MissingPeer extends Error {}

/** The machine that the prebuilt programs are for. */
export function requireLinuxX64(name) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new MissingPeer(
      `${name} is fetched for linux-x64 only, this is ${process.platform}-${process.arch}`,
    );
  }
}

/** As `run`; any other exit code than 0 is a MissingPeer. Gives stdout. */
export async function runOrMiss(command, args, complaint, options) {
  const { code, stdout, output } = await run(command, args, options);
  if (code !== 0) throw new MissingPeer(`${complaint}: ${tellingLines(output)}`);
  return stdout;
}

/** Unpacks every Debian package of a folder into `target`, without running its scripts. */
export async function unpackDebs(debs, target) {
  for (const deb of readdirSync(debs)) {
    await runOrMiss("dpkg-deb", ["-x", join(debs, deb), target], `${deb} could not be unpacked`);
  }
}

/** `code` is undefined when the command could not be started at all. */
export async function run(command, args, { cwd = REPOSITORY, env = {} } = {}) {
  const { code, signal, stdout, output } = await runCaptured(command, args, {
    cwd,
    env: { ...withoutActiveEnvironment(), ...env },
    timeoutMs: INSTALL_DEADLINE_MS,
  });
  if (code === undefined) return { code, stdout, output };
  const how = signal === null ? "" : `\nended by ${signal}`;
  return { code: code ?? 1, stdout, output: `${output}${how}` };
}

/** An activated virtual environment of the caller must not be mistaken for ours. */
function withoutActiveEnvironment() {
  const env = { ...process.env };
  const active = env.VIRTUAL_ENV;
  for (const name of ["VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH", "UV_PROJECT_ENVIRONMENT"])
    delete env[name];
  if (active !== undefined) {
    const parts = (env.PATH ?? "").split(delimiter);
    env.PATH = parts.filter((part) => part !== join(active, "bin")).join(delimiter);
  }
  return env;
}

/** The lines that say what went wrong: the first errors, else the end. */
export function tellingLines(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /error.{8}/i.test(line)).slice(0, 3);
  return (errors.length > 0 ? errors : lines.slice(-3)).join(" / ").slice(0, 400) || "no output";
}
