import type { JsonValue } from "../../client/xcom-value.ts";
import { type ComputeParts, Input, type InputSource } from "../../inputs/input.ts";
import { InputError } from "../../inputs/input-error.ts";
import { pythonKind } from "../../values/python-kind.ts";
import type { DagDraft } from "../build/draft.ts";
import type { InputModel } from "../dag-model.ts";

/** What a mapped task stored: the list of all, in order of the map index. */
export function allOf(taskId: string, key: string): InputSource {
  return { kind: "computed", compute: ({ client }) => client.getXComSlice({ taskId, key }) };
}

/** What a name is mapped over. */
interface Series {
  count(): Promise<number>;
  /** @returns undefined when there is none */
  at(index: number): Promise<{ readonly value: unknown } | undefined>;
}

/**
 * The element of one name for this instance of a task that is mapped over several: Airflow numbers
 * the combinations so that the last name changes first.
 *
 * @param elements - all names that the task is mapped over, in order
 */
export function elementOf(
  name: string,
  elements: { readonly [name: string]: InputModel },
  draft: DagDraft,
): Input {
  const compute = async (parts: ComputeParts): Promise<unknown> => {
    const { mapIndex } = parts.context;
    if (mapIndex < 0) {
      const message = `input ${quote(name)}: this task is mapped, but was started without a map index`;
      throw new InputError("input-missing", name, message);
    }
    const names = Object.keys(elements);
    let index = mapIndex;
    for (const other of names.slice(names.indexOf(name) + 1).reverse()) {
      const count = await seriesOf(other, elements[other] as InputModel, draft, parts).count();
      if (count === 0) throw outOf(other, 0, mapIndex);
      index = Math.floor(index / count);
    }
    const series = seriesOf(name, elements[name] as InputModel, draft, parts);
    // The first name takes what is left: beyond its end there is no such instance.
    if (names.indexOf(name) > 0) index %= Math.max(1, await series.count());
    const found = await series.at(index);
    if (found === undefined) throw outOf(name, await series.count(), mapIndex);
    return found.value;
  };
  return new Input({ kind: "computed", compute });
}

function seriesOf(
  name: string,
  model: InputModel,
  draft: DagDraft,
  { client }: ComputeParts,
): Series {
  if (model.kind === "each-literal") return inMemory(() => Promise.resolve(model.value), name);
  if (model.kind !== "each") throw new TypeError(`${model.kind} is nothing to map over`);
  const { taskId, key } = model;
  const isMapped = (draft.tasks.get(taskId)?.expand ?? null) !== null;
  if (!isMapped) return inMemory(() => client.getXCom({ taskId, key }), name, taskId);
  return {
    count: () => client.countXComs({ taskId, key }),
    async at(index) {
      const part = await client.getXComSlice({ taskId, key, start: index, stop: index + 1 });
      return part.length === 0 ? undefined : { value: part[0] };
    },
  };
}

/** A list, or a map, whose entries are pairs then. */
function inMemory(load: () => Promise<unknown>, name: string, taskId?: string): Series {
  let loaded: Promise<readonly unknown[]> | undefined;
  const list = () => {
    loaded ??= load().then((whole) => elementsOf(whole, name, taskId));
    return loaded;
  };
  return {
    count: async () => (await list()).length,
    async at(index) {
      const all = await list();
      return index < all.length ? { value: all[index] } : undefined;
    },
  };
}

function elementsOf(whole: unknown, name: string, taskId: string | undefined): readonly unknown[] {
  if (Array.isArray(whole)) return whole;
  if (typeof whole === "object" && whole !== null && pythonKind(whole) === undefined) {
    return Object.entries(whole as { readonly [key: string]: JsonValue });
  }
  const message = `input ${quote(name)}: task ${quote(taskId ?? "")} stored no list and no map`;
  throw new InputError("input-missing", name, message);
}

function outOf(name: string, count: number, mapIndex: number): InputError {
  const message = `input ${quote(name)}: there are ${count} elements, too few for an instance ${mapIndex}`;
  return new InputError("input-missing", name, message);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
