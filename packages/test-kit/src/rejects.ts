import * as assert from "uvu/assert";

type Coded = Error & { readonly code?: string };

/** The promise must reject with an Error of this `code`; gives the error for further checks. */
export async function rejects(promise: Promise<unknown>, code?: string): Promise<Coded> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return checked(error, code);
  }
  assert.unreachable(`expected a rejection with ${code ?? "an Error"}, got ${String(value)}`);
  throw new Error("unreachable");
}

/** The call must throw an Error of this `code`; gives the error for further checks. */
export function throws(call: () => unknown, code?: string): Coded {
  try {
    call();
  } catch (error) {
    return checked(error, code);
  }
  assert.unreachable(`expected a throw with ${code ?? "an Error"}`);
  throw new Error("unreachable");
}

function checked(error: unknown, code: string | undefined): Coded {
  assert.instance(error, Error);
  if (code !== undefined) assert.is((error as Coded).code, code, (error as Coded).message);
  return error as Coded;
}
