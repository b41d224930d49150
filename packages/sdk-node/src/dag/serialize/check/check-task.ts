import { checkEncoded } from "./check-encoded.ts";
import { checkExpansion } from "./check-expansion.ts";
import { params } from "./check-params.ts";
import { PLAIN_FIELDS } from "./plain-fields.ts";
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
  record,
  text,
} from "./problems.ts";

const WEIGHT_RULES = ["absolute", "downstream", "upstream"];

const weightRule: Check = (value, path, tell) => {
  if (typeof value === "string" && WEIGHT_RULES.includes(value)) return;
  tell(path, `is ${kindOf(value)}, expected ${WEIGHT_RULES.join(", ")}`);
};

/** A number, or what is one to Python. */
const loose: Check = (value, path, tell) => {
  if (typeof value !== "boolean") number(value, path, tell);
};

// The fields that Airflow 3.4.0b2 reads a value of the wrong type of with an exception. Others it takes
// as they come: `retries: "3"` too.
const FIELDS: Fields = {
  task_id: text,
  retry_delay: orNull(loose),
  max_retry_delay: orNull(loose),
  execution_timeout: orNull(loose),
  start_date: orNull(moment),
  end_date: orNull(moment),
  retry_exponential_backoff: loose,
  downstream_task_ids: orNull(listOf(text)),
  weight_rule: weightRule,
  params,
  template_fields: list,
};

/** What Airflow reads without looking into it. */
const TAKEN: readonly string[] = ["partial_kwargs", "expand_input", "is_stub", "_arg_bindings"];

const MAPPED_FIELDS = [
  "task_type",
  "_task_module",
  "_disallow_kwargs_override",
  "_expand_input_attr",
];

/** One entry of `tasks`. */
export const checkTask: Check = (value, path, tell) => {
  if (!isRecord(value) || value["__type"] !== "operator" || !isRecord(value["__var"])) {
    tell(path, `is ${kindOf(value)}, expected {"__type": "operator", "__var": {…}}`);
    return;
  }
  const at = below(path, "__var");
  const task = value["__var"];
  const isMapped = Boolean(task["_is_mapped"]);
  fields(FIELDS, { required: isMapped ? ["task_id", ...MAPPED_FIELDS] : ["task_id"] })(
    task,
    at,
    tell,
  );
  const taken = isMapped ? [...TAKEN, "_task_module", "_operator_name"] : TAKEN;
  for (const [name, entry] of Object.entries(task)) {
    if (Object.hasOwn(FIELDS, name) || taken.includes(name) || PLAIN_FIELDS.has(name)) continue;
    checkEncoded(entry, below(at, name), tell);
  }
  if (!isMapped) return;
  if (task["partial_kwargs"] !== undefined) {
    record(task["partial_kwargs"], below(at, "partial_kwargs"), tell);
  }
  const attribute = task["_expand_input_attr"];
  if (typeof attribute !== "string" || task[attribute] === undefined) return;
  checkExpansion(task[attribute], below(at, attribute), tell);
};
