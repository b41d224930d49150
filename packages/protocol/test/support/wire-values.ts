/** Stand-ins for what @parlance/framing decodes: this package must not import it. */

export class Timestamp {
  readonly seconds: bigint;
  readonly nanoseconds: number;

  constructor(seconds: bigint, nanoseconds = 0) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }

  toDate(): Date {
    return new Date(Number(this.seconds) * 1000 + Math.floor(this.nanoseconds / 1e6));
  }

  toISOString(): string {
    return this.toDate().toISOString();
  }
}

export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

// Own properties of the prototypes, as in framing.
Object.defineProperty(Timestamp.prototype, Symbol.for("parlance.timestamp"), { value: true });
Object.defineProperty(Float.prototype, Symbol.for("parlance.float"), { value: true });

/** The value behind the `{"$": …}` notation of the recordings. */
export function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== "object" || value === null) return value;
  const tagged = value as Record<string, string>;
  switch (tagged["$"]) {
    case undefined:
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]));
    case "datetime":
      return new Timestamp(BigInt(Math.floor(Date.parse(tagged["iso"] ?? "") / 1000)));
    case "int":
      return BigInt(tagged["v"] ?? "");
    case "float":
      return new Float(Number(tagged["v"]?.replace("inf", "Infinity")));
    default:
      throw new Error(`unknown notation ${tagged["$"]}`);
  }
}
