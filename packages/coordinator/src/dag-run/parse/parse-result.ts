import { Float } from "@parlance/framing";
import type { SerializedDag } from "../dag/runnable-dag.ts";
import type { DagImportError, ParsedDagFile } from "./parse-types.ts";

/** What a program said, taken out of its message; it was validated. */
export function readParseResult(body: {
  readonly [key: string]: unknown;
}): Pick<ParsedDagFile, "fileloc" | "dags" | "importErrors" | "warnings"> {
  const { fileloc, serialized_dags: dags, import_errors: errors, warnings } = body;
  const documents = (Array.isArray(dags) ? dags : []) as { readonly data?: unknown }[];
  return {
    fileloc: String(fileloc),
    dags: documents.map(({ data }) => plainNumbers(data) as SerializedDag),
    importErrors: Object.entries((errors ?? {}) as { readonly [file: string]: unknown }).map(
      ([file, message]): DagImportError => ({ file, message: String(message), code: "reported" }),
    ),
    warnings: Array.isArray(warnings) ? warnings.map(plainNumbers) : [],
  };
}

/** Whole floats are numbers like others here; integers beyond 2^53 stay bigints. */
function plainNumbers(value: unknown): unknown {
  if (value instanceof Float) return Number(value);
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainNumbers(one)]));
}
