/** What a program must not call a variable. */
const RESERVED: ReadonlySet<string> = new Set([
  ..."await break case catch class const continue debugger default delete do else enum export extends false".split(
    " ",
  ),
  ..."finally for function if implements import in instanceof interface let new null package private".split(
    " ",
  ),
  ..."protected public return static super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
]);

/** Words of an id: `load.daily-sales` has three, as has `load_dailySales`. */
function wordsOf(id: string): string[] {
  return id
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** `DailySales` */
export function pascalCase(id: string): string {
  const text = wordsOf(id)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
  return /^\p{N}|^$/u.test(text) ? `Task${text}` : text;
}

/** `dailySales` */
export function camelCase(id: string): string {
  const text = pascalCase(id);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Gives out identifiers, each once: a taken one gets a number. */
export class Identifiers {
  readonly #taken: Set<string> = new Set(RESERVED);

  /** @param taken - names that are there already */
  constructor(taken: Iterable<string> = []) {
    for (const name of taken) this.#taken.add(name);
  }

  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }
}
