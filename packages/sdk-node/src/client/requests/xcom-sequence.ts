import { InvalidRequestError, NotFoundError } from "../../errors.ts";
import type { XComSequence, XComSequenceOptions } from "../api/xcoms.ts";
import type { TaskClient } from "../task-client.ts";

const PAGE_SIZE = 50;

/** {@link XComSequence} over a client's calls for one series; a page of it is in memory at a time. */
export class PagedXComSequence<Value> implements XComSequence<Value> {
  readonly #client: TaskClient;
  readonly #options: XComSequenceOptions;
  readonly #pageSize: number;

  /** @throws InvalidRequestError `invalid-request` */
  constructor(client: TaskClient, options: XComSequenceOptions) {
    const pageSize = options?.pageSize ?? PAGE_SIZE;
    if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
      const message = `getXComSequence got pageSize ${String(pageSize)}, expected a whole number above 0`;
      throw new InvalidRequestError("invalid-request", "/pageSize", message);
    }
    this.#client = client;
    this.#options = options;
    this.#pageSize = pageSize;
  }

  count(): Promise<number> {
    return this.#client.countXComs(this.#options);
  }

  async at(index: number): Promise<Value | undefined> {
    try {
      return await this.#client.getXComItem<Value>({ ...this.#options, index });
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  slice(
    start: number | null = null,
    stop: number | null = null,
    step: number | null = null,
  ): Promise<readonly Value[]> {
    return this.#client.getXComSlice<Value>({ ...this.#options, start, stop, step });
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Value> {
    for (let start = 0; ; start += this.#pageSize) {
      const page = await this.slice(start, start + this.#pageSize);
      yield* page;
      if (page.length < this.#pageSize) return;
    }
  }
}
