import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { CASE_SCHEMA } from "./case-schema.ts";
import type { ConformanceCase, Expectation, LinkPlan, SignalPlan, Tier } from "./case-types.ts";

/** A file of cases can't be used: says the file, the case, the place and what was expected. */
export class CaseFileError extends Error {}
Object.defineProperty(CaseFileError.prototype, "name", { value: "CaseFileError" });

const OWN_CASES = fileURLToPath(new URL("../../cases", import.meta.url));
const DEFAULT_DEADLINE_SECONDS = 20;

/** A case as it stands in a file. */
interface WrittenCase extends Partial<Omit<ConformanceCase, "id" | "title" | "tier" | "expect">> {
  readonly id: string;
  readonly title: string;
  readonly tier: Tier;
  readonly task: string;
  readonly versions?: readonly SchemaVersion[];
  readonly variants?: { readonly [name: string]: { readonly [parameter: string]: unknown } };
  readonly link?: LinkPlan;
  readonly signal?: SignalPlan;
  readonly expect: Expectation;
}

/**
 * Reads the cases of a folder (the kit's own by default): every `*.yaml` in it is a list of cases, in the order of the
 * files' names. A case with `variants` becomes one case for each of them, `<id>/<variant>`; text that is just
 * `$name` stands for that parameter of the variant, `{$repeat: [text, n]}` in a parameter for a long text.
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

const validate = new Ajv({ strict: true, strictTypes: false }).compile(CASE_SCHEMA);

function readCases(path: string, name: string): ConformanceCase[] {
  let written: unknown;
  try {
    written = parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CaseFileError(`${name} is no YAML: ${(error as Error).message}`);
  }
  if (!Array.isArray(written)) throw new CaseFileError(`${name} is no list of cases`);
  return written.flatMap((one: WrittenCase) => expand(one).map((each) => checked(each, name)));
}

/** The variants of a case, each with its parameters put in. */
function expand(written: WrittenCase): WrittenCase[] {
  const { variants, ...rest } = written;
  if (variants === undefined) return [rest];
  return Object.entries(variants).map(([name, parameters]) => ({
    ...(fill(rest, fill(parameters, {}) as typeof parameters) as WrittenCase),
    id: `${written.id}/${name}`,
  }));
}

function checked(written: WrittenCase, file: string): ConformanceCase {
  const { id } = written;
  if (validate(written)) return complete(written);
  const [error] = validate.errors ?? [];
  const place = `${file}, case ${id}, ${error?.instancePath || "the case"}`;
  throw new CaseFileError(`${place}: ${error?.message} ${JSON.stringify(error?.params ?? {})}`);
}

function complete(written: WrittenCase): ConformanceCase {
  return {
    ...written,
    proves: written.proves ?? [],
    versions: written.versions ?? SCHEMA_VERSIONS,
    instance: written.instance ?? {},
    store: written.store ?? {},
    link: written.link ?? {},
    address: written.address ?? "ipv4",
    deadlineSeconds: written.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS,
  };
}

/** Puts a variant's parameters in; a whole text `$name` becomes the value, `${name}` in a text its text. */
function fill(value: unknown, parameters: { readonly [name: string]: unknown }): unknown {
  if (typeof value === "string") {
    if (/^\$[a-z]\w*$/i.test(value) && Object.hasOwn(parameters, value.slice(1))) {
      return parameters[value.slice(1)];
    }
    return value.replace(/\$\{(\w+)\}/g, (text, name: string) =>
      Object.hasOwn(parameters, name) ? String(parameters[name]) : text,
    );
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, parameters));
  if (typeof value !== "object" || value === null) return value;
  const { $repeat } = value as { readonly $repeat?: readonly [string, number] };
  if ($repeat !== undefined) return $repeat[0].repeat($repeat[1]);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fill(inner, parameters)]),
  );
}
