import { writeSync } from "node:fs";

/** Writes all of it to stderr before it returns, as far as somebody reads. Never throws. */
export function writeStderrSync(bytes: Uint8Array): void {
  for (let offset = 0, tries = 0; offset < bytes.length && tries < 1000; ) {
    try {
      offset += writeSync(2, bytes, offset);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return; // nobody is left to tell
      tries += 1;
    }
  }
}
