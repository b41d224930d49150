/** An object with the key `$` that is no value of the notation. */
export class NotationError extends Error {}

Object.defineProperty(NotationError.prototype, "name", { value: "NotationError" });
