import { readFileSync } from "node:fs";

/** Tests run from dist-test; what they read stays in test. */
const TEST = new URL("../../test/", import.meta.url);

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, TEST), "utf8")) as T;
}

export function readNdjson<T>(path: string): T[] {
  const lines = readFileSync(new URL(path, TEST), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

export interface Definition {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Definition[];
  readonly oneOf?: readonly Definition[];
  readonly items?: Definition;
  readonly prefixItems?: readonly Definition[];
  readonly minItems?: number;
  readonly properties?: { readonly [name: string]: Definition };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Definition;
  readonly [keyword: string]: unknown;
}

export interface SchemaFile {
  readonly channels: {
    readonly [channel: string]: { readonly [direction: string]: readonly string[] };
  };
  readonly $defs: { readonly [name: string]: Definition };
}

/** schema/supervisor/VERSION.json, the input of the generators. */
export function readSchema(version: string): SchemaFile {
  return readJson(`../../../schema/supervisor/${version}.json`);
}
