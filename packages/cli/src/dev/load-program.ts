import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  DagReadError,
  type ParsedDagFile,
  parseDagFile,
  type RunnableDag,
  readSerializedDag,
} from "@parlance/coordinator/dag-run";
import type { LoadedProgram } from "@parlance/dev";
import type { CommandIo } from "../io.ts";
import { type RunTarget, resolveTarget, type TargetOptions } from "../run/resolve-target.ts";

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
    const { dags, problems } = readDags(parsed, target);
    const native = new Set(dags.map(({ dagId }) => dagId));
    const plainTasks = new Map([...(target.dags ?? [])].filter(([dagId]) => !native.has(dagId)));
    const program = { argv, schemaVersion, dags, plainTasks, loadedAt: new Date() };
    return { target, program, problems, fingerprint };
  } catch (error) {
    await target.close();
    throw error;
  }
}

function readDags(
  parsed: ParsedDagFile,
  target: RunTarget,
): { readonly dags: RunnableDag[]; readonly problems: string[] } {
  const dags: RunnableDag[] = [];
  const hasPlain = (target.dags?.size ?? 0) > 0;
  // A runtime that knows no Dags of its own says nothing, and has told its tasks in its bundle.
  const told = parsed.importErrors.filter(({ code }) => code === "reported" || !hasPlain);
  const problems = told.map(({ message }) => message);
  for (const document of parsed.dags) {
    try {
      dags.push(readSerializedDag(document));
    } catch (error) {
      if (!(error instanceof DagReadError)) throw error;
      problems.push(error.message);
    }
  }
  return { dags, problems };
}

/** The program is the last word of the command that is a file. */
async function fingerprintOf({ argv }: RunTarget): Promise<string> {
  const text = await readFile(argv.at(-1) ?? "");
  return createHash("sha256").update(text).digest("hex");
}
