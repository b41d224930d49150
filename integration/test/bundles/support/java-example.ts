import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "@parlance/test-kit";

/** The Java program that users copy. */
export const JAVA_EXAMPLE: string = fileURLToPath(
  new URL("../../../../examples/runtimes/java/", import.meta.url),
);

/** A copy of the example, as it is checked out. */
export function copyJavaExample(): string {
  const folder = join(temporaryFolder("parlance-java"), "java");
  cpSync(JAVA_EXAMPLE, folder, { recursive: true, filter: (path) => !/\/target$/.test(path) });
  return folder;
}

/**
 * Builds the example (Dag `stock`, tasks `count` and `order`) with Maven: about 5 s.
 *
 * @param settings - the peer `maven`
 * @returns the folder of its jars: a `jarsRoot`
 */
export async function buildJavaExample(settings: string): Promise<string> {
  const folder = copyJavaExample();
  const args = ["--batch-mode", "--quiet", "--settings", settings, "package"];
  await promisify(execFile)("mvn", args, { cwd: folder });
  return join(folder, "target/jars");
}
