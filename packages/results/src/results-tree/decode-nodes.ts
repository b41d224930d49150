import { SerializerError } from "../serializers/serializer-error.ts";
import type { GroupNode, ResultNode } from "./result-node.ts";

const MOST_LEVELS = 1000;

/**
 * The nodes of a decoded `children` column, or `null` for `null` (and SQL NULL). A bare id in place
 * of `[id, parent]` is accepted, as Celery does.
 *
 * @throws SerializerError `cannot-decode` for another shape
 */
export function decodeChildren(value: unknown): readonly ResultNode[] | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) throw refused("children", value, "", "a list of result tuples");
  return value.map((entry: unknown, index) => decodeNode(entry, `/${index}`, 0));
}

/**
 * The group of a decoded group row, or `null` for `null`.
 *
 * @throws SerializerError `cannot-decode` for another shape, a single task's tuple included
 */
export function decodeGroup(value: unknown): GroupNode | null {
  if (value === null || value === undefined) return null;
  const node = decodeNode(value, "", 0);
  if (node.kind !== "group") throw refused("group", value, "", "[[id, parent], [member, …]]");
  return node;
}

function decodeNode(value: unknown, path: string, level: number): ResultNode {
  if (!isPair(value)) throw refused("result", value, path, "[[id, parent], nodes]");
  if (level > MOST_LEVELS) throw refused("result", value, path, `at most ${MOST_LEVELS} levels`);
  const [head, nodes] = value;
  const [id, above] = typeof head === "string" ? [head, null] : isPair(head) ? head : [null, null];
  if (typeof id !== "string") throw refused("id", head, `${path}/0`, "an id or [id, parent]");
  // Python asks whether the parent is true: an empty list or text is no parent.
  const isParent = above !== null && above !== undefined && above !== "" && !isEmpty(above);
  const parent = isParent ? decodeNode(above, `${path}/0/1`, level + 1) : null;
  if (nodes === null || nodes === undefined) return { kind: "task", id, parent };
  if (!Array.isArray(nodes)) throw refused("members", nodes, `${path}/1`, "a list or null");
  const members = nodes.map((node: unknown, index) =>
    decodeNode(node, `${path}/1/${index}`, level + 1),
  );
  return { kind: "group", id, parent, members };
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function refused(what: string, value: unknown, path: string, expected: string): SerializerError {
  const shown = Array.isArray(value) ? `a list of ${value.length}` : typeof value;
  const where = path === "" ? "" : ` at ${path}`;
  return new SerializerError(
    "cannot-decode",
    `A stored result tree has ${value === null ? "null" : shown} as its ${what}${where}; expected ${expected}.`,
    { path },
  );
}
