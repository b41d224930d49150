import { closeSync, readSync } from "node:fs";
import type { FilePath } from "../find/walk-files.ts";
import { openFile } from "../open-file.ts";
import { compressionOf } from "./compression.ts";
import type { Executable, ReadBytes } from "./executable.ts";
import { readElf } from "./read-elf.ts";
import { readMachO } from "./read-mach-o.ts";
import { readPe } from "./read-pe.ts";
import { readInterpreterLine } from "./read-script.ts";

const TEXT_CHECK_BYTES = 4096;

/**
 * Tells from its bytes what a file is: platform, architecture, bitness and dynamic loader of a
 * program, the interpreter of a script, compression, signature. Reads headers only, whatever the
 * size of the file.
 *
 * @param length - of the executable region, where the file is a bundle; default the whole file
 * @throws BundleError `cannot-read`, `not-a-file`
 */
export function readExecutable(path: FilePath, length?: number): Executable {
  const { fd, size } = openFile(path);
  try {
    return recognise(reader(fd, Math.min(length ?? size, size)), length ?? size);
  } finally {
    closeSync(fd);
  }
}

function reader(fd: number, limit: number): ReadBytes {
  return (offset, length) => {
    const wanted = Math.max(0, Math.min(length, limit - offset));
    if (!Number.isSafeInteger(offset) || wanted === 0) return Buffer.alloc(0);
    const bytes = Buffer.alloc(wanted);
    return bytes.subarray(0, readSync(fd, bytes, 0, wanted, offset));
  };
}

/** {@link readExecutable} for bytes that come from elsewhere. */
export function recognise(read: ReadBytes, size: number): Executable {
  const none = { builds: [], interpreterLine: null };
  const interpreterLine = readInterpreterLine(read);
  if (interpreterLine !== null) {
    return { format: "script", builds: [], interpreterLine, compression: null };
  }
  const compression = compressionOf(read, size);
  const elf = readElf(read);
  if (elf !== undefined) return { ...none, format: "elf", builds: [elf], compression };
  const machO = readMachO(read);
  if (machO !== undefined) return { ...none, format: "mach-o", builds: machO, compression };
  const pe = readPe(read);
  if (pe !== undefined) return { ...none, format: "pe", builds: [pe], compression };
  if (compression !== null) return { ...none, format: "compressed", compression };
  const format = isText(read(0, TEXT_CHECK_BYTES)) ? "text" : "unknown";
  return { ...none, format, compression: null };
}

/** Letters, blanks and line ends; what is cut off at the end of the piece is not minded. */
function isText(bytes: Buffer): boolean {
  if (bytes.length === 0) return false;
  const text = new TextDecoder().decode(bytes, { stream: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells data from text
  return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/.test(text);
}
