import type { SchemaVersion } from "@parlance/protocol/schema-version";
import { type AirflowVersion, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import { fixture, pack } from "./pack.ts";

/** One program, packed for a schema version that this Airflow speaks. */
export interface PackedRun {
  readonly version: AirflowVersion;
  readonly schema: SchemaVersion;
  readonly bundlesRoot: string;
  /** Begins the names of the tests. */
  readonly label: string;
}

const RUNS: readonly (readonly [AirflowVersion, SchemaVersion])[] = [
  ["3.3.2", "2026-06-16"],
  ["3.4.0b2", "2026-06-16"],
  ["3.4.0b2", "2026-10-30"],
];

/** Packs a fixture for every Airflow that is here, in each schema version that it speaks. */
export async function* packedRuns(entry: string, name: string): AsyncGenerator<PackedRun> {
  for (const [version, schema] of RUNS) {
    const label = `Airflow ${version}, schema ${schema}:`;
    if (requirePeer(test, label, `airflow-${version}`) === undefined) continue;
    const bundlesRoot = await pack(fixture(entry), name, ["--schema-version", schema]);
    yield { version, schema, bundlesRoot, label };
  }
}
