import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  MemoryTaskStore,
  openSqliteTaskStore,
  seedStore,
  type TaskStore,
} from "@parlance/coordinator";
import { CliError, ExitCode } from "../errors.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * Opens `memory` or `sqlite:FILE` and fills it from a seed file. An XCom in it that names no Dag
 * or run belongs to the ones that are run.
 *
 * @throws CliError `usage` (2), `cannot-read` and `bad-seed` (65), the store's own codes (65)
 */
export async function openStore(
  options: Pick<RunOptions, "store" | "seedStore" | "dagId" | "runId">,
  cwd: string,
): Promise<TaskStore> {
  const { store: spec, seedStore: seedFile, dagId, runId } = options;
  const seed = seedFile === undefined ? undefined : await readSeed(seedFile, cwd);
  const store = await open(spec, cwd);
  try {
    if (seed !== undefined) await seedStore(store, seed, { dagId, runId });
    return store;
  } catch (error) {
    await store.close();
    throw asCliError(error, seedFile ?? spec);
  }
}

async function open(spec: string, cwd: string): Promise<TaskStore> {
  if (spec === "memory") return new MemoryTaskStore();
  const file = /^sqlite:(.+)$/.exec(spec)?.[1];
  if (file === undefined) {
    throw new CliError(
      "usage",
      `--store got ${JSON.stringify(spec)}; it takes memory or sqlite:FILE.`,
      ExitCode.usage,
    );
  }
  try {
    return await openSqliteTaskStore(resolve(cwd, file));
  } catch (error) {
    throw asCliError(error, spec);
  }
}

async function readSeed(file: string, cwd: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), "utf8");
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(
      "cannot-read",
      `Cannot read --seed-store ${file}: ${message}.`,
      ExitCode.badInput,
      { path: resolve(cwd, file) },
      { cause },
    );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(
      "bad-seed",
      `--seed-store ${file} is not JSON: ${reasonOf(cause as Error)}.`,
      ExitCode.badInput,
      { path: resolve(cwd, file) },
    );
  }
}

/** Without the piece of the text that some messages of Node quote: a seed holds passwords. */
function reasonOf({ message }: Error): string {
  return message.replace(/, (?:\.\.\.)?".*/s, "");
}

function asCliError(error: unknown, what: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (error instanceof CliError || typeof code !== "string") return error;
  return new CliError(code, `${what}: ${message}`, ExitCode.badInput, {}, { cause: error });
}
