import { ResultsError } from "../errors.ts";
import { kindOf } from "./kind-of.ts";

/**
 * Holds an id to what every database can keep apart: text of at least one character, without lone
 * surrogates, and without U+0000 on PostgreSQL. Its length is checked against the column later.
 *
 * @throws ResultsError `bad-value`
 */
export function checkId(call: string, what: "task" | "group", id: unknown, dialect: string): void {
  if (typeof id !== "string" || id === "") {
    const shown = id === "" ? "empty text" : kindOf(id);
    const hint = typeof id === "number" ? ` Celery's ids are text: String(id).` : "";
    throw refuse(call, what, `${shown}; expected text of 1 to 155 characters.${hint}`);
  }
  if (hasLoneSurrogate(id)) {
    throw refuse(
      call,
      what,
      "text with half a surrogate pair, which has no UTF-8; expected whole characters.",
    );
  }
  if (dialect === "postgresql" && id.includes("\0")) {
    throw refuse(
      call,
      what,
      "text with U+0000, which PostgreSQL can't hold; expected an id without.",
    );
  }
}

/** Whether text has no UTF-8 form. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function refuse(call: string, what: string, why: string): ResultsError {
  return new ResultsError("bad-value", `${call}: the ${what} id is ${why}`, {
    facts: { operation: call, field: `${what}Id` },
  });
}
