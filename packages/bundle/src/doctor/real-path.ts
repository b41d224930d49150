import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import type { FilePath } from "../find/walk-files.ts";

/** The path with its links resolved; as it is, for what has gone. */
export function realPathOf(path: FilePath): FilePath {
  try {
    const bytes = realpathSync.native(path, "buffer");
    return isUtf8(bytes) ? bytes.toString() : bytes;
  } catch {
    return path;
  }
}
