import { fileURLToPath } from "node:url";
import type { ConformanceCase } from "../case/case-types.ts";

const RESPELL = fileURLToPath(new URL("respell-address.js", import.meta.url));

/**
 * The command that starts a runtime with addresses in another form: a small program of ours takes `--comm` and `--logs`,
 * and starts it with the same sockets spelled as asked.
 */
export function addressArgv(
  argv: readonly string[],
  address: ConformanceCase["address"],
): readonly string[] {
  return address === "ipv4" ? argv : [process.execPath, RESPELL, address, ...argv];
}
