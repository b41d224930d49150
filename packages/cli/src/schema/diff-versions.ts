import { CATALOGUE, type Direction, type SchemaVersion } from "@parlance/protocol";
import { definitionsOf, MIGRATIONS } from "@parlance/protocol/definitions";
import type { FieldFacts } from "./field-facts.ts";
import { type MessageField, messageFields } from "./message-fields.ts";

/** What became of a message or a field on the way from one version to the other. */
export type Change = "added" | "removed" | "changed";

/** A field that differs. */
export interface FieldChange {
  readonly path: string;
  readonly change: Change;
  readonly before?: FieldFacts;
  readonly after?: FieldFacts;
  /** Airflow's name for the change that declares a migration step for it; null: none does. */
  readonly step: string | null;
  /**
   * True where a body that is migrated to the older version holds the field (or the kind of value)
   * all the same: it goes to a task, and no step takes it away.
   */
  readonly leaks: boolean;
  /** In a part that is a class of the API server's, which Airflow declares no steps for. */
  readonly inServerPart: boolean;
}

/** A message that differs. */
export interface MessageChange {
  readonly type: string;
  readonly directions: readonly Direction[];
  readonly change: Change;
  /** None where all of the message is new or gone. */
  readonly fields: readonly FieldChange[];
}

const DIRECTIONS: readonly Direction[] = ["to-supervisor", "to-task"];

/** Messages and fields that differ between two versions, by name. */
export function diffVersions(from: SchemaVersion, to: SchemaVersion): readonly MessageChange[] {
  const namesOf = (version: SchemaVersion): readonly string[] =>
    DIRECTIONS.flatMap((direction) => CATALOGUE[version][direction]);
  const types = [...new Set([...namesOf(from), ...namesOf(to)])].sort();
  return types
    .map((type) => messageChange(type, from, to))
    .filter(({ change, fields }) => change !== "changed" || fields.length > 0);
}

function messageChange(type: string, from: SchemaVersion, to: SchemaVersion): MessageChange {
  const directionsIn = (version: SchemaVersion): readonly Direction[] =>
    DIRECTIONS.filter((direction) => CATALOGUE[version][direction].includes(type));
  const [before, after] = [directionsIn(from), directionsIn(to)];
  if (before.length === 0) return { type, directions: after, change: "added", fields: [] };
  if (after.length === 0) return { type, directions: before, change: "removed", fields: [] };
  const fields = fieldChanges(type, from, to, after.includes("to-task"));
  return { type, directions: after, change: "changed", fields };
}

function fieldChanges(
  type: string,
  from: SchemaVersion,
  to: SchemaVersion,
  isReceived: boolean,
): FieldChange[] {
  const before = messageFields(definitionsOf(from), type);
  const after = messageFields(definitionsOf(to), type);
  const newer = from < to ? after : before;
  const found: FieldChange[] = [];
  for (const path of new Set([...after.keys(), ...before.keys()])) {
    const [old, current] = [before.get(path), after.get(path)];
    if (sameFacts(old, current) || isBelow(path, found)) continue;
    const step = stepFor(newer.get(path), from, to);
    const change = old === undefined ? "added" : current === undefined ? "removed" : "changed";
    // A field that only the older version has is in no body of the newer one.
    const leaks = isReceived && step === null && newer.has(path);
    found.push({
      path,
      change,
      ...(old === undefined ? {} : { before: factsOf(old) }),
      ...(current === undefined ? {} : { after: factsOf(current) }),
      step,
      leaks,
      inServerPart: (current ?? old)?.isServer ?? false,
    });
  }
  return found;
}

function sameFacts(one: MessageField | undefined, other: MessageField | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return JSON.stringify(factsOf(one)) === JSON.stringify(factsOf(other));
}

function factsOf({ type, required, ...rest }: MessageField): FieldFacts {
  return "default" in rest ? { type, required, default: rest.default } : { type, required };
}

/** Fields of a part that came or went with its field are told by that. */
function isBelow(path: string, found: readonly FieldChange[]): boolean {
  return found.some(
    (each) =>
      each.change !== "changed" &&
      /^[.[<]/.test(path.slice(each.path.length)) &&
      path.startsWith(each.path),
  );
}

/** The steps between two versions hold both ways. */
function stepFor(
  field: MessageField | undefined,
  from: SchemaVersion,
  to: SchemaVersion,
): string | null {
  if (field === undefined || field.isServer) return null;
  const [older, newer] = from < to ? [from, to] : [to, from];
  const between = MIGRATIONS.filter(({ version }) => version > older && version <= newer);
  const change = between
    .flatMap(({ changes }) => changes)
    .find(({ steps }) =>
      steps.some((step) => step.definition === field.definition && step.field === field.name),
    );
  return change?.name ?? null;
}
