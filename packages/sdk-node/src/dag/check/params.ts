import { findSchemaProblem } from "@parlance/protocol/json-schema";
import type { JsonValue } from "../../client/xcom-value.ts";
import { RegistrationError } from "../../errors.ts";
import { checkJsonValue } from "../../values/encode-value.ts";
import type { ParamModel } from "../dag-model.ts";
import { Param } from "../params/param.ts";
import { refuse } from "./refuse.ts";

/** Reads the option `params`. @throws RegistrationError `bad-option` */
export function readParamModels(where: string, given: unknown): readonly ParamModel[] {
  if (given === undefined) return [];
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    refuse(where, "params", given, 'an object such as { region: param("eu") }');
  }
  return Object.entries(given).map(([name, declared]) => readParam(where, name, declared));
}

function readParam(where: string, name: string, declared: unknown): ParamModel {
  const what = `params.${name}`;
  if (!(declared instanceof Param)) {
    refuse(where, what, declared, "param(default, { … }) or requiredParam({ … })");
  }
  const { fallback, options } = declared;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    refuse(where, `what describes ${what}`, options, "an object such as { minimum: 1 }");
  }
  const { description = null, ...keywords } = options;
  if (description !== null && typeof description !== "string") {
    refuse(where, `${what}: its description`, description, "text");
  }
  const said = Object.fromEntries(
    Object.entries(keywords).filter(([, value]) => value !== undefined),
  );
  try {
    checkJsonValue(said, `${what}: its schema`);
    if (fallback !== null) checkJsonValue(fallback.value, `${what}: its default`);
  } catch (error) {
    throw new RegistrationError("bad-option", `${where}: ${(error as Error).message}`);
  }
  const type = said["type"] ?? (fallback === null ? undefined : typeOf(fallback.value));
  const schema = { ...(type !== undefined && { type }), ...said } as ParamModel["schema"];
  const problem = fallback === null ? undefined : findSchemaProblem(fallback.value, schema);
  if (problem !== undefined) {
    throw new RegistrationError("bad-option", `${where}: the default of ${what} ${problem}`);
  }
  return { name, default: fallback as { readonly value: JsonValue } | null, description, schema };
}

/** The type that a default has; none for null, since the value is to be something else some day. */
function typeOf(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "integer" : typeof value;
}
