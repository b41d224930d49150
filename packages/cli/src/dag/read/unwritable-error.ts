/** A value of a serialised Dag that a Python file can't have; its message follows "has". */
export class UnwritableError extends Error {}

Object.defineProperty(UnwritableError.prototype, "name", { value: "UnwritableError" });
