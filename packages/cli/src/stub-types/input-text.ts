import type { PythonType, StubParameter } from "./stub-answer.ts";
import { type TypeTexts, valueText } from "./type-text.ts";

/** The declaration of one input, and what functions of @parlance/sdk-node it calls. */
export interface InputText {
  readonly call: "eachOf" | "fromArgument" | "fromTask" | "literal";
  readonly text: string;
}

/** A parameter of a stub as the declaration of an input. */
export function inputText({ type, source }: StubParameter, types: TypeTexts): InputText {
  const typed = (call: InputText["call"], own: PythonType | null, argument: string): InputText => ({
    call,
    text: `${call}${own === null ? "" : `<${types.text(own, "input")}>`}(${argument})`,
  });
  switch (source.kind) {
    case "task": {
      const options = source.key === null ? "" : `, { key: ${JSON.stringify(String(source.key))} }`;
      return typed("fromTask", type ?? source.returns, JSON.stringify(source.taskId) + options);
    }
    case "each":
      return "taskId" in source
        ? typed("eachOf", type, JSON.stringify(source.taskId))
        : typed("eachOf", ownType(type, source.values), valueText(source.values));
    case "literal":
      return typed("literal", ownType(type, [source.value]), valueText(source.value));
    case "argument":
      return typed("fromArgument", type, "");
  }
}

const ANY: PythonType = { kind: "any" };

/**
 * The type of values that are written in the Dag: that of the annotation where they have it, else
 * (null) the one that they have, since Airflow does not check them. A null alone has none.
 */
function ownType(type: PythonType | null, values: readonly unknown[]): PythonType | null {
  if (type !== null && values.every((value) => fits(value, type))) return type;
  return values.every((value) => value === null || Array.isArray(value) || isMap(value))
    ? ANY
    : null;
}

function fits(value: unknown, type: PythonType): boolean {
  switch (type.kind) {
    case "int":
    case "float":
      return typeof value === "number";
    case "str":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "none":
      return value === null;
    case "any":
      return true;
    case "list":
      return Array.isArray(value) && value.every((item) => fits(item, type.item));
    case "map":
      return isMap(value) && Object.values(value).every((item) => fits(item, type.item));
    case "tuple":
      if (!Array.isArray(value)) return false;
      return type.rest === null
        ? value.length === type.items.length &&
            type.items.every((item, at) => fits(value[at], item))
        : value.every((item) => fits(item, type.rest as PythonType));
    case "union":
      return type.of.some((each) => fits(value, each));
    case "literal":
      return type.values.includes(value);
    default:
      return false;
  }
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("$int" in value);
}
