import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Warns of `emitDecoratorMetadata`: esbuild reads no types, so it can't emit them, and says nothing.
 * What the tsconfig.json extends is not looked at.
 */
export async function decoratorWarnings(entry: string): Promise<string[]> {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, "tsconfig.json"), "utf8").catch(() => undefined);
    if (text !== undefined || dirname(folder) === folder) {
      if (!/^[^/\n]*"emitDecoratorMetadata"\s*:\s*true/m.test(text ?? "")) return [];
      return [
        "tsconfig.json has emitDecoratorMetadata, which the bundle does not have: compile with tsc first and pack its output, or do without Reflect.getMetadata.",
      ];
    }
  }
}
