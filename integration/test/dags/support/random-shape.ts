import type { Random } from "../../airflow/support/random.ts";
import type { DagShape } from "./ask-dag-rules.ts";

/** A shape of up to 12 nodes, in groups up to three deep, with a branch or a short circuit in it. */
export function randomShape(random: Random): DagShape {
  const nodes: { id: string; kind: DagShape["nodes"][number]["kind"]; parent?: string }[] = [];
  const add = (parent: string | undefined, depth: number): void => {
    const count = 1 + random.below(depth === 0 ? 5 : 3);
    for (let at = 0; at < count; at++) {
      const name = `n${nodes.length}`;
      const id = parent === undefined ? name : `${parent}.${name}`;
      const isGroup = depth < 3 && random.chance(0.35);
      nodes.push({ id, kind: isGroup ? "group" : "task", ...(parent !== undefined && { parent }) });
      if (isGroup) add(id, depth + 1);
    }
  };
  add(undefined, 0);
  nodes.push({ id: "last", kind: "task" });
  const pairs: [string, string][] = [];
  for (const [at, { id: second }] of nodes.entries()) {
    for (const { id: first } of nodes.slice(0, at)) {
      if (!second.startsWith(`${first}.`) && random.chance(0.25)) pairs.push([first, second]);
    }
  }
  const chooser = random.pick(nodes.filter(({ kind }) => kind === "task"));
  chooser.kind = random.chance(0.7) ? "branch" : "short-circuit";
  const chosen = nodes.filter(({ id }) => id !== chooser.id && random.chance(0.2));
  return {
    nodes,
    pairs: insideOut(pairs, nodes),
    chooser: chooser.id,
    chosen: random.chance(0.15) ? null : chosen.map(({ id }) => id),
    ignore: random.chance(0.5),
  };
}

/**
 * In Python the ends of a group are those that it has when `>>` is run: here, as by an author who is
 * done with what is within a group before it is used.
 */
function insideOut(
  pairs: readonly [string, string][],
  nodes: DagShape["nodes"],
): readonly [string, string][] {
  const groups = new Set(nodes.filter(({ kind }) => kind === "group").map(({ id }) => id));
  const rank = ([first, second]: readonly [string, string]) => {
    if (!groups.has(first) && !groups.has(second)) return Number.NEGATIVE_INFINITY;
    const [one, other] = [first.split("."), second.split(".")];
    return -one.findIndex((part, at) => part !== other[at]);
  };
  return [...pairs].sort((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    return a === b ? 0 : a - b;
  });
}

/** A cron text; most are good, some are not. */
export function randomCron(random: Random): string {
  const names = ["jan", "DEC", "mon", "Sun", "xyz"];
  const value = () => (random.chance(0.12) ? random.pick(names) : String(random.below(70)));
  const item = (): string => {
    const kinds = ["*", value(), `${value()}-${value()}`, `*/${random.below(12)}`];
    const more = ["?", "L", `L${random.below(9)}`, `${random.below(9)}#${random.below(7)}`];
    const one = random.pick(random.chance(0.2) ? more : kinds);
    return random.chance(0.1) ? `${one}/${random.below(6)}` : one;
  };
  const field = () =>
    random.chance(0.2) ? `${item()},${item()}` : random.chance(0.5) ? "*" : item();
  const count = random.chance(0.1) ? random.pick([3, 4, 6]) : 5;
  return Array.from({ length: count }, field).join(" ");
}
