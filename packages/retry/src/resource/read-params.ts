import type { ParamsDescription } from "./dag-description.ts";
import { badDag, FieldReader } from "./field-reader.ts";
import type { ParamResource } from "./task-resource.ts";

/** The Dag's params, then the task's; one of the same name takes the place of the Dag's. */
export function readParams(
  ofDag: ParamsDescription | undefined,
  ofTask: ParamsDescription | undefined,
  path: string,
): Readonly<Record<string, ParamResource>> {
  const params = new Map<string, ParamResource>();
  add(params, ofDag, "dag", "dag.params");
  add(params, ofTask, "task", `${path}.params`);
  return Object.fromEntries(params);
}

function add(
  params: Map<string, ParamResource>,
  given: ParamsDescription | null | undefined,
  source: "dag" | "task",
  path: string,
): void {
  if (given === undefined || given === null) return;
  if (typeof given !== "object" || Array.isArray(given)) throw badDag(path, "has to be an object");
  for (const [name, param] of Object.entries(given)) {
    const reader = new FieldReader(param, `${path}.${name}`);
    const schema = reader.raw("schema") ?? {};
    if (typeof schema !== "object" || Array.isArray(schema)) {
      throw badDag(`${path}.${name}.schema`, "has to be an object");
    }
    params.set(name, {
      value: reader.raw("value") ?? null,
      schema: schema as Readonly<Record<string, unknown>>,
      description: reader.text("description", null),
      source,
    });
  }
}
