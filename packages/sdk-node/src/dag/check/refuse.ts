import { RegistrationError, type RegistrationErrorCode } from "../../errors.ts";
import { kindOf } from "../../outcomes/check-arguments.ts";

/** @throws RegistrationError always: the call, what arrived, what was expected */
export function refuse(
  where: string,
  what: string,
  value: unknown,
  expected: string,
  code: RegistrationErrorCode = "bad-option",
): never {
  throw new RegistrationError(code, `${where}: ${what} is ${kindOf(value)}, expected ${expected}`);
}

/** An object with options: no array, no class. @throws RegistrationError `bad-option` */
export function checkOptions(
  where: string,
  options: unknown,
  known: readonly string[],
  what: string = "options",
): { readonly [name: string]: unknown } {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    refuse(where, what, options, "an object");
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const wire = known.find(
      (each) => each.toLowerCase() === bare(name) || `${each}`.toLowerCase() === `${bare(name)}ms`,
    );
    const hint = wire === undefined ? `there are ${known.join(", ")}` : `it is called ${wire} here`;
    throw new RegistrationError("bad-option", `${where}: there is no option ${name}; ${hint}`);
  }
  return options as { readonly [name: string]: unknown };
}

/** Python's `retry_delay` is `retryDelayMs`. */
function bare(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
