import type { DevEvent } from "../api/types.ts";

/** An event with its id, as the stream carries it. */
export interface NumberedEvent {
  readonly id: string;
  /** JSON, one line. */
  readonly text: string;
}

/**
 * The last events, so that who was away for a moment misses nothing. Ids begin with a mark of this
 * server: those of one that has ended are known as such.
 */
export class EventJournal {
  readonly #mark: string;
  readonly #size: number;
  readonly #kept: NumberedEvent[] = [];
  #last = 0;

  constructor(mark: string, size: number) {
    this.#mark = mark;
    this.#size = size;
  }

  /** Id of the newest event. */
  get lastId(): string {
    return this.#idOf(this.#last);
  }

  add(event: DevEvent): NumberedEvent {
    this.#last++;
    const numbered = { id: this.lastId, text: JSON.stringify(event) };
    this.#kept.push(numbered);
    if (this.#kept.length > this.#size) this.#kept.shift();
    return numbered;
  }

  /** The events after this one; undefined where some of them are no longer kept, or the id is not ours. */
  after(id: string): readonly NumberedEvent[] | undefined {
    const [, mark, digits] = /^([\w-]+)\.(\d{1,15})$/.exec(id) ?? [];
    const number = Number(digits);
    if (mark !== this.#mark || number > this.#last) return undefined;
    const missed = this.#last - number;
    if (missed > this.#kept.length) return undefined;
    return missed === 0 ? [] : this.#kept.slice(-missed);
  }

  #idOf(number: number): string {
    return `${this.#mark}.${number}`;
  }
}
