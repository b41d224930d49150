/** At most so often one thing is told to have grown, in milliseconds. */
const PAUSE_MS = 250;

/** Tells at once that something has grown, and then only now and then, but never forgets the last time. */
export class NewsThrottle<News> {
  readonly #tell: (news: News) => void;
  readonly #pauses = new Map<string, { readonly timer: NodeJS.Timeout; next: News | undefined }>();

  constructor(tell: (news: News) => void) {
    this.#tell = tell;
  }

  /** @param key - what has grown */
  add(key: string, news: News): void {
    const pause = this.#pauses.get(key);
    if (pause !== undefined) {
      pause.next = news;
      return;
    }
    const timer = setTimeout(() => this.#resume(key), PAUSE_MS);
    timer.unref();
    this.#pauses.set(key, { timer, next: undefined });
    this.#tell(news);
  }

  /** Tells what is left, and nothing after it. */
  close(): void {
    for (const { timer, next } of this.#pauses.values()) {
      clearTimeout(timer);
      if (next !== undefined) this.#tell(next);
    }
    this.#pauses.clear();
  }

  #resume(key: string): void {
    const next = this.#pauses.get(key)?.next;
    this.#pauses.delete(key);
    if (next !== undefined) this.add(key, next);
  }
}
