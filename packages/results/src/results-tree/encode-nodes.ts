import { SerializerError } from "../serializers/serializer-error.ts";
import type { GroupNode, ResultNode } from "./result-node.ts";

/** Celery's tuple of one node: `[[id, parent | null], null]` or `[[id, parent | null], [member, …]]`. */
export type NodeTuple = readonly [
  readonly [id: string, parent: NodeTuple | null],
  readonly NodeTuple[] | null,
];

/** Each parent and each group is two levels; Python's JSON refuses about a thousand. */
const MOST_LEVELS = 480;

/**
 * The value of the `children` column. An empty list and `null` give `null`: the column is SQL NULL.
 *
 * @throws SerializerError `cannot-encode` for a node of another shape, or beyond 480 levels
 */
export function encodeChildren(
  children: readonly ResultNode[] | null | undefined,
): readonly NodeTuple[] | null {
  if (children === null || children === undefined) return null;
  if (!Array.isArray(children)) throw refused("children", children, "an array of nodes", "");
  return children.length === 0
    ? null
    : children.map((child, index) => encodeNode(child, `/${index}`, 0));
}

/**
 * The value of a group row: the group's own tuple.
 *
 * @throws SerializerError `cannot-encode` for another shape, or beyond 480 levels
 */
export function encodeGroup(group: GroupNode): NodeTuple {
  if (group?.kind !== "group") throw refused("group", group, 'a node of kind "group"', "");
  return encodeNode(group, "", 0);
}

function encodeNode(node: ResultNode, path: string, level: number): NodeTuple {
  if (typeof node !== "object" || node === null) throw refused("node", node, "an object", path);
  if (level > MOST_LEVELS) {
    throw refused("node", "deeper nesting", `at most ${MOST_LEVELS} levels, and no cycle`, path);
  }
  const { kind, id } = node;
  if (typeof id !== "string" || id === "") throw refused("id", id, "non-empty text", `${path}/id`);
  const parent =
    node.parent === null || node.parent === undefined
      ? null
      : encodeNode(node.parent, `${path}/parent`, level + 1);
  if (kind === "task") return [[id, parent], null];
  if (kind !== "group") throw refused("kind", kind, '"task" or "group"', `${path}/kind`);
  if (!Array.isArray(node.members)) {
    throw refused("members", node.members, "an array of nodes", `${path}/members`);
  }
  const members = node.members.map((member, index) =>
    encodeNode(member, `${path}/members/${index}`, level + 1),
  );
  return [[id, parent], members];
}

function refused(what: string, given: unknown, expected: string, path: string): SerializerError {
  const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 80)) : typeof given;
  const where = path === "" ? "" : ` at ${path}`;
  return new SerializerError(
    "cannot-encode",
    `A result tree${where} has ${shown} as ${what}; expected ${expected}.`,
    { path },
  );
}
