import type { AirflowVersion } from "@parlance/test-kit";
import type { Part } from "./compare.ts";
import type { PlayedCase } from "./play.ts";

/** Differences that are known, with the reason: an entry of differences.ts. */
export interface ListedDifference {
  /** An id, or the beginning of ids with a slash and a star behind it. */
  readonly case: string;
  readonly parts: readonly Part[];
  /** Names of runtimes. Default all. */
  readonly runtimes?: readonly string[];
  /** Default both. */
  readonly airflow?: readonly AirflowVersion[];
  readonly reason: string;
}

/** What is wrong with the list, seen from a run: sentences; empty where list and run agree. */
export function disagreements(
  played: readonly PlayedCase[],
  airflow: AirflowVersion,
  listed: readonly ListedDifference[],
  ids: readonly string[],
): readonly string[] {
  const wrong: string[] = [];
  for (const { case: id } of listed) {
    if (!ids.some((one) => fits(one, id))) wrong.push(`differences.ts: there is no case ${id}`);
  }
  for (const one of played) {
    const known = listedFor(one, airflow, listed);
    for (const { part, ours, stock } of one.differences) {
      if (known.some(({ parts }) => parts.includes(part))) continue;
      wrong.push(
        `${one.runtime}: ${one.id}: ${part} differs\n  kit:   ${ours}\n  stock: ${stock}\n  mend it, or list it in differences.ts with its reason`,
      );
    }
    const seen = new Set(one.differences.map(({ part }) => part));
    for (const part of known.flatMap(({ parts }) => parts)) {
      if (seen.has(part)) continue;
      wrong.push(
        `${one.runtime}: ${one.id}: ${part} no longer differs; take it from differences.ts`,
      );
    }
  }
  return wrong;
}

/** The entries that speak of a case. */
export function listedFor(
  { id, runtime }: PlayedCase,
  airflow: AirflowVersion,
  listed: readonly ListedDifference[],
): readonly ListedDifference[] {
  return listed.filter(
    (entry) =>
      fits(id, entry.case) &&
      (entry.runtimes?.includes(runtime) ?? true) &&
      (entry.airflow?.includes(airflow) ?? true),
  );
}

const fits = (id: string, listed: string): boolean =>
  listed.endsWith("/*") ? id.startsWith(listed.slice(0, -1)) : id === listed;
