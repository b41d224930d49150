import type { ParamModel } from "../dag-model.ts";
import { type Encoded, encodeJson, typed } from "./encode.ts";

/** The params of a Dag, in order: `[[name, param], …]`. */
export function encodeParams(params: readonly ParamModel[], source: "dag" | null): Encoded {
  return params.map(({ name, default: given, description, schema }) => [
    name,
    {
      __class: "airflow.sdk.definitions.param.Param",
      default: given === null ? typed("arg_not_set", null) : encodeJson(given.value),
      description,
      schema: encodeJson(schema),
      source,
    },
  ]);
}
