import { type Check, kindOf, listOf } from "./problems.ts";

/** `[[name, {"__class", "default", "description", "schema", "source"}], …]`. */
export const params: Check = listOf((entry, path, tell) => {
  if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== "string") {
    tell(path, `is ${kindOf(entry)}, expected [name, param]`);
  }
});
