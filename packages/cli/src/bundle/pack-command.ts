import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { BundleError, type BundleSource, joinSources, packBundle } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { prepareMetadata } from "./prepare-metadata.ts";
import { refuseOverwriting } from "./refuse-overwriting.ts";
import { withBundleErrors } from "./with-bundle-errors.ts";

/** Flags of `parlance bundle pack`; paths as they were typed. */
export interface PackCommandOptions {
  readonly executable: string;
  readonly metadata: string;
  readonly source: readonly string[];
  readonly out: string;
  readonly json?: boolean;
}

/** Packs an executable with metadata and source from files. */
export async function packCommand(options: PackCommandOptions, io: CommandIo): Promise<void> {
  await withBundleErrors(io, async () => {
    const out = resolve(io.cwd, options.out);
    const inputs = [options.metadata, ...options.source].map((file) => resolve(io.cwd, file));
    refuseOverwriting(out, inputs); // the executable is checked by packBundle itself
    const [metadataBytes, ...contents] = inputs.map(readInput);
    const sources = contents.map((data, at): BundleSource => {
      return { path: basename(options.source[at] as string), data };
    });
    const prepared = prepareMetadata(metadataBytes as Buffer, sources, SCHEMA_VERSIONS);
    const packed = await packBundle({
      executable: resolve(io.cwd, options.executable),
      metadata: prepared.bytes,
      sources: joinSources(sources),
      out: options.out.endsWith("/") ? `${out}/` : out,
      signal: io.signal,
    });
    for (const note of prepared.notes) {
      await write(io.stderr, `${escapeControls(`${options.metadata}: ${note}`)}\n`);
    }
    const { path, size, footer, regions } = packed;
    if (options.json === true) await writeJson(io.stdout, { path, size, footer, regions });
    else await write(io.stdout, `Packed ${escapeControls(options.out)} (${size} bytes)\n`);
  });
}

function readInput(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new BundleError("cannot-read", `Can't read ${path}: ${(cause as Error).message}`, {
      cause,
      path,
    });
  }
}
