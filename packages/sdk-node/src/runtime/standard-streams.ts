import type { Writable } from "node:stream";

const NAMES = ["stdout", "stderr"] as const;

/**
 * The standard streams that the program has used. Node makes each when it is first asked for, which
 * takes one to two milliseconds, and a task whose `console` goes into its log has no need of them.
 */
export class StandardStreams {
  readonly #used = new Set<(typeof NAMES)[number]>();

  /** From now on notices the use of a stream, and lets no error of one end the process. */
  watch(target: NodeJS.Process): void {
    for (const name of NAMES) {
      const getter = Object.getOwnPropertyDescriptor(target, name)?.get;
      if (getter === undefined) {
        this.#use(name, target[name]); // somebody has put another one in its place
        continue;
      }
      Object.defineProperty(target, name, {
        configurable: true,
        enumerable: true,
        get: () => {
          const stream = getter.call(target) as Writable;
          this.#use(name, stream);
          return stream;
        },
      });
    }
  }

  /** Those that may hold output. */
  used(target: NodeJS.Process): readonly Writable[] {
    return [...this.#used].map((name) => target[name]);
  }

  #use(name: (typeof NAMES)[number], stream: Writable): void {
    if (this.#used.has(name)) return;
    this.#used.add(name);
    stream.on("error", () => {}); // its reader may go at any time
  }
}
