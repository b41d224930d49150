import { readFileSync } from "node:fs";
import {
  decodeChildren,
  decodeException,
  decodeGroup,
  decodeStored,
  encodeChildren,
  encodeException,
  encodeGroup,
  type GroupNode,
  type Serializer,
  TaskFailure,
} from "@parlance/results";
import { fromHex } from "@parlance/test-kit";
import { asLists, fromPeerForm, toNode, toPeerForm } from "./peer-form.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface GoldenCase {
  readonly name: string;
  readonly write: readonly Fields[];
  readonly write_errors?: readonly (Fields | null)[] | null;
  readonly row: Fields | null;
  readonly read?: Fields | null;
  readonly read_error?: Fields | null;
  readonly group?: string;
}

/** One binary column of one row. */
export interface GoldenCell {
  readonly name: string;
  readonly column: string;
  readonly bytes: Uint8Array;
}

const FAILED: readonly unknown[] = ["FAILURE", "RETRY", "REVOKED"];
/** Options under which nothing of a value is lost. */
export const EXACT = { wrapFloats: true, keepKeyOrder: true };
const COLUMNS = ["result", "children", "args", "kwargs"];

/** Read by the JSON parser of JavaScript: ours is what is tested. */
export function goldenCases(file: string): readonly GoldenCase[] {
  const url = new URL(`../../test/data/golden/${file}.json`, import.meta.url);
  return (JSON.parse(readFileSync(url, "utf8")) as { cases: GoldenCase[] }).cases;
}

export function cellsOf(item: GoldenCase): GoldenCell[] {
  return COLUMNS.flatMap((column) => {
    const cell = item.row?.[column] as { hex: string | null } | null | undefined;
    const hex = cell?.hex ?? undefined;
    return hex === undefined ? [] : [{ name: item.name, column, bytes: fromHex(hex) }];
  });
}

/**
 * The bytes of a cell made anew from what was written, or `undefined` where the case does not say:
 * rows that were written raw, and those that several writes made.
 */
export function writeCell(
  item: GoldenCase,
  column: string,
  to: Serializer,
): Uint8Array | undefined {
  const [write] = item.write;
  if (write === undefined || item.write.length > 1 || "raw" in write) return undefined;
  const value = writtenValue(write, column, to);
  return value === undefined ? undefined : to.encode(value);
}

function writtenValue(write: Fields, column: string, to: Serializer): unknown {
  if (typeof write["group"] === "string") return encodeGroup(toNode(write) as GroupNode);
  const request = (write["request"] ?? {}) as Fields;
  if (column === "children") {
    return encodeChildren((request["children"] as readonly unknown[]).map(toNode));
  }
  if (column !== "result") return fromPeerForm(request[column] ?? null);
  const { via, result } = write;
  if (via === "revoked") {
    const args = [result];
    return encodeException(
      new TaskFailure({ type: "TaskRevokedError", module: "celery.exceptions", args }),
      to,
    );
  }
  const value = fromPeerForm(result);
  return value instanceof TaskFailure ? encodeException(value, to) : value;
}

/** What we read from a cell, in the peer's form. Celery falls back on pickle for results only. */
export function readCell(
  item: GoldenCase,
  cell: GoldenCell,
  by: Serializer,
  isPickle = false,
): unknown {
  const { bytes, column } = cell;
  const value = column === "result" || isPickle ? decodeStored(bytes, by, EXACT) : by.decode(bytes);
  if (column === "children") return toPeerForm(encodeChildren(decodeChildren(value)));
  if (column !== "result") return toPeerForm(value);
  if (item.group !== undefined) {
    const group = decodeGroup(value);
    return group === null ? null : toPeerForm(encodeGroup(group));
  }
  if (!FAILED.includes(item.row?.["status"])) return toPeerForm(value);
  const failure = decodeException(value);
  return failure === null ? null : [failure.type, failure.module, toPeerForm(failure.args)];
}

/** What Celery reads from a cell, in the same form. */
export function expectedOf(item: GoldenCase, column: string): unknown {
  if (item.group !== undefined) return asLists(item.read?.["tuple"] ?? null);
  const value = item.read?.[column];
  const exception = (value as { $exc?: Fields } | null | undefined)?.$exc;
  if (exception === undefined) return asLists(value ?? null);
  return [exception["type"], exception["module"], asLists(exception["args"])];
}
