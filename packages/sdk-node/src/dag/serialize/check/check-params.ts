import { checkEncoded } from "./check-encoded.ts";
import { below, type Check, isDeep, isRecord, kindOf, listOf } from "./problems.ts";

/** `[[name, {"__class", "default", "description", "schema", "source"}], …]`. */
export const params: Check = listOf((entry, path, tell) => {
  if (!Array.isArray(entry) || entry.length !== 2 || isDeep(entry[0])) {
    tell(path, `is ${kindOf(entry)}, expected [name, param]`);
    return;
  }
  const [, param] = entry as readonly unknown[];
  if (!isRecord(param)) return; // a value alone, as Airflow 2 wrote it
  const { schema } = param;
  const isEmpty = Array.isArray(schema) ? schema.length === 0 : !schema; // to Python
  if (!isEmpty && !isRecord(schema)) {
    tell(below(below(path, 1), "schema"), `is ${kindOf(schema)}, expected an object`);
  }
  for (const field of ["default", "schema"]) {
    const value = param[field];
    // A plain object, without a type, is from times when they were not encoded.
    if (isRecord(value) && Object.hasOwn(value, "__type")) {
      checkEncoded(value, below(below(path, 1), field), tell);
    }
  }
});
