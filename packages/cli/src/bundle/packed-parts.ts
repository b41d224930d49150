import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import {
  BundleError,
  type BundleReport,
  type BundleSource,
  joinSources,
  readBundle,
} from "@parlance/bundle";
import { CliError, ExitCode } from "../errors.ts";
import { readInput, readSourceFiles } from "./read-source-files.ts";

/** The bundle that is packed again; its digest may be wrong, its regions must be clear. */
export async function readOld(path: string): Promise<BundleReport> {
  const report = await readBundle(path);
  if (report.regions !== null) return report;
  const [problem] = report.problems;
  const why =
    report.format === "node"
      ? "it is a Node bundle, which parlance pack --format node writes"
      : report.problems.map(({ message }) => message).join(" ");
  const code = report.format === "node" ? "bad-layout" : (problem?.code ?? "no-footer");
  const message = `${path} can't be packed again: ${why}`;
  throw new CliError(code, message, ExitCode.badInput, { path });
}

/** What is packed with the executable. */
export interface PackedParts {
  readonly given: Uint8Array;
  readonly sources: readonly BundleSource[];
  readonly region: Uint8Array;
}

/** What is not given anew is taken from the bundle. */
export function partsOf(
  options: { readonly metadata?: string; readonly source: readonly string[] },
  executable: string,
  old: BundleReport | undefined,
  cwd: string,
): PackedParts {
  const regions = old?.regions ?? undefined;
  const given =
    options.metadata !== undefined
      ? readInput(resolve(cwd, options.metadata))
      : readRegion(executable, regions?.metadata);
  const sources = readSourceFiles(options.source, cwd);
  if (sources.length > 0) return { given, sources, region: joinSources(sources) };
  return { given, sources, region: readRegion(executable, regions?.source) };
}

/** @throws BundleError `changed` when the file is shorter than it was */
export function readRegion(
  path: string,
  region: { readonly offset: number; readonly length: number } | undefined,
): Buffer {
  if (region === undefined) return Buffer.alloc(0);
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(region.length);
    let done = 0;
    while (done < bytes.length) {
      const got = readSync(fd, bytes, done, bytes.length - done, region.offset + done);
      if (got === 0)
        throw new BundleError("changed", `${path} changed while it was read.`, { path });
      done += got;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}
