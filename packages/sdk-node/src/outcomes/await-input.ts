import { checkJsonValue } from "../values/encode-value.ts";
import {
  checkRecord,
  optionalDuration,
  optionalText,
  refuse,
  textOf,
  textsOf,
} from "./check-arguments.ts";
import { checkResume, type ResumeOptions } from "./defer.ts";
import { type Assignee, type InputField, TaskOutcome } from "./task-outcome.ts";

/** What a person is asked. */
export interface InputRequest extends ResumeOptions {
  /** The headline. */
  readonly subject: string;
  /** What is needed to decide, in Markdown. */
  readonly body?: string | undefined;
  /** What may be chosen; at least one, for example `["OK"]` where only a form is to be filled in. */
  readonly options: readonly string[];
  /** What counts as chosen when nobody answers in time. @default the task fails then */
  readonly defaults?: string | readonly string[] | undefined;
  /** More than one option may be chosen. @default false */
  readonly multiple?: boolean | undefined;
  /** Fields of a form, by name. @default none */
  readonly params?: { readonly [name: string]: InputField } | undefined;
  /** Who may answer. @default everybody who may edit the task */
  readonly assignees?: readonly Assignee[] | undefined;
  /** How long to wait. @default no limit */
  readonly timeoutMs?: number | undefined;
}

/**
 * Asks a person and ends the process; the task is `awaiting_input` and holds no worker. When the
 * answer is there the handler is called again, from its beginning, in a new process, with
 * `resumed.answer`: `{ chosenOptions, params, respondedAt, respondedBy, timedOut }`.
 *
 * @throws TaskOutcome always; InvalidRequestError when an argument is wrong
 */
export function awaitInput(request: InputRequest): never {
  const call = "awaitInput(…)";
  checkRecord(call, "", request, "a question such as { subject, options }");
  const options = textsOf(call, "/options", request.options, "a list of what may be chosen");
  if (options.length === 0) {
    refuse(call, "/options", request.options, 'at least one, for example ["OK"]');
  }
  const twice = options.findIndex((option, index) => options.indexOf(option) !== index);
  if (twice >= 0) refuse(call, `/options/${twice}`, options[twice], "one that is not there before");
  const multiple = request.multiple ?? false;
  if (typeof multiple !== "boolean") refuse(call, "/multiple", multiple, "true or false");
  const facts = {
    kind: "await-input",
    subject: textOf(call, "/subject", request.subject, "a headline"),
    body: optionalText(call, "/body", request.body),
    options,
    defaults: checkDefaults(call, request.defaults, options, multiple),
    multiple,
    params: checkParams(call, request.params),
    assignees: checkAssignees(call, request.assignees),
    timeoutMs: optionalDuration(call, "/timeoutMs", request.timeoutMs),
    ...checkResume(call, request),
  } as const;
  throw new TaskOutcome(facts, `the task waits for an answer to ${JSON.stringify(facts.subject)}`);
}

function checkDefaults(
  call: string,
  given: unknown,
  options: readonly string[],
  multiple: boolean,
): readonly string[] | null {
  if (given === undefined || given === null) return null;
  const list = typeof given === "string" ? [given] : given;
  const defaults = textsOf(call, "/defaults", list, "one of the options, or a list of them");
  const stranger = defaults.findIndex((each) => !options.includes(each));
  if (stranger >= 0) {
    refuse(call, `/defaults/${stranger}`, defaults[stranger], `one of ${options.join(", ")}`);
  }
  if (!multiple && defaults.length > 1) {
    refuse(call, "/defaults", given, "one option, since `multiple` is not set");
  }
  return defaults;
}

function checkParams(call: string, given: unknown): { readonly [name: string]: InputField } {
  if (given === undefined || given === null) return {};
  checkRecord(call, "/params", given, "fields by name");
  for (const [name, field] of Object.entries(given)) {
    const path = `/params/${name}`;
    if (name === "_options")
      refuse(call, path, field, "another name: Airflow uses this one itself");
    checkRecord(call, path, field, "a field such as { value, description, schema }");
    optionalText(call, `${path}/description`, field["description"]);
    const { schema = {} } = field;
    checkRecord(call, `${path}/schema`, schema, "a JSON schema");
  }
  checkJsonValue(given, `${call}, params`);
  return given as { readonly [name: string]: InputField };
}

function checkAssignees(call: string, given: unknown): readonly Assignee[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) refuse(call, "/assignees", given, "a list of { id, name }");
  return given.map((user, index) => {
    const path = `/assignees/${index}`;
    checkRecord(call, path, user, "a user such as { id, name }");
    const id = textOf(call, `${path}/id`, user["id"], "the user's id");
    return { id, name: textOf(call, `${path}/name`, user["name"] ?? id, "the user's name") };
  });
}
