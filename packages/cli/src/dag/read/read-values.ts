import type { Py } from "../python/expression.ts";
import { isNumber } from "./json.ts";
import { UnwritableError } from "./unwritable-error.ts";
import { floatLiteral, numberLiteral, text } from "./value.ts";

/** Readers of fields whose type is fixed: each throws a UnwritableError for another one. */

export function textField(value: unknown): Py {
  if (typeof value !== "string") throw new UnwritableError("something else than text");
  return text(value);
}

export function flagField(value: unknown): Py {
  if (typeof value !== "boolean") throw new UnwritableError("something else than true or false");
  return value ? "True" : "False";
}

export function countField(value: unknown): Py {
  if (!isNumber(value) || (typeof value === "number" && !Number.isInteger(value))) {
    throw new UnwritableError("something else than a whole number");
  }
  return numberLiteral(value);
}

/** Never a boolean, though older Dags have them: `True` stands for 2 there. */
export function backoffField(value: unknown): Py | undefined {
  if (value === false) return undefined;
  if (value === true) return "2.0";
  if (!isNumber(value)) throw new UnwritableError("something else than a number");
  return floatLiteral(value);
}

/** One of some texts. */
export function oneOf(texts: readonly string[]): (value: unknown) => Py {
  return (value) => {
    if (typeof value === "string" && texts.includes(value)) return text(value);
    throw new UnwritableError(
      `${JSON.stringify(value)}, where Airflow 3.3 knows ${texts.join(", ")},`,
    );
  };
}
