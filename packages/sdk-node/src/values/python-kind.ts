const KIND: unique symbol = Symbol.for("parlance.python-kind") as never;

/** The classes of this package that stand for Python's. */
export type PythonKind =
  | "datetime"
  | "date"
  | "timedelta"
  | "decimal"
  | "uuid"
  | "tuple"
  | "frozenset"
  | "timezone"
  | "object";

/** Marks the instances of a class, so that those of another copy of this package are known too. */
export function markKind(prototype: object, kind: PythonKind): void {
  Object.defineProperty(prototype, KIND, { value: kind });
}

/** Which of the classes a value is of; undefined for any other. */
export function pythonKind(value: object): PythonKind | undefined {
  return (value as { [KIND]?: PythonKind })[KIND];
}
