import { join } from "node:path";
import { packBundle } from "@parlance/bundle";
import type { BundledEntry } from "../build/bundle-entry.ts";
import type { Prepared, PrepareOptions } from "../format.ts";
import { makeSea, SEA_PROGRAM } from "./make-sea.ts";
import { readNodeBinary } from "./node-binary.ts";
import { seaProgram } from "./sea-program.ts";

/** A Node.js that carries the program. */
export async function prepareSea(
  bundled: BundledEntry,
  { folder, nodeBinary, io, progress }: PrepareOptions,
): Promise<Prepared> {
  const node = await readNodeBinary(nodeBinary, io);
  const { env, signal } = io;
  const executable = await makeSea(seaProgram(bundled), node, { folder, env, signal, progress });
  return {
    argv: node.runsHere ? [executable] : [process.execPath, join(folder, SEA_PROGRAM)],
    nodeVersion: node.version,
    async write(options) {
      progress("writing the bundle");
      const { size } = await packBundle({ executable, ...options });
      return { size, warnings: [] };
    },
  };
}
