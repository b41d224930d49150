import { camelCase, Identifiers, pascalCase } from "./identifiers.ts";
import { inputText } from "./input-text.ts";
import type { StubFile, StubModel, StubTask } from "./stub-answer.ts";
import { keyText, TypeTexts, type TypeUse } from "./type-text.ts";

const MAX_WIDTH = 100;

/** What a task is called in the generated file. */
interface TaskNames {
  readonly inputs: string;
  readonly result: string;
  readonly handler: string;
  readonly stub: string;
}

/**
 * A TypeScript file with the types of a Dag file's stubs. The same stubs give the same text.
 *
 * @param command - the command line that makes it, for its head
 */
export function renderTypes(file: StubFile, command: string): string {
  const values = ["eachOf", "fromArgument", "fromTask", "literal", "TaskStub"];
  const types = ["CalendarDate", "DateTime", "Decimal", "Duration", "Float", "InputValues"];
  const taken = [...values, ...types, "PythonObject", "TaskHandler", "Uuid", "XComValue"];
  const identifiers = new Identifiers([...taken, "ReadonlySet", "Date"]);
  const modelNames = new Map(
    file.models.map(({ name }) => [name, identifiers.take(pascalName(name))] as const),
  );
  const texts = new TypeTexts(file.models, (name) => modelNames.get(name) ?? "XComValue");
  const used = new Set<string>();
  const blocks = file.models.map((model) => modelText(model, modelNames, texts));
  for (const { dagId, stubs } of file.dags) {
    const prefix = file.dags.length > 1 ? `${dagId} ` : "";
    for (const stub of stubs) {
      const names = namesOf(`${prefix}${stub.taskId}`, identifiers);
      blocks.push(stubText(dagId, stub, names, texts, used));
    }
  }
  for (const name of ["TaskHandler", "TaskStub"]) used.add(name);
  return [`// Made by \`${command}\`. Make it again when the Dag has changed.`]
    .concat(importText(used, texts.used), blocks)
    .join("\n\n")
    .concat("\n");
}

/** A class keeps its name where TypeScript can have it. */
function pascalName(name: string): string {
  return /^[A-Z_$][\w$]*$/i.test(name) ? name : pascalCase(name);
}

function namesOf(id: string, identifiers: Identifiers): TaskNames {
  const [camel, pascal] = [camelCase(id), pascalCase(id)];
  return {
    inputs: identifiers.take(`${camel}Inputs`),
    result: identifiers.take(`${pascal}Result`),
    handler: identifiers.take(`${pascal}Handler`),
    stub: identifiers.take(`${camel}Task`),
  };
}

function importText(values: ReadonlySet<string>, types: ReadonlySet<string>): string {
  const isType = (name: string) => types.has(name) || /^(?:TaskHandler|InputValues)$/.test(name);
  const names = [...new Set([...values, ...types])].sort((one, other) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1,
  );
  const lines = names.map((name) => `  ${isType(name) ? "type " : ""}${name},`);
  return `import {\n${lines.join("\n")}\n} from "@parlance/sdk-node";`;
}

function modelText(model: StubModel, names: ReadonlyMap<string, string>, texts: TypeTexts): string {
  // What lies in an object of a class is stored without the names of its own classes.
  const use: TypeUse = model.kind === "pydantic" ? "json" : "input";
  const inner = model.kind === "map" ? texts : texts.inside();
  const fields = model.fields.map(({ name, type, isOptional }) => {
    return `  readonly ${keyText(name)}${isOptional ? "?" : ""}: ${inner.text(type, use)};`;
  });
  const head = `/** \`${model.name}\` of the Dag file. */\nexport interface ${names.get(model.name)}`;
  return fields.length === 0 ? `${head} {}` : `${head} {\n${fields.join("\n")}\n}`;
}

function stubText(
  dagId: string,
  stub: StubTask,
  names: TaskNames,
  texts: TypeTexts,
  used: Set<string>,
): string {
  const inputs = stub.parameters.map((parameter) => {
    const { call, text } = inputText(parameter, texts);
    used.add(call);
    return `  ${keyText(parameter.name)}: ${text},`;
  });
  const hasInputs = inputs.length > 0;
  if (hasInputs) used.add("InputValues");
  const result = stub.returns?.kind === "none" ? "void" : texts.text(stub.returns, "result");
  const values = hasInputs ? `, InputValues<typeof ${names.inputs}>` : "";
  const declared = hasInputs ? `typeof ${names.inputs}` : "Record<never, never>";
  const words = [
    JSON.stringify(dagId),
    JSON.stringify(stub.taskId),
    hasInputs ? names.inputs : "{}",
  ];
  const options = optionsText(stub);
  if (options !== undefined) words.push(options);
  const lines = [
    ...(hasInputs ? [`export const ${names.inputs} = {\n${inputs.join("\n")}\n};`] : []),
    `export type ${names.result} = ${result};`,
    `export type ${names.handler} = TaskHandler<${names.result}${values}>;`,
    callText(`export const ${names.stub} = new TaskStub<${declared}, ${names.result}>`, words),
  ];
  return `${docText(dagId, stub)}\n${lines.join("\n")}`;
}

/** In one line where it has room. */
function callText(callee: string, words: readonly string[]): string {
  const line = `${callee}(${words.join(", ")});`;
  return line.length <= MAX_WIDTH ? line : `${callee}(\n  ${words.join(",\n  ")},\n);`;
}

function optionsText({ multipleOutputs, mapsDownstream }: StubTask): string | undefined {
  const options = Object.entries({ multipleOutputs, mapsDownstream }).filter(([, is]) => is);
  if (options.length === 0) return undefined;
  return `{ ${options.map(([name]) => `${name}: true`).join(", ")} }`;
}

function docText(dagId: string, stub: StubTask): string {
  const { taskId, function: name, upstream, isMapped, doc } = stub;
  const what = taskId.split(".").at(-1) === name ? "" : ` (\`${name}\`)`;
  const sentences = [
    `Task \`${taskId}\`${what} of Dag \`${dagId}\``,
    ...(isMapped ? [", mapped"] : []),
    ...(upstream.length === 0 ? [] : [`, after ${upstream.map((id) => `\`${id}\``).join(", ")}`]),
  ].join("");
  const lines = doc === null ? [] : ["", ...doc.split("\n")];
  if (lines.length === 0) return `/** ${sentences}. */`;
  const text = [`${sentences}.`, ...lines].map((line) =>
    ` * ${line}`.trimEnd().replaceAll("*/", "*\\/"),
  );
  return `/**\n${text.join("\n")}\n */`;
}
