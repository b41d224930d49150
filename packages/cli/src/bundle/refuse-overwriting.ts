import { statSync } from "node:fs";
import { BundleError } from "@parlance/bundle";

/**
 * Refuses an output that is one of the files it is made of, also through links.
 *
 * @throws BundleError `same-file`
 */
export function refuseOverwriting(out: string, inputs: readonly string[]): void {
  const target = identityOf(out);
  if (target === undefined) return;
  for (const input of inputs) {
    if (identityOf(input) !== target) continue;
    throw new BundleError("same-file", `${out} is one of the inputs (${input}).`, { path: out });
  }
}

/** Undefined for what can't be looked at: reading or writing it will say why. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
