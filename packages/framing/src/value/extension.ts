const BRAND: unique symbol = Symbol.for("parlance.extension") as never;

/** The extension type of MessagePack timestamps; they decode to `Timestamp`, not to this. */
export const TIMESTAMP_TYPE = -1;

/** A MessagePack extension other than the timestamp: a type number and its bytes, uninterpreted. */
export class Extension {
  /** -128 to 127, never -1. */
  readonly type: number;
  readonly data: Uint8Array;

  /** @throws RangeError when `type` is no signed byte, or is -1 (use `Timestamp`) */
  constructor(type: number, data: Uint8Array) {
    if (!Number.isInteger(type) || type < -128 || type > 127) {
      throw new RangeError(`new Extension: type ${type} is not an integer from -128 to 127`);
    }
    if (type === TIMESTAMP_TYPE) {
      throw new RangeError("new Extension: type -1 is the timestamp; use Timestamp");
    }
    this.type = type;
    this.data = data;
  }
}

Object.defineProperty(Extension.prototype, BRAND, { value: true });

/** True for an {@link Extension}, also one made by another copy of this package. */
export function isExtension(value: object): value is Extension {
  return (value as { [BRAND]?: boolean })[BRAND] === true;
}
