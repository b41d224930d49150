import type { ConformanceCase } from "@parlance/conformance";
import type { AirflowVersion } from "@parlance/test-kit";
import { type ListedDifference, listedFor } from "./listed.ts";
import type { PlayedCase } from "./play.ts";
import { whyUnplayable } from "./unplayable.ts";

/** The comparison as text for a terminal: a line a case, what differs below it, then what can't be played. */
export function comparisonTable(
  played: readonly PlayedCase[],
  airflow: AirflowVersion,
  listed: readonly ListedDifference[],
  cases: readonly ConformanceCase[],
): string {
  const width = Math.max(...played.map(({ id }) => id.length), 10);
  const lines = played.flatMap((one) => {
    const head = `${one.runtime.padEnd(10)} ${one.id.padEnd(width)} ${one.outcome.padEnd(7)}`;
    if (one.differences.length === 0) return [`${head} same`];
    const reasons = listedFor(one, airflow, listed).map(
      ({ reason }) => `    listed: ${reason.trim()}`,
    );
    const parts = one.differences.flatMap(({ part, ours, stock }) => [
      `    ${part}`,
      `      kit:   ${ours}`,
      `      stock: ${stock}`,
    ]);
    return [
      `${head} differs in ${one.differences.map(({ part }) => part).join(", ")}`,
      ...parts,
      ...reasons,
    ];
  });
  const same = played.filter(({ differences }) => differences.length === 0).length;
  return [
    ...lines,
    "",
    `${played.length} cases under Airflow ${airflow}: ${same} the same in every part, ${played.length - same} not`,
    ...leftOut(cases),
    "",
  ].join("\n");
}

/** Why cases were left out, with how many. */
function leftOut(cases: readonly ConformanceCase[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const one of cases) {
    const why = whyUnplayable(one);
    if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const rows = [...counts].sort(([, a], [, b]) => b - a).map(([why, count]) => `  ${count} ${why}`);
  return ["left out, because the case", ...rows];
}
