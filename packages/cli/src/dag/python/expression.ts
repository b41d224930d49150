/** An expression of Python, as far as Dag files have them. */
export type Py =
  /** Text that is never broken: a name, a number, a literal. */
  | string
  /** `callee(…)`. */
  | { readonly callee: string; readonly args: readonly PyArgument[] }
  | { readonly list: readonly Py[] }
  | { readonly tuple: readonly Py[] }
  | { readonly dict: readonly (readonly [key: string, value: Py])[] }
  /** `a & b`, where it fits on a line; `long` else. */
  | { readonly operator: "&" | "|"; readonly operands: readonly Py[]; readonly long: Py }
  /** Pieces of one text, of which each may stand on a line of its own. */
  | { readonly whole: string; readonly pieces: readonly string[] };

/** An argument by position, or by name; `**` is a name, too. */
export type PyArgument = Py | readonly [name: string, value: Py];

/** `callee(…)`. */
export function call(callee: string, ...args: readonly PyArgument[]): Py {
  return { callee, args };
}

/** The arguments that have a value, by name. */
export function named(
  args: readonly (readonly [name: string, value: Py | undefined])[],
): readonly PyArgument[] {
  return args.filter((each): each is readonly [string, Py] => each[1] !== undefined);
}
