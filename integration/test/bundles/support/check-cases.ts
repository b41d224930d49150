import { createHash } from "node:crypto";
import { assemble, type ExecutableParts } from "../generate/random-executable.ts";

/** A bundle of the Dag `d1` with one thing wrong, by its row in docs/afbndl01.md. */
export interface CheckCase {
  readonly bytes: Buffer;
  /** Default 0755. */
  readonly mode?: number;
}

const EXECUTABLE = Buffer.from("#!/bin/sh\nexit 0\n");
const SOURCE = Buffer.from("source");
const GOOD = `airflow_bundle_metadata_version: "1.0"
sdk: {language: go, version: "1", supervisor_schema_version: "2026-06-16"}
dags: {d1: {tasks: [t]}}
task_handlers: {d1: {tasks: [t]}}
`;

function bundle(change: Partial<ExecutableParts> = {}): CheckCase {
  const parts = { executable: EXECUTABLE, source: SOURCE, metadata: Buffer.from(GOOD), ...change };
  return { bytes: assemble(parts) };
}

function metadata(text: string | Buffer): CheckCase {
  return bundle({ metadata: Buffer.from(text) });
}

/** GOOD with one text in place of another. */
function instead(text: string, other: string): CheckCase {
  if (!GOOD.includes(text)) throw new Error(`there is no ${text}`);
  return metadata(GOOD.replace(text, other));
}

function indexed(entry: { readonly length?: number; readonly sha256?: string }): CheckCase {
  const sha256 = createHash("sha256").update(SOURCE).digest("hex");
  const index = [{ path: "a.go", offset: 0, length: SOURCE.length, sha256, ...entry }];
  return metadata(`${GOOD}sources: ${JSON.stringify(index)}\n`);
}

/** By the first cell of the row. */
export const CHECK_CASES: Readonly<Record<string, CheckCase>> = {
  nothing: bundle(),
  "fewer than 64 bytes": { bytes: bundle().bytes.subarray(-63) },
  "no magic": bundle({ magic: "AFBNDL02" }),
  "bytes behind the footer": { bytes: Buffer.concat([bundle().bytes, Buffer.from("\n")]) },
  "footer version 2": bundle({ version: 2 }),
  "a reserved byte that is not zero": bundle({ reserved: Buffer.alloc(12, 1) }),
  "regions longer than the file": bundle({ sourceLength: 1 << 20 }),
  "no executable region": bundle({ executable: Buffer.alloc(0) }),
  "a changed executable region": bundle({ sha256: Buffer.alloc(32, 7) }),
  "a changed source region": bundle({ source: Buffer.from("other bytes") }),
  "another Dag written into the metadata": instead(
    "d1: {tasks: [t]}}\ntask",
    "d1: {}, d2: {}}\ntask",
  ),
  "metadata that is no UTF-8": metadata(Buffer.concat([Buffer.from(GOOD), Buffer.of(0xff)])),
  "metadata that is no YAML": metadata(`${GOOD}a: [\n`),
  "metadata that is no map": metadata("[d1]\n"),
  "metadata of more than 1 MiB": metadata(`${GOOD}${"\n".repeat(1 << 20)}`),
  "a value that is no date (`2026-02-30`)": metadata(`${GOOD}a: 2026-02-30\n`),
  "a tag whose value is none (`!!bool maybe`)": metadata(`${GOOD}a: !!bool maybe\n`),
  "`dags` as a list": instead("dags: {d1: {tasks: [t]}}", "dags: [d1]"),
  "the Dag id without quotes where it is no text (`on`)": metadata(GOOD.replaceAll("d1", "on")),
  "`dags` twice, the Dag in the first": metadata(`${GOOD}dags: {d2: {}}\n`),
  "a Dag without tasks": instead("dags: {d1: {tasks: [t]}}", "dags: {d1: ~}"),
  "no metadata version": instead('airflow_bundle_metadata_version: "1.0"\n', ""),
  'metadata version `"2.0"`': instead('"1.0"', '"2.0"'),
  "no `sdk.language`": instead("language: go, ", ""),
  "no schema version": instead(', supervisor_schema_version: "2026-06-16"', ""),
  "a schema version without quotes": instead('"2026-06-16"', "2026-06-16"),
  'schema version `"2026-10-30"`': instead("2026-06-16", "2026-10-30"),
  'schema version `"2025-01-01"`': instead("2026-06-16", "2025-01-01"),
  "an index that leaves the source region": indexed({ length: 100 }),
  "a source of another digest than its index": indexed({ sha256: "0".repeat(64) }),
  "CR LF behind `#!`": bundle({ executable: Buffer.from("#!/bin/sh\r\nexit 0\r\n") }),
  "no execute bit": { ...bundle(), mode: 0o644 },
};
