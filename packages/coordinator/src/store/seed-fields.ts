import { fromExactJson } from "./exact-json.ts";
import { momentKey } from "./moments.ts";
import type { SeedDefaults } from "./seed-store.ts";
import { checkKeys } from "./series.ts";
import { StoreError, type TaskInstanceRef } from "./task-store.ts";

/*
 * Reading of a seed, with faults told by their place in it. No message holds a value: it might be a
 * secret.
 */

/** Fields of an object, in their order. */
export type Entries = readonly (readonly [string, unknown])[];

/** An object of a seed. */
export type Fields = { readonly [key: string]: unknown };

export function entries(value: unknown, at: string): Entries {
  return value === undefined ? [] : Object.entries(map(value, at));
}

export function list(value: unknown, at: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw bad(at, `is ${kind(value)}, not a list`);
  return value;
}

export function map(value: unknown, at: string): { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw bad(at, `is ${kind(value)}, not an object`);
  }
  return value as { readonly [key: string]: unknown };
}

export function text(value: unknown, at: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw bad(at, `is ${kind(value)}, not text`);
  return value;
}

export function checkKey(key: string, at: string): void {
  try {
    checkKeys("seedStore", [key]);
  } catch (error) {
    throw bad(at, (error as Error).message);
  }
}

function kind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function pointer(base: string, key: string): string {
  return `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function bad(path: string, what: string): StoreError {
  return new StoreError("bad-seed", `seed: ${path === "" ? "the document" : path} ${what}`, {
    path,
  });
}

/** Refuses a field that has no meaning: most often a misspelt one. */
export function checkFields(fields: Fields, known: readonly string[], at: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw bad(pointer(at, unknown), `is no field here: ${known.join(", ")}`);
  }
}

/** An id or a name; `fallback` where it is left out. */
export function id(fields: Fields, name: string, at: string, fallback?: string): string {
  const given = text(fields[name], `${at}/${name}`) ?? fallback;
  if (given === undefined) throw bad(`${at}/${name}`, "is missing");
  checkKey(given, `${at}/${name}`);
  return given;
}

/** A whole number from `least`. */
export function whole(
  fields: Fields,
  name: string,
  at: string,
  { least, fallback }: { readonly least: number; readonly fallback: number },
): number {
  const value = fields[name] ?? fallback;
  if (!Number.isSafeInteger(value) || Number(value) < least) {
    throw bad(`${at}/${name}`, `is no whole number from ${least}`);
  }
  return Number(value);
}

/** An ISO 8601 date-time with a zone; null where it is left out. */
export function moment(fields: Fields, name: string, at: string): string | null {
  const iso = text(fields[name], `${at}/${name}`);
  try {
    if (iso !== null) momentKey(iso);
  } catch {
    throw bad(`${at}/${name}`, "is no ISO 8601 date-time with a zone");
  }
  return iso;
}

/** An object of values in exact JSON; empty where it is left out. */
export function values(fields: Fields, name: string, at: string): Fields {
  if (fields[name] === undefined || fields[name] === null) return {};
  map(fields[name], `${at}/${name}`);
  try {
    return map(fromExactJson(fields[name]), `${at}/${name}`);
  } catch (error) {
    throw bad(`${at}/${name}`, error instanceof Error ? error.message : String(error));
  }
}

/** Which task instance an item is about; Dag and run may be those of the seed. */
export function instanceRef(fields: Fields, at: string, defaults: SeedDefaults): TaskInstanceRef {
  return {
    dagId: id(fields, "dag_id", at, defaults.dagId),
    runId: id(fields, "run_id", at, defaults.runId),
    taskId: id(fields, "task_id", at),
    mapIndex: whole(fields, "map_index", at, { least: -1, fallback: -1 }),
  };
}
