import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packBundle } from "@parlance/bundle";
import type { BundledEntry } from "../build/bundle-entry.ts";
import type { Prepared, PrepareOptions } from "../format.ts";
import { executableScript } from "./executable-script.ts";

/** A script that a shell starts with the `node` on the worker's PATH. */
export async function prepareExecutable(
  bundled: BundledEntry,
  { folder, nodeFlags }: PrepareOptions,
): Promise<Prepared> {
  const executable = join(folder, "program");
  await writeFile(executable, executableScript(bundled, nodeFlags), { mode: 0o755 });
  return {
    argv: ["/bin/sh", executable], // not by itself: the folder for temporary files may be `noexec`
    async write(options) {
      const { size } = await packBundle({ executable, ...options });
      return { size, warnings: [] };
    },
  };
}
