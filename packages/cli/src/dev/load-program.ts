import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseDagFile } from "@parlance/coordinator/dag-run";
import type { LoadedProgram } from "@parlance/dev";
import type { CommandIo } from "../io.ts";
import { type RunTarget, resolveTarget, type TargetOptions } from "../run/resolve-target.ts";
import { readDags } from "./read-dags.ts";

/** A program that was asked for its Dags. */
export interface LoadedCode {
  readonly target: RunTarget;
  readonly program: LoadedProgram;
  /** What is wrong with some of its Dags; empty for nothing. */
  readonly problems: readonly string[];
  /** Tells two programs apart. */
  readonly fingerprint: string;
}

/**
 * Builds an entry, or opens a bundle, and asks it for its Dags.
 *
 * @param known - fingerprint of the program that is loaded: the same one is not asked again
 * @returns undefined for that one
 * @throws CliError where it does not build, or does not start
 */
export async function loadProgram(
  path: string,
  options: TargetOptions,
  io: CommandIo,
  known: string | undefined,
): Promise<LoadedCode | undefined> {
  const target = await resolveTarget([path], [], options, io);
  try {
    const fingerprint = await fingerprintOf(target);
    if (fingerprint === known) {
      await target.close();
      return undefined;
    }
    const { argv, schemaVersion } = target;
    const parsed = await parseDagFile({ argv, schemaVersion, cwd: io.cwd, signal: io.signal });
    const { dags, plainTasks, problems } = readDags(parsed, target.dags ?? new Map());
    const program = { argv, schemaVersion, dags, plainTasks, loadedAt: new Date() };
    return { target, program, problems, fingerprint };
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** The program is the last word of the command that is a file. */
async function fingerprintOf({ argv }: RunTarget): Promise<string> {
  const text = await readFile(argv.at(-1) ?? "");
  return createHash("sha256").update(text).digest("hex");
}
