import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { CASE_SCHEMA } from "./case-schema.ts";
import type { ConformanceCase, Expectation, LinkPlan, SignalPlan, Tier } from "./case-types.ts";
import { fillIn } from "./fill-in.ts";

/** A file of cases can't be used: says the file, the case, the place and what was expected. */
export class CaseFileError extends Error {}
Object.defineProperty(CaseFileError.prototype, "name", { value: "CaseFileError" });

const OWN_CASES = fileURLToPath(new URL("../../cases", import.meta.url));
const DEFAULT_DEADLINE_SECONDS = 20;
/** The Dag that a runtime under test registers its handlers in. */
export const CONFORMANCE_DAG = "conformance";
/** Its run. */
export const RUN_ID = "manual__2026-06-16T01:02:03.123456+00:00";
/** Of every task instance: a request can name it. */
export const TASK_INSTANCE_ID = "0192f3c4-5d6e-7f80-9a1b-2c3d4e5f6071";
/** What cases may stand for by `$name`. */
const OF_EVERY_CASE = { run: RUN_ID, instance: TASK_INSTANCE_ID };

/** A case as it stands in a file. */
interface WrittenCase extends Partial<Omit<ConformanceCase, "id" | "title" | "tier" | "expect">> {
  readonly id: string;
  readonly title: string;
  readonly tier: Tier;
  readonly task?: string;
  readonly versions?: readonly SchemaVersion[];
  readonly variants?: { readonly [name: string]: { readonly [parameter: string]: unknown } };
  readonly link?: LinkPlan;
  readonly signal?: SignalPlan;
  readonly expect: Expectation;
}

/**
 * Reads the cases of a folder (the kit's own by default): every `*.yaml` in it is a list of cases, in the order of the
 * files' names. A case with `variants` becomes one case for each of them, `<id>/<variant>`; text that is just
 * `$name` stands for that parameter of the variant, `$run` and `$instance` for the ids of the run and of the task
 * instance; what stands for long values is in `fill-in.ts`.
 *
 * @throws CaseFileError for a file that is not such a list, and for an id that occurs twice
 */
export function loadCases(folder: string = OWN_CASES): readonly ConformanceCase[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const cases = files.flatMap((name) => readCases(join(folder, name), name));
  const seen = new Set<string>();
  for (const { id } of cases) {
    if (seen.has(id)) throw new CaseFileError(`the case ${id} stands twice in ${folder}`);
    seen.add(id);
  }
  return cases;
}

const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(
  CASE_SCHEMA,
);

function readCases(path: string, name: string): ConformanceCase[] {
  let written: unknown;
  try {
    written = parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CaseFileError(`${name} is no YAML: ${(error as Error).message}`);
  }
  if (!Array.isArray(written)) throw new CaseFileError(`${name} is no list of cases`);
  return written.flatMap((one: WrittenCase) =>
    expand(one).map((each) => checked(each, one.id, name)),
  );
}

/** The variants of a case, each with its parameters put in. */
function expand(written: WrittenCase): WrittenCase[] {
  const { variants, ...rest } = written;
  if (variants === undefined) return [fillIn(rest, OF_EVERY_CASE) as WrittenCase];
  return Object.entries(variants).map(([name, parameters]) => ({
    ...(fillIn(rest, { ...OF_EVERY_CASE, ...filled(parameters) }) as WrittenCase),
    id: `${written.id}/${name}`,
  }));
}

function filled(parameters: { readonly [name: string]: unknown }): {
  readonly [name: string]: unknown;
} {
  return fillIn(parameters, {}) as typeof parameters;
}

function checked(written: WrittenCase, family: string, file: string): ConformanceCase {
  const { id } = written;
  if (validate(written)) return complete(written, family);
  const [error] = validate.errors ?? [];
  const place = `${file}, case ${id}, ${error?.instancePath || "the case"}`;
  throw new CaseFileError(`${place}: ${error?.message} ${JSON.stringify(error?.params ?? {})}`);
}

function complete(written: WrittenCase, family: string): ConformanceCase {
  return {
    ...written,
    family,
    kind: written.kind ?? "task",
    needs: written.needs ?? [],
    dag: written.dag ?? CONFORMANCE_DAG,
    task: written.task ?? "",
    proves: written.proves ?? [],
    versions: written.versions ?? SCHEMA_VERSIONS,
    instance: written.instance ?? {},
    dagRun: written.dagRun ?? {},
    store: written.store ?? {},
    link: written.link ?? {},
    launch: written.launch ?? {},
    deadlineSeconds: written.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS,
  };
}
