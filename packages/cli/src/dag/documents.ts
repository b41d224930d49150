import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { dagIdOf } from "./dag-id-of.ts";

/**
 * The serialised Dags of a program, in the order in which it gives them: of an entry or a bundle, which
 * is asked as Airflow's Dag processor asks; or of a file of JSON, with one Dag or a list of them.
 *
 * @param dagIds - those wanted; all when there are none
 * @throws CliError `cannot-read`, `bad-document`, `no-dags`, `no-such-dag`, `import-errors` (65), and what
 * starting the program throws
 */
export async function readDocuments(
  path: string,
  dagIds: readonly string[],
  io: CommandIo,
): Promise<readonly unknown[]> {
  const isJson = extname(path) === ".json";
  const documents = isJson ? await fromJson(path, io) : await fromProgram(path, io);
  if (documents.length === 0) {
    const message =
      `${path} has no Dag of its own: it registers tasks for a Dag in Python, and that is written by hand. ` +
      "Make one with dag() of @parlance/sdk-node.";
    throw new CliError("no-dags", message, ExitCode.badInput, { path });
  }
  if (dagIds.length === 0) return documents;
  const there = documents.map(dagIdOf);
  const missing = dagIds.filter((dagId) => !there.includes(dagId));
  if (missing.length > 0) {
    const message = `${path} has no Dag ${missing.join(", ")}; it has ${there.join(", ")}.`;
    throw new CliError("no-such-dag", message, ExitCode.badInput, { path, missing, dags: there });
  }
  return documents.filter((document) => dagIds.includes(dagIdOf(document)));
}

async function fromJson(path: string, io: CommandIo): Promise<readonly unknown[]> {
  let text: string;
  try {
    text = await readFile(resolve(io.cwd, path), "utf8");
  } catch (cause) {
    const message = `Cannot read ${path}: ${(cause as Error).message}`;
    throw new CliError("cannot-read", message, ExitCode.badInput, { path }, { cause });
  }
  try {
    const value = JSON.parse(text) as unknown;
    const documents = Array.isArray(value) ? (value as unknown[]) : [value];
    if (documents.every((document) => dagIdOf(document) !== "")) return documents;
  } catch {
    // said below
  }
  const message = `${path} is no serialised Dag, {"__version": 3, "dag": {…}}, nor a list of them.`;
  throw new CliError("bad-document", message, ExitCode.badInput, { path });
}

async function fromProgram(path: string, io: CommandIo): Promise<readonly unknown[]> {
  const [{ parseDagFile }, { resolveTarget }] = await Promise.all([
    import("@parlance/coordinator/dag-run"),
    import("../run/resolve-target.ts"),
  ]);
  const target = await resolveTarget(
    [path],
    [],
    { schemaVersion: undefined, inspectBrk: false },
    io,
  );
  try {
    const { argv, schemaVersion } = target;
    const parsed = await parseDagFile({ argv, schemaVersion, cwd: io.cwd, signal: io.signal });
    for (const warning of parsed.warnings) {
      const line = warningLine(warning);
      if (line !== undefined) io.stderr.write(`${escapeControls(line)}\n`);
    }
    if (parsed.importErrors.length > 0) {
      const messages = parsed.importErrors.map(({ message }) => message);
      const text = `${path} was asked for its Dags, as Airflow does it: ${messages.join("\n")}`;
      const details = { path, importErrors: parsed.importErrors };
      throw new CliError("import-errors", text, ExitCode.badInput, details);
    }
    return parsed.dags;
  } finally {
    await target.close();
  }
}

/** A warning of Airflow's form; undefined for that of a missing queue, which the stubs say themselves. */
function warningLine(warning: unknown): string | undefined {
  const { dag_id: dagId, warning_type: type, message } = (warning ?? {}) as Record<string, unknown>;
  if (type === "parlance:no-queue") return undefined;
  if (typeof message !== "string") return `warning: ${JSON.stringify(warning)}`;
  return `warning: ${typeof dagId === "string" ? `Dag ${dagId}: ` : ""}${message}`;
}
