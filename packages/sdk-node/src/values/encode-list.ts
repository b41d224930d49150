import type { Walk } from "./refused-value.ts";

/** The list itself, or a copy from the first element on that is stored as something else. */
export function encodeList(items: readonly unknown[], walk: Walk): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    walk.path.push(index);
    const item = items[index];
    const encoded = walk.encode(item, walk);
    walk.path.pop();
    if (copy === undefined && encoded !== item) copy = items.slice(0, index);
    copy?.push(encoded);
  }
  return copy ?? items;
}
