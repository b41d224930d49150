import type { LogRecord } from "../logs/log-record.ts";
import { SecretMasker } from "../logs/secret-masker.ts";
import { isSensitiveName } from "../logs/sensitive-name.ts";
import type { StoredAsset, StoredAssetEvent } from "./asset-store.ts";
import type { StoredDagRun } from "./dag-run-store.ts";
import { toExactJson } from "./exact-json.ts";
import type { StoredHitlDetail } from "./hitl-store.ts";
import type { FoundTaskInstance } from "./task-instance-store.ts";
import type { StoredConnection, StoredVariable, StoredXCom } from "./task-store.ts";

/** A value that outlives a try, with whose it is. */
export interface StoredState {
  readonly scope: string;
  readonly key: string;
  readonly value: unknown;
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null;
}

/** Everything in a store. Values of tasks are in the notation of `toExactJson`. */
export interface StoreDump {
  readonly variables: readonly StoredVariable[];
  readonly connections: readonly StoredConnection[];
  readonly xcoms: readonly StoredXCom[];
  readonly states: readonly StoredState[];
  readonly dagRuns: readonly StoredDagRun[];
  readonly taskInstances: readonly FoundTaskInstance[];
  /** Tries before the present ones. */
  readonly taskInstanceHistory: readonly FoundTaskInstance[];
  readonly hitlDetails: readonly StoredHitlDetail[];
  readonly assets: readonly StoredAsset[];
  readonly assetEvents: readonly StoredAssetEvent[];
}

/** The parts of a store that may hold secrets. */
export type SecretRows = Pick<StoreDump, "connections" | "variables" | "xcoms" | "states">;

const MASK = "***";

/**
 * A dump without its secrets: passwords and `extra` of connections, Variables, XComs and other
 * fields with a sensitive name, and all of these again wherever else they stand as texts.
 */
export function maskedDump(dump: StoreDump): StoreDump {
  const masker = new SecretMasker();
  addSecrets(dump, masker);
  const safe = {
    ...dump,
    variables: dump.variables.map(maskedByKey),
    connections: dump.connections.map((connection) => ({
      ...connection,
      password: maskedText(connection.password),
      extra: maskedText(connection.extra),
    })),
    xcoms: dump.xcoms.map(maskedByKey),
    states: dump.states.map(maskedByKey),
  };
  const rows = Object.entries(safe).map(([part, items]) => {
    return [part, items.map((row) => masker.mask(toExactJson(row) as LogRecord))] as const;
  });
  return Object.fromEntries(rows) as unknown as StoreDump;
}

/** Teaches a masker the secrets of a store: those that {@link maskedDump} replaces. */
export function addSecrets(dump: SecretRows, masker: SecretMasker): void {
  for (const { password, extra } of dump.connections) {
    masker.add(password);
    masker.add(extra);
    masker.addJson(extra);
  }
  for (const { key, value } of dump.variables) {
    masker.add(value, key);
    masker.addJson(value, key);
  }
  for (const { key, value } of [...dump.xcoms, ...dump.states]) {
    if (isSensitiveName(key)) masker.add(value, key);
  }
}

function maskedText(text: string | null): string | null {
  return text === null ? null : MASK;
}

function maskedByKey<Row extends { readonly key: string; readonly value: unknown }>(row: Row): Row {
  return row.value !== null && isSensitiveName(row.key) ? { ...row, value: MASK } : row;
}
