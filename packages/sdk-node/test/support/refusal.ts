import { RegistrationError } from "@parlance/sdk-node";
import * as assert from "uvu/assert";

/** What is refused when a Dag is declared: the name of the case, the call, what its message says. */
export type RefusedCase = readonly [name: string, call: () => unknown, expected: RegExp];

/** The code and the message of the RegistrationError that a call throws; "nothing" when it throws none. */
export function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    assert.instance(error, RegistrationError);
    return `${(error as RegistrationError).code}: ${(error as Error).message}`;
  }
  return "nothing";
}
