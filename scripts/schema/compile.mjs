// Ajv's standalone code for wire schemas, tidied into an ES module that imports our checks.
import { COMPANIONS, KEYWORDS, RUNTIME_NAMES } from "./keywords.mjs";
import { requireFromPackage } from "./load.mjs";
import { shorten } from "./shorten.mjs";

const { default: Ajv } = requireFromPackage("ajv");
const { default: standaloneCode } = requireFromPackage("ajv/dist/standalone/index.js");

/**
 * @param {Record<string, object>} definitions - wire schemas by name, refs as `#/$defs/Name`
 * @param {Record<string, string>} exported - name of the exported function -> definition
 * @param {string} runtime - the module that holds the checks, as the generated file imports it
 * @returns text of a module whose exports take a body and give a list of issues
 */
export function compileValidators(definitions, exported, runtime) {
  const ajv = new Ajv({
    allErrors: true, // first faults only where a body can be long: see keywords.mjs
    code: { esm: true, lines: true, optimize: true, source: true },
    inlineRefs: false,
    messages: false,
    strict: true,
    validateSchema: false,
  });
  ajv.addVocabulary(COMPANIONS);
  for (const keyword of KEYWORDS) ajv.addKeyword(keyword);
  ajv.addSchema({ $id: "wire", $defs: definitions });
  const refs = Object.fromEntries(
    Object.entries(exported).map(([name, definition]) => [name, `wire#/$defs/${definition}`]),
  );
  return tidy(standaloneCode(ajv, refs), runtime);
}

// Ajv's ways of collecting errors and of handing down what only `$data` would need.
const PUSH =
  /if\(vErrors === null\)\{\nvErrors = \[(err\d+)\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g;
const NAMED_ERROR = /const (err\d+) = (\{.*\});\n(\(vErrors \?\?= \[\]\)\.)push\(\1\);/g;
const SIGNATURE =
  /\(data, \{instancePath="", parentData, parentDataProperty, rootData=data\}=\{\}\)/g;
const PARENT = /,parentData(?::\w+)?,parentDataProperty(?::(?:\w+|"(?:[^"\\]|\\.)*"))?,rootData\}/g;

function tidy(source, runtime) {
  const tidied = dropUnusedSchemas(source)
    .replace(/^"use strict";\n?/, "")
    // Where in the schema a fault lies is of no use to anyone who reads the issue.
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",keyword:"\w+",params:/g, "fault:")
    .replace(PUSH, "(vErrors ??= []).push($1);")
    .replace(NAMED_ERROR, "$3push($2);")
    .replace(SIGNATURE, '(data, {instancePath=""}={})')
    .replace(PARENT, "}")
    .replace(
      /^export const (\w+) = (validate\d+);$/gm,
      "export const $1 = (body) => issues($2, body);",
    );
  const code = shorten(tidied);
  if (/require\(|schemaPath|parentData|rootData/.test(code))
    throw new Error("Ajv emitted something this script does not know");
  const used = RUNTIME_NAMES.filter((name) => new RegExp(`[ (![]${name}[(,\\]]`).test(code));
  return `import { ${["issues", ...used].join(", ")} } from "${runtime}";\n\n${code.trim()}\n`;
}

/** Ajv writes each schema out as a constant, which nothing here reads at run time. */
function dropUnusedSchemas(source) {
  const lines = source.split("\n");
  const names = new Map();
  for (const [name] of source.matchAll(/\bschema\d+\b/g))
    names.set(name, (names.get(name) ?? 0) + 1);
  return lines
    .filter((line) => {
      const name = /^const (schema\d+) = /.exec(line)?.[1];
      return name === undefined || names.get(name) > 1;
    })
    .join("\n");
}
