import { checkEncoded } from "./check-encoded.ts";
import { below, type Check, isRecord, kindOf } from "./problems.ts";

/** What a mapped task is mapped over: `{"type": "dict-of-lists", "value": {"__type": "dict", …}}`. */
export const checkExpansion: Check = (value, path, tell) => {
  if (isRecord(value) && value["type"] === "dict-of-lists" && isRecord(value["value"])) {
    checkEncoded(value["value"], below(path, "value"), tell);
  } else {
    tell(path, `is ${kindOf(value)}, expected {"type": "dict-of-lists", "value": {…}}`);
  }
};
