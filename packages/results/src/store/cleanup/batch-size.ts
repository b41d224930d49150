/** Under the 100 ms that nobody should have to wait for a lock, with room for a batch that goes slower. */
const TARGET_MS = 50;
/** Left for rows where a batch takes the target and more by itself: no size helps then. */
const LEAST_ROWS_MS = 15;
const FIRST_ROWS = 10_000;
const LEAST_ROWS = 1000;
const MOST_ROWS = 100_000;
/** What a batch may take if all that the one before took was for its rows. */
const MOST_MS = 95;
const MOST_GROWTH = 5;

/**
 * Finds the size at which a batch takes about 50 ms. A batch costs something by itself (a commit that
 * waits for the disk, the pages of an index that every batch writes) and something for each row; only
 * the second gets less with the size, so making batches small on a slow disk would make all slower.
 * Two batches of different sizes tell the one from the other.
 */
export class BatchSize {
  rows: number = FIRST_ROWS;
  #before: { readonly rows: number; readonly ms: number; readonly ownMs: number } | undefined;

  /** Tells how long a batch of `rows` took. */
  took(ms: number): void {
    const rowMs = this.#rowMs(ms);
    const ownMs = ms - rowMs * this.rows;
    this.#before = { rows: this.rows, ms, ownMs };
    const wanted = Math.max(TARGET_MS - ownMs, LEAST_ROWS_MS) / rowMs;
    const growth = Math.min(MOST_GROWTH, Math.max(1, MOST_MS / Math.max(ms, 0.1)));
    const steered = Math.min(Math.max(wanted, this.rows / 2), this.rows * growth);
    this.rows = Math.round(Math.min(MOST_ROWS, Math.max(LEAST_ROWS, steered)));
  }

  /** What a row costs; at least a twentieth of its share of the batch, since times jump. */
  #rowMs(ms: number): number {
    const share = Math.max(ms, 0.1) / this.rows;
    const before = this.#before;
    if (before === undefined) return share / 2;
    const difference = this.rows - before.rows;
    const rowMs =
      Math.abs(difference) < this.rows / 10
        ? (ms - before.ownMs) / this.rows
        : (ms - before.ms) / difference;
    return Math.min(share, Math.max(share / 20, rowMs));
  }
}
