import { chmod, copyFile, mkdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { metadataToJson, readBundle } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol/schema-version";
import type { RuntimeUnderTest } from "./run-case.ts";

/** The file that is the runtime's bundle: the one that was named, else the last word of its command that is one. */
export async function findOwnBundle({
  argv,
  cwd = process.cwd(),
  bundle,
}: RuntimeUnderTest): Promise<string | undefined> {
  for (const word of bundle === undefined ? argv.toReversed() : [bundle]) {
    const path = resolve(cwd, word);
    if (!(await isFile(path))) continue;
    const { format } = await readBundle(path);
    if (format !== null) return path;
  }
  return undefined;
}

/** What the bundle of a runtime says of itself: `{format, verified, problems, metadata}`. */
export async function readOwnBundle(runtime: RuntimeUnderTest): Promise<unknown> {
  const path = await findOwnBundle(runtime);
  if (path === undefined) return null;
  const report = await readBundle(path, { knownSchemaVersions: SCHEMA_VERSIONS });
  const { format, verified, problems, metadata } = report;
  return {
    format,
    verified,
    problems: problems.map(({ code }) => code),
    metadata: metadata === null ? null : metadataToJson(metadata),
  };
}

/** The same runtime, with nothing beside its bundle: a copy of it in an empty folder, which it also works in. */
export async function isolate(
  runtime: RuntimeUnderTest,
  folder: string,
): Promise<RuntimeUnderTest> {
  await mkdir(folder);
  const path = await findOwnBundle(runtime);
  if (path === undefined) return runtime;
  const copy = join(folder, basename(path));
  await copyFile(path, copy);
  await chmod(copy, (await stat(path)).mode);
  const { cwd = process.cwd(), argv } = runtime;
  const isIt = (word: string): boolean => resolve(cwd, word) === path;
  const bundle = runtime.bundle === undefined ? undefined : copy;
  return { ...runtime, argv: argv.map((word) => (isIt(word) ? copy : word)), bundle, cwd: folder };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
