// Most fields of a message are a text, a number or the like, and most messages have no others. Ajv
// writes ten lines for such a field; a row of a table says the same, and every bundle of the Node SDK
// carries these modules.

const PUSH = String.raw`\(vErrors \?\?= \[\]\)\.push\(`;
const EXPECTED = String.raw`"(?:[^"\\]|\\.)*"`;
const GIVEN = String.raw`if\(data\.(?<key>\w+) !== undefined\)\{\n`;
const OPEN = String.raw`${GIVEN}let (?<value>data\d+) = data\.\k<key>;\n(?<nullable>if\(\k<value> !== null\)\{\n)?`;
const CLOSE = String.raw`\}\n(?<extra>\}\n)?(?<demanded>else \{\n${PUSH}\{instancePath,fault:\{missing: "\k<key>"\}\}\);\nerrors\+\+;\n\}\n)?`;
const AT_KEY = String.raw`${PUSH}\{instancePath:instancePath\+"/\k<key>"`;

const SINGLE = new RegExp(
  String.raw`${OPEN}if\(!\((?<check>.+)\)\)\{\n${AT_KEY},fault:\{expected: (?<expected>${EXPECTED}), got: (?<got>\w+)\(\k<value>\)\}\}\);\nerrors\+\+;\n\}\n${CLOSE}`,
  "g",
);
const LIST = new RegExp(
  String.raw`${OPEN}if\(Array\.isArray\(\k<value>\)\)\{\nfor\(let (?<at>i\d+)=0; \k<at><\k<value>\.length; \k<at>\+\+\)\{\nlet (?<item>data\d+) = \k<value>\[\k<at>\];\nconst (?<before>_errs\d+) = errors;\nif\(!\((?<check>.+)\)\)\{\n${PUSH}\{instancePath:instancePath\+"/\k<key>/" \+ \k<at>,fault:\{expected: (?<expected>${EXPECTED}), got: (?<got>\w+)\(\k<item>\)\}\}\);\nerrors\+\+;\n\}\nvar (?<valid>valid\d+) = \k<before> === errors;\nif\(!\k<valid>\)\{\nbreak;\n\}\n\}\n\}\nelse \{\n${AT_KEY},fault:\{expected: "a list", got: kindOf\(\k<value>\)\}\}\);\nerrors\+\+;\n\}\n${CLOSE}`,
  "g",
);
const JSON_FIELD = new RegExp(
  String.raw`(?:${OPEN}|${GIVEN.replaceAll("key", "bareKey")})const (?<found>found\d+) = (?<check>json\w*Fault)\((?:\k<value>|data\.\k<bareKey>)\);\nif\(\k<found> !== undefined\)\{\n${PUSH}\{instancePath:instancePath\+"/(?:\k<key>|\k<bareKey>)",fault:\k<found>\}\);\nerrors\+\+;\n\}\n${CLOSE.replaceAll(String.raw`\k<key>`, String.raw`(?:\k<key>|\k<bareKey>)`)}`,
  "g",
);

/** Checks by their code, `$` for the value, as src/validation/fields.ts has them. */
const CHECKS = new Map([
  ['typeof $ === "string"', ["text", '"text"', "kindOf"]],
  ['typeof $ === "boolean"', ["flag", '"true or false"', "kindOf"]],
  ["isInteger($)", ["integer", '"a whole number"', "kindOf"]],
  ["isNumber($)", ["float", '"a finite number"', "kindOf"]],
  ["isDateTimeSent($)", ["dateTimeSent", '"a date-time with a zone"', "dateTimeKind"]],
  ["isDateTimeReceived($)", ["dateTimeReceived", '"a date-time"', "kindOf"]],
  ["isDuration($)", ["duration", '"a duration (ISO 8601 text or seconds)"', "kindOf"]],
  ["isUuid($)", ["uuid", '"a UUID"', "kindOf"]],
  ["isFreeMap($)", ["freeMap", '"a map with text keys"', "kindOf"]],
]);
const CONSTANT = /^\$ === ("(?:[^"\\]|\\.)*")$/;

/** @param {string} code - tidied code of Ajv */
export function shorten(code) {
  const short = code
    .replace(LIST, (text, ...rest) => fieldOf(text, rest.at(-1)))
    .replace(SINGLE, (text, ...rest) => fieldOf(text, rest.at(-1)))
    .replace(JSON_FIELD, (text, ...rest) => jsonFieldOf(text, rest.at(-1)))
    .replace(/^return errors === 0;$/gm, "return vErrors === null;");
  return tables(short);
}

function fieldOf(text, found) {
  const check = found.check.replaceAll(found.item ?? found.value, "$");
  const constant = CONSTANT.exec(check)?.[1];
  if (constant !== undefined && found.item === undefined) {
    return found.expected === JSON.stringify(constant) ? call(text, found, constant) : text;
  }
  const [kind, expected, got] = CHECKS.get(check) ?? [];
  if (kind === undefined || expected !== found.expected || got !== found.got) return text;
  return call(text, found, found.item === undefined ? kind : `[${kind}]`);
}

function jsonFieldOf(text, found) {
  const key = found.key ?? found.bareKey;
  return call(text, { ...found, key }, found.check === "jsonFault" ? "json" : "jsonMap");
}

function call(text, { key, nullable, extra, demanded }, wanted) {
  if ((nullable === undefined) !== (extra === undefined)) return text;
  const flags = (demanded === undefined ? 0 : 1) + (nullable === undefined ? 0 : 2);
  return `vErrors = field(vErrors, instancePath, data.${key}, "${key}", ${wanted}, ${flags});\n`;
}

const ROW = String.raw`vErrors = field\(vErrors, instancePath, data\.\w+, .*\);\n`;
const FLAT = new RegExp(
  String.raw`function (validate\d+)\(data, \{instancePath=""\}=\{\}\)\{\nlet vErrors = null;\nlet errors = 0;\nif\(isMap\(data\)\)\{\n((?:${ROW})+)(for\(const key0 of unknownFields\(data, keyword\d+\)\)\{\n${PUSH}\{instancePath,fault:\{unknown: key0\}\}\);\nerrors\+\+;\n\}\n)?\}\nelse \{\n${PUSH}\{instancePath,fault:\{expected: "a map", got: kindOf\(data\)\}\}\);\nerrors\+\+;\n\}\n\1\.errors = vErrors;\nreturn vErrors === null;\n\}\n`,
  "g",
);

/** Functions that do nothing but judge fields, as tables. */
function tables(code) {
  const short = code.replace(FLAT, (_text, name, rows, closed) => {
    const lines = rows.replace(/^.*?, data\.\w+, (.*)\);$/gm, "[$1],");
    return `const ${name} = fields([\n${lines}]${closed === undefined ? "" : ", true"});\n`;
  });
  // The names of a closed map, which its table has.
  return short.replace(/^const (keyword\d+) = new Set\(.*\);\n/gm, (line, name) =>
    short.split(new RegExp(String.raw`\b${name}\b`)).length > 2 ? line : "",
  );
}
