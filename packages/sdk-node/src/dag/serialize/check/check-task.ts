import { params } from "./check-params.ts";
import {
  below,
  type Check,
  type Fields,
  fields,
  isRecord,
  kindOf,
  list,
  listOf,
  moment,
  number,
  orNull,
  text,
} from "./problems.ts";

const WEIGHT_RULES = ["absolute", "downstream", "upstream"];

const weightRule: Check = (value, path, tell) => {
  if (typeof value === "string" && (WEIGHT_RULES.includes(value) || value.includes("."))) return;
  tell(path, `is ${kindOf(value)}, expected ${WEIGHT_RULES.join(", ")} or the path of a class`);
};

/** A list of values with their type beside them, as assets are. */
const encoded = listOf((entry, path, tell) => {
  if (!isRecord(entry) || !Object.hasOwn(entry, "__type")) {
    tell(path, `is ${kindOf(entry)}, expected {"__type", "__var"}`);
  }
});

// The fields that Airflow 3.4.0b2 reads a value of the wrong type of with an exception. Others it takes
// as they come (`retries: "3"` too), and unknown ones as well.
const FIELDS: Fields = {
  task_id: text,
  retry_delay: orNull(number),
  max_retry_delay: orNull(number),
  execution_timeout: orNull(number),
  start_date: orNull(moment),
  end_date: orNull(moment),
  retry_exponential_backoff: (value, path, tell) => {
    if (typeof value !== "boolean") number(value, path, tell);
  },
  downstream_task_ids: orNull(listOf(text)),
  weight_rule: weightRule,
  inlets: encoded,
  outlets: encoded,
  params,
  template_fields: list,
};

const MAPPED = [
  "task_type",
  "_task_module",
  "_disallow_kwargs_override",
  "_expand_input_attr",
  "partial_kwargs",
];
const EXPANSIONS = ["dict-of-lists", "list-of-dicts"];

const checkExpansion: Check = (value, path, tell) => {
  if (!isRecord(value) || !EXPANSIONS.includes(String(value["type"]))) {
    tell(path, `is ${kindOf(value)}, expected {"type": "dict-of-lists", "value"}`);
  }
};

/** One entry of `tasks`. */
export const checkTask: Check = (value, path, tell) => {
  if (!isRecord(value) || value["__type"] !== "operator" || !isRecord(value["__var"])) {
    tell(path, `is ${kindOf(value)}, expected {"__type": "operator", "__var": {…}}`);
    return;
  }
  const at = below(path, "__var");
  const task = value["__var"];
  const isMapped = Boolean(task["_is_mapped"]);
  fields(FIELDS, { required: isMapped ? ["task_id", ...MAPPED] : ["task_id"] })(task, at, tell);
  if (!isMapped) return;
  const attribute = task["_expand_input_attr"];
  if (typeof attribute !== "string") return;
  checkExpansion(task[attribute], below(at, attribute), tell);
};
