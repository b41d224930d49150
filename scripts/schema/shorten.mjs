// Most fields of a message are a text, a number or the like. Ajv writes ten lines for one; a call
// says the same, and every bundle of the Node SDK carries these modules.

const PUSH = String.raw`\(vErrors \?\?= \[\]\)\.push\(`;
const EXPECTED = String.raw`"(?:[^"\\]|\\.)*"`;
const OPEN = String.raw`if\(data\.(?<key>\w+) !== undefined\)\{\nlet (?<value>data\d+) = data\.\k<key>;\n(?<nullable>if\(\k<value> !== null\)\{\n)?`;
const CLOSE = String.raw`\}\n(?<extra>\}\n)?(?<demanded>else \{\n${PUSH}\{instancePath,fault:\{missing: "\k<key>"\}\}\);\nerrors\+\+;\n\}\n)?`;

const SINGLE = new RegExp(
  String.raw`${OPEN}if\(!\((?<check>.+)\)\)\{\n${PUSH}\{instancePath:instancePath\+"/\k<key>",fault:\{expected: (?<expected>${EXPECTED}), got: (?<got>\w+)\(\k<value>\)\}\}\);\nerrors\+\+;\n\}\n${CLOSE}`,
  "g",
);

const LIST = new RegExp(
  String.raw`${OPEN}if\(Array\.isArray\(\k<value>\)\)\{\nfor\(let (?<at>i\d+)=0; \k<at><\k<value>\.length; \k<at>\+\+\)\{\nlet (?<item>data\d+) = \k<value>\[\k<at>\];\nconst (?<before>_errs\d+) = errors;\nif\(!\((?<check>.+)\)\)\{\n${PUSH}\{instancePath:instancePath\+"/\k<key>/" \+ \k<at>,fault:\{expected: (?<expected>${EXPECTED}), got: (?<got>\w+)\(\k<item>\)\}\}\);\nerrors\+\+;\n\}\nvar (?<valid>valid\d+) = \k<before> === errors;\nif\(!\k<valid>\)\{\nbreak;\n\}\n\}\n\}\nelse \{\n${PUSH}\{instancePath:instancePath\+"/\k<key>",fault:\{expected: "a list", got: kindOf\(\k<value>\)\}\}\);\nerrors\+\+;\n\}\n${CLOSE}`,
  "g",
);

/** Checks by their code, `$` for the value, as src/validation/fields.ts has them. */
const CHECKS = new Map([
  ['typeof $ === "string"', ["text", '"text"', "kindOf"]],
  ['typeof $ === "boolean"', ["flag", '"true or false"', "kindOf"]],
  ["isInteger($)", ["integer", '"a whole number"', "kindOf"]],
  ["isDateTimeSent($)", ["dateTimeSent", '"a date-time with a zone"', "dateTimeKind"]],
  ["isDateTimeReceived($)", ["dateTimeReceived", '"a date-time"', "kindOf"]],
  ["isUuid($)", ["uuid", '"a UUID"', "kindOf"]],
]);
const CONSTANT = /^\$ === ("(?:[^"\\]|\\.)*")$/;

/** @param {string} code - tidied code of Ajv */
export function shorten(code) {
  return code
    .replace(LIST, (text, ...rest) => callOf(text, rest.at(-1), "listField"))
    .replace(SINGLE, (text, ...rest) => callOf(text, rest.at(-1), "field"))
    .replace(/^return errors === 0;$/gm, "return vErrors === null;");
}

function callOf(text, found, name) {
  if ((found.nullable === undefined) !== (found.extra === undefined)) return text;
  const check = found.check.replaceAll(found.item ?? found.value, "$");
  const flags = (found.demanded === undefined ? 0 : 1) + (found.nullable === undefined ? 0 : 2);
  const constant = CONSTANT.exec(check)?.[1];
  const rest = `(vErrors, instancePath, data.${found.key}, "${found.key}"`;
  if (constant !== undefined && found.expected === JSON.stringify(constant)) {
    return name === "field" ? `vErrors = constant${rest}, ${constant}, ${flags});\n` : text;
  }
  const [kind, expected, got] = CHECKS.get(check) ?? [];
  if (kind === undefined || expected !== found.expected || got !== found.got) return text;
  return `vErrors = ${name}${rest}, ${kind}, ${flags});\n`;
}
