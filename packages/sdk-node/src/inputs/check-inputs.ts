import { RegistrationError } from "../errors.ts";
import { findClash } from "./argument-names.ts";
import { type InputDeclarations, isInput } from "./input.ts";

/**
 * Checks the inputs that a task is registered with.
 *
 * @param where - the call, for the message
 * @throws RegistrationError `bad-option`
 */
export function checkInputs(inputs: unknown, where: string): asserts inputs is InputDeclarations {
  const refuse = (what: string) => new RegistrationError("bad-option", `${where}: ${what}`);
  if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
    throw refuse('inputs must be an object such as { rows: fromTask("extract") }');
  }
  for (const [name, input] of Object.entries(inputs)) {
    if (isInput(input)) continue;
    const expected = "fromTask(…), eachOf(…), fromConf(…) or literal(…)";
    throw refuse(`the input ${JSON.stringify(name)} is none; expected ${expected}`);
  }
  const clash = findClash(inputs as InputDeclarations);
  if (clash === undefined) return;
  const [one, other] = clash.map((name) => JSON.stringify(name));
  const what = `the inputs ${one} and ${other} would take the same argument of the Dag; name the parameters in Python, { argument: "…" }`;
  throw refuse(what);
}
