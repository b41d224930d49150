import type { Py, PyArgument } from "./expression.ts";

/** That of black and ruff: what fits into it also fits where people allow longer lines. */
export const LINE_LENGTH = 88;
const INDENT = "    ";

/** Where an expression stands. */
export interface Place {
  /** Of the line that it begins on, in spaces. */
  readonly indent: string;
  /** What stands before it on that line, without the indent. */
  readonly before?: string;
  /** What has to follow on its last line, for example `:`. */
  readonly after?: string;
}

/**
 * An expression as black and ruff would leave it: on one line if it fits, else with each element of
 * the outermost brackets on a line of its own and a comma behind the last.
 *
 * @param place - `before` and `after` are part of the result, the indent of its first line is not
 */
export function layOut(py: Py, place: Place): string {
  const { indent, before = "", after = "" } = place;
  const flat = before + flatText(py) + after;
  if (typeof py === "string" || fits(indent + flat)) return flat;
  const isEmptyCall = "callee" in py && py.args.length === 0;
  if (isEmptyCall && before.endsWith(" = ") && fits(indent + INDENT + flatText(py))) {
    return `${before}(\n${indent}${INDENT}${flatText(py)}\n${indent})${after}`;
  }
  if ("operands" in py) return layOut(py.long, place);
  return before + explode(py, indent) + after;
}

/** The same, broken into lines even where it would fit. */
export function layOutLong(py: Py, place: Place): string {
  const { indent, before = "", after = "" } = place;
  return before + (typeof py === "string" ? py : explode(py, indent)) + after;
}

/** `a >> b >> c`; where that is too long, in brackets with a line for each, or with a list that is broken. */
export function chainLine(links: readonly Py[], indent: string): string {
  const flat = links.map(flatText).join(" >> ");
  if (fits(indent + flat)) return flat;
  const [from = "", to = "", ...more] = links;
  const lists = [from, to].filter((link) => typeof link === "object" && "list" in link);
  if (more.length === 0 && lists.length === 1) {
    const isFirst = lists[0] === from;
    return isFirst
      ? layOutLong(from, { indent, after: ` >> ${flatText(to)}` })
      : layOutLong(to, { indent, before: `${flatText(from)} >> ` });
  }
  const inner = indent + INDENT;
  const lines = links.map((link, at) => {
    return `${inner}${layOut(link, { indent: inner, before: at === 0 ? "" : ">> " })}\n`;
  });
  return `(\n${lines.join("")}${indent})`;
}

function explode(py: Exclude<Py, string>, indent: string): string {
  const inner = indent + INDENT;
  if ("operands" in py) return flatText(py);
  if ("pieces" in py) {
    const lines = py.pieces.map((piece) => `${inner}${piece}\n`);
    return lines.length < 2 ? flatText(py) : `(\n${lines.join("")}${indent})`;
  }
  const [open, close] = brackets(py);
  if (elements(py).length === 0) return open + close;
  const lines = elements(py).map(([name, value]) => {
    return `${inner}${layOut(value, { indent: inner, before: name, after: "," })}\n`;
  });
  return `${open}\n${lines.join("")}${indent}${close}`;
}

function flatText(py: Py): string {
  if (typeof py === "string") return py;
  if ("pieces" in py) return py.whole;
  if ("operands" in py) {
    const texts = py.operands.map((each) => {
      const isNested = typeof each === "object" && "operands" in each;
      return isNested ? `(${flatText(each)})` : flatText(each);
    });
    return texts.join(` ${py.operator} `);
  }
  const [open, close] = brackets(py);
  const texts = elements(py).map(([name, value]) => name + flatText(value));
  return open + texts.join(", ") + ("tuple" in py && texts.length === 1 ? "," : "") + close;
}

type Bracketed = Exclude<Py, string | { readonly whole: string } | { readonly long: Py }>;

function brackets(py: Bracketed): readonly [string, string] {
  if ("callee" in py) return [`${py.callee}(`, ")"];
  if ("list" in py) return ["[", "]"];
  return "tuple" in py ? ["(", ")"] : ["{", "}"];
}

function elements(py: Bracketed): readonly (readonly [before: string, value: Py])[] {
  if ("callee" in py) return py.args.map(argument);
  if ("dict" in py) return py.dict.map(([key, value]) => [`${key}: `, value] as const);
  return ("list" in py ? py.list : py.tuple).map((value) => ["", value] as const);
}

function argument(arg: PyArgument): readonly [string, Py] {
  if (!isNamed(arg)) return ["", arg];
  const [name, value] = arg;
  return [name === "**" ? "**" : `${name}=`, value];
}

function isNamed(arg: PyArgument): arg is readonly [string, Py] {
  return Array.isArray(arg);
}

/** Formatters count wide characters as two. */
function fits(line: string): boolean {
  if (line.length > LINE_LENGTH) return false;
  const wide = line.match(WIDE)?.length ?? 0;
  return line.length + wide <= LINE_LENGTH;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/gu;
