import { readFileSync } from "node:fs";
import { createSerializer } from "@parlance/results";
import type { CeleryWrite } from "@parlance/test-kit";

/** A part of a JSON document. */
export type Fields = Readonly<Record<string, unknown>>;

/** A recorded case; the README beside the files tells what is in it. */
export interface GoldenCase {
  readonly name: string;
  readonly write: readonly CeleryWrite[];
  /** `write` with its integers and floats told apart, as our serializer reads it. */
  readonly exactWrite: readonly Fields[];
  readonly row: Fields | null;
  readonly date_done?: "now" | "null" | "fixed";
  /** The case is of a group with this id, not of a task with the case's name. */
  readonly group?: string;
  readonly read?: Fields | null;
  readonly read_error?: { readonly type: string; readonly message: string };
}

const exact = await createSerializer("json", { wrapFloats: true, keepKeyOrder: true });

/** Cases of several files of `packages/results/test/data/golden`. */
export function goldenCases(...files: readonly string[]): readonly GoldenCase[] {
  return files.flatMap((file) => {
    const bytes = readFileSync(
      new URL(`../../../../packages/results/test/data/golden/${file}.json`, import.meta.url),
    );
    const exactCases = casesOf(exact.decode(bytes)) as readonly { write: readonly Fields[] }[];
    const cases = casesOf(JSON.parse(bytes.toString("utf8"))) as readonly GoldenCase[];
    return cases.map((one, i) => ({ ...one, exactWrite: exactCases[i]?.write ?? [] }));
  });
}

function casesOf(document: unknown): readonly unknown[] {
  return (document as { readonly cases: readonly unknown[] }).cases;
}

/** A row in one form: no id, bytes as hex, `date_done` left out (it is the time of the write). */
export function plainRow(columns: Fields | undefined | null): Fields | null {
  if (columns === undefined || columns === null) return null;
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(columns)) {
    if (name === "id" || name === "date_done") continue;
    const { hex, $hex } = (value ?? {}) as { readonly hex?: string; readonly $hex?: string };
    row[name] = hex ?? $hex ?? value;
  }
  return row;
}

const NOW_MS = 300_000;

/** The word that golden cases have for a `date_done`. */
export function dateWord(dateDone: unknown): "now" | "null" | "fixed" {
  if (dateDone === null) return "null";
  const ageMs = Date.now() - Date.parse(`${String(dateDone).replace(" ", "T")}Z`);
  return ageMs > -2_000 && ageMs < NOW_MS ? "now" : "fixed";
}
