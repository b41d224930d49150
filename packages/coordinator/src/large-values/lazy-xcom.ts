import type { StoredXCom } from "../store/task-store.ts";
import { ExactJsonBytes } from "./exact-json-bytes.ts";

const BYTES = new WeakMap<StoredXCom, ExactJsonBytes>();

/** An XCom whose value is made when it is first looked at: who only passes it on never does. */
export function lazyXCom(facts: Omit<StoredXCom, "value">, json: Uint8Array): StoredXCom {
  const bytes = new ExactJsonBytes(json);
  let made: { readonly value: unknown } | undefined;
  const xcom: StoredXCom = {
    ...facts,
    get value() {
      made ??= { value: bytes.toValue() };
      return made.value;
    },
  };
  BYTES.set(xcom, bytes);
  return xcom;
}

/** What goes into an answer: the value, or where it is large and was not made yet, its bytes. */
export function passOn(xcom: StoredXCom): unknown {
  return BYTES.get(xcom) ?? xcom.value;
}
