import type { SchemaVersion } from "@parlance/protocol";
import { CliError, ExitCode } from "../errors.ts";
import { readNodeFlags } from "./executable/node-flags.ts";

/** What a bundle can be; see `parlance pack --help`. */
export type PackFormat = "executable" | "sea" | "node";

/** Flags of `parlance pack`. */
export interface PackEntryOptions {
  readonly out: string;
  readonly format: PackFormat;
  readonly schemaVersion: SchemaVersion;
  /** Embed the project's source files. */
  readonly source?: boolean;
  readonly minify?: boolean;
  /** For `executable`: flags for node, a word each. */
  readonly nodeFlag?: readonly string[];
  /** The same, as NODE_OPTIONS has them. */
  readonly nodeOptions?: string;
  /** For `sea`: the Node.js that carries the program. */
  readonly nodeBinary?: string;
}

/** What `parlance pack --json` prints. */
export interface PackResult {
  readonly path: string;
  readonly format: PackFormat;
  readonly schemaVersion: SchemaVersion;
  readonly bytes: number;
  readonly dags: Readonly<Record<string, { readonly tasks: readonly string[] }>>;
  /** Of a single executable: the version of Node.js in it. */
  readonly nodeVersion?: string;
  /** What may go wrong later, each a line. */
  readonly warnings: readonly string[];
}

/** The end of a name that Airflow's NodeCoordinator looks at. */
const NODE_BUNDLE_SUFFIX = ".min.mjs";

/**
 * Holds the flags against the format.
 *
 * @returns the flags for node
 * @throws CliError `usage`, `bad-node-flag`, `bad-name` (2)
 */
export function checkPackOptions(options: PackEntryOptions): readonly string[] {
  const { format, out } = options;
  const nodeFlags = readNodeFlags(options.nodeFlag, options.nodeOptions);
  if (nodeFlags.length > 0 && format === "sea") {
    throw usage(
      "--node-flag and --node-options go with --format executable: a single executable starts Node.js without flags. Set NODE_OPTIONS on the worker, or v8.setFlagsFromString() in the entry.",
    );
  }
  if (nodeFlags.length > 0 && format === "node") {
    throw usage(
      "--node-flag and --node-options go with --format executable: Airflow's NodeCoordinator starts `node FILE` without flags. Set NODE_OPTIONS on the worker.",
    );
  }
  if (options.nodeBinary !== undefined && format !== "sea") {
    throw usage(`--node-binary goes with --format sea: --format ${format} holds no Node.js.`);
  }
  if (format === "node" && !out.endsWith(NODE_BUNDLE_SUFFIX) && !/(?:^|[/\\])$/.test(out)) {
    const message = `Cannot write a Node bundle to ${out}: Airflow's NodeCoordinator looks only at files named *${NODE_BUNDLE_SUFFIX}. Give --out ${out.replace(/(?:\.min)?\.m?js$/, "")}${NODE_BUNDLE_SUFFIX}.`;
    throw new CliError("bad-name", message, ExitCode.usage, { path: out });
  }
  return nodeFlags;
}

function usage(message: string): CliError {
  return new CliError("usage", message, ExitCode.usage);
}
