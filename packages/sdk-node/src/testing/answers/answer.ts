import type { InstanceKey, MemoryState } from "../memory-state.ts";

/** A message in wire form. */
export interface Body {
  readonly [key: string]: unknown;
}

/** What goes back for a request: a body, an error, or neither. */
export interface Answer {
  readonly body?: Body | null;
  readonly error?: Body;
}

/** Who asks, and what is there. */
export interface Asking {
  readonly state: MemoryState;
  readonly instance: InstanceKey;
  /** The UUID of the task instance that asks. */
  readonly instanceId: string;
  /** Masked from now on. */
  readonly addSecret: (text: string) => void;
}

/** Answers one kind of request. */
export type Answerer = (body: Body, asking: Asking) => Answer;

/** Answerers by type of the request. */
export type Answerers = { readonly [type: string]: Answerer };

/** The answer without content. */
export const EMPTY: Answer = { body: null };

export const OK: Answer = { body: { type: "OKResponse", ok: true } };

/** An answer of this type. */
export function answer(type: string, fields: Body): Answer {
  return { body: { ...fields, type } };
}

/** What is not there: told in the body slot, as Airflow does it. */
export function notFound(error: string, detail: Body | null): Answer {
  return { body: { type: "ErrorResponse", error, detail } };
}

/** What Airflow's API refuses: told in the error slot. */
export function apiError(statusCode: number, message: string): Answer {
  const detail = { status_code: statusCode, message, detail: { message } };
  return { error: { type: "ErrorResponse", error: "API_SERVER_ERROR", detail } };
}

/** A text field; "" when it is missing. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A text field that may be null. */
export function optionalText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A number that may be null; 64-bit ones come as bigint. */
export function optionalNumber(value: unknown): number | null {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? value : null;
}

/** A list of texts, or undefined where none was sent: that narrows nothing. */
export function textFilter(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
