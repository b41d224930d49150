import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BundleSource, formatNodeBundle, packNodeBundle } from "@parlance/bundle";
import type { BundledEntry } from "../build/bundle-entry.ts";
import type { Prepared, PrepareOptions, WriteOptions } from "../format.ts";
import { nodeProgram } from "./node-program.ts";

/** An ES module that Airflow 3.4's NodeCoordinator gives to `node`. */
export async function prepareNodeBundle(
  bundled: BundledEntry,
  { folder }: PrepareOptions,
): Promise<Prepared> {
  const file = join(folder, "program.mjs");
  await writeFile(file, nodeProgram(bundled, 0));
  return {
    argv: [process.execPath, file],
    async write(options) {
      const { kept, warnings } = keepSources(options);
      const { sources: _, ...metadata } = options.metadata; // places in another kind of bundle
      const parts = { ...options, metadata, sources: kept };
      // The map of the program counts what stands before it, which does not depend on the program.
      const { linesBefore } = formatNodeBundle({ ...parts, code: " " });
      const { size } = await packNodeBundle({ ...parts, code: nodeProgram(bundled, linesBefore) });
      return { size, warnings };
    },
  };
}

/** The layout has room for some 25 sources, and none for an empty one: the entry goes first. */
function keepSources({ metadata, sources }: WriteOptions): {
  readonly kept: readonly BundleSource[];
  readonly warnings: readonly string[];
} {
  const entrypoint = metadata["entrypoint_path"];
  const ordered = [
    ...sources.filter(({ path }) => path === entrypoint),
    ...sources.filter(({ path }) => path !== entrypoint),
  ];
  const kept: BundleSource[] = [];
  const left: string[] = [];
  for (const source of ordered) {
    if (fits([...kept, source])) kept.push(source);
    else left.push(source.path);
  }
  if (left.length === 0) return { kept, warnings: [] };
  const names = left.slice(0, 5).join(", ") + (left.length > 5 ? ", …" : "");
  const warning = `${left.length} of ${sources.length} source files are not in the bundle, which has room for 4 KB of their names and places, 1 MiB each, and no empty ones: ${names}`;
  return { kept, warnings: [warning] };
}

function fits(sources: readonly BundleSource[]): boolean {
  try {
    formatNodeBundle({ code: " ", metadata: {}, sources });
    return true;
  } catch {
    return false;
  }
}
