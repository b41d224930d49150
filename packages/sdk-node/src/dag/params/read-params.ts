import { findSchemaProblem } from "@parlance/protocol/json-schema";
import { InputError } from "../../inputs/input-error.ts";
import type { ParamModel } from "../dag-model.ts";

/**
 * The params of a run: what it was started with, else their defaults.
 *
 * @param conf - of the run; keys that are no params stay there
 * @throws InputError `input-missing` or `input-mismatch`
 */
export function readParams(
  params: readonly ParamModel[],
  conf: { readonly [key: string]: unknown },
): { readonly [name: string]: unknown } {
  const values = params.map(({ name, default: fallback, schema }) => {
    if (!Object.hasOwn(conf, name)) {
      if (fallback !== null) return [name, fallback.value] as const;
      const message = `param ${JSON.stringify(name)}: the run was started without it, and it has no default`;
      throw new InputError("input-missing", name, message);
    }
    const value = conf[name];
    const problem = findSchemaProblem(value, schema);
    if (problem === undefined) return [name, value] as const;
    throw new InputError("input-mismatch", name, `param ${JSON.stringify(name)} ${problem}`);
  });
  return Object.freeze(Object.fromEntries(values));
}
