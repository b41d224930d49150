import { resolve } from "node:path";
import { BundleError, type BundleProblem, verifyBundle } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol/schema-version";
import { ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";

interface Verdict {
  readonly path: string;
  readonly verified: boolean;
  readonly faults: readonly BundleProblem[];
  readonly warnings: readonly BundleProblem[];
}

/** Prints one line a fault; exit code 1 if there is any. */
export async function verifyCommand(
  files: readonly string[],
  options: { readonly strict?: boolean; readonly json?: boolean },
  io: CommandIo,
): Promise<void> {
  const verdicts: Verdict[] = [];
  for (const file of files) verdicts.push(await verdictOn(file, options.strict === true, io.cwd));
  if (verdicts.some(({ faults }) => faults.length > 0)) io.setExitCode(ExitCode.failed);
  if (options.json === true) {
    const bare = ({ code, message }: BundleProblem): unknown => ({ code, message });
    const printed = verdicts.map((verdict) => ({
      ...verdict,
      faults: verdict.faults.map(bare),
      warnings: verdict.warnings.map(bare),
    }));
    return writeJson(io.stdout, { files: printed });
  }
  for (const { path, faults, warnings } of verdicts) {
    for (const fault of faults) await write(io.stdout, `${line(path, fault)}\n`);
    for (const one of warnings) await write(io.stderr, `warning: ${line(path, one)}\n`);
  }
}

async function verdictOn(path: string, strict: boolean, cwd: string): Promise<Verdict> {
  try {
    const found = await verifyBundle(resolve(cwd, path), { knownSchemaVersions: SCHEMA_VERSIONS });
    const { faults, warnings } = found;
    if (!strict) return { path, ...found };
    const all = [...faults, ...warnings];
    return { path, verified: all.length === 0, faults: all, warnings: [] };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const fault = { code: error.code, message: error.message, fault: true };
    return { path, verified: false, faults: [fault], warnings: [] };
  }
}

function line(path: string, { code, message }: BundleProblem): string {
  return escapeControls(`${path}: [${code}] ${message}`);
}
