import { writeSync } from "node:fs";
import type { Bundle } from "../bundle.ts";
import { SDK_VERSION } from "../version.ts";

/** What a program says about itself when it is asked to with `--describe` or `--describe-fd=N`. */
export interface BundleDescription {
  readonly sdk: {
    readonly name: string;
    readonly version: string;
    readonly language: "typescript";
  };
  readonly dags: { readonly [dagId: string]: { readonly tasks: readonly string[] } };
  /** The same in order of registration: an object puts ids that look like numbers first. */
  readonly order: readonly (readonly [dagId: string, taskIds: readonly string[]])[];
  /** Ids of the Dags that were made with `dag()`; absent where there is none. */
  readonly native?: readonly string[];
}

/** The tasks of a bundle as data. */
export function describeBundle(bundle: Bundle): BundleDescription {
  const order = bundle.list();
  return {
    sdk: { name: "@parlance/sdk-node", version: SDK_VERSION, language: "typescript" },
    dags: Object.fromEntries(order.map(([dagId, tasks]) => [dagId, { tasks }])),
    order,
    ...(bundle.dags.length > 0 && { native: bundle.dags.map(({ dagId }) => dagId) }),
  };
}

/** Writes the description as one line of JSON, all of it. @throws what the system says */
export function writeDescription(bundle: Bundle, fd: number): void {
  writeLine(fd, JSON.stringify(describeBundle(bundle)));
}

/**
 * What a packer writes into a bundle, as the line that `--airflow-metadata` prints: one JSON
 * document, which is YAML as well, with `dags` for Airflow's executable bundles and `task_handlers`
 * for its Node bundles. Both are in order of registration. A packer may set another schema version:
 * the program speaks each.
 */
export function airflowMetadata(bundle: Bundle): string {
  const dags = bundle.list().map(([dagId, tasks]) => {
    return `${JSON.stringify(dagId)}:${JSON.stringify({ tasks })}`;
  });
  const map = `{${dags.join(",")}}`; // an object would put ids that look like numbers first
  const facts = {
    airflow_bundle_metadata_version: "1.0",
    sdk: {
      language: "typescript",
      version: SDK_VERSION,
      supervisor_schema_version: DEFAULT_SCHEMA_VERSION,
    },
  };
  return `${JSON.stringify(facts).slice(0, -1)},"dags":${map},"task_handlers":${map}}`;
}

/** The one that Airflow 3.3 knows, and 3.4 too. */
const DEFAULT_SCHEMA_VERSION = "2026-06-16";

/** Writes a line, all of it, before it returns. @throws what the system says */
export function writeLine(fd: number, line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error; // a full pipe: again
    }
  }
}
