import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SchemaVersion } from "@parlance/protocol";

/** A question to schema_bodies.py of the test kit, which says what the fields mean. */
export interface SchemaRequest {
  readonly op: "upgrade" | "downgrade" | "send" | "judge";
  readonly body: object;
  readonly version?: SchemaVersion;
  readonly options?: SendOptions;
}

/** Keyword arguments of `model_dump`. */
export interface SendOptions {
  readonly exclude_unset?: boolean;
  readonly by_alias?: boolean;
}

export interface SchemaAnswer {
  readonly result?: unknown;
  readonly error?: string;
  /** Steps to each fault, then its kind; none where Airflow's own code failed. */
  readonly where?: readonly (readonly string[])[];
}

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/test-kit/peers/airflow/schema_bodies.py", import.meta.url),
);

/** Asks the real models; starting Airflow takes 2 s, 10,000 bodies some more. */
export function askAirflow(python: string, requests: readonly SchemaRequest[]): SchemaAnswer[] {
  const { status, stdout, stderr } = spawnSync(python, [SCRIPT], {
    encoding: "utf8",
    input: requests.map((request) => `${JSON.stringify(request)}\n`).join(""),
    maxBuffer: 2 ** 30,
    timeout: 300_000,
  });
  const answers = stdout.split("\n").filter((line) => line !== "");
  if (status !== 0 || answers.length !== requests.length) {
    throw new Error(`schema_bodies.py ended with ${status}: ${stderr.slice(-2_000)}`);
  }
  return answers.map((line) => JSON.parse(line) as SchemaAnswer);
}

/** The wire's timestamp in place of each `{"$": "datetime"}`, which the script makes one as well. */
export function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== "object" || value === null) return value;
  const { $: mark, iso } = value as { $?: unknown; iso?: unknown };
  if (mark === "datetime") return standInTimestamp(String(iso));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]));
}

/** Has the mark by which framing's class is known; as JSON it is what stock prints for the moment. */
function standInTimestamp(iso: string): object {
  const [, whole, fraction = ""] = /^(.{19})(?:\.(\d+))?\+00:00$/.exec(iso) ?? [];
  const text = `${whole}${fraction === "" ? "" : `.${fraction.padEnd(6, "0")}`}Z`;
  return { [Symbol.for("parlance.timestamp")]: true, toJSON: () => text };
}
