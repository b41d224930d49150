import { median } from "./statistics.mjs";

/** The figures of a row's peer. A row is measured also without: a peer that fails is left out. */
export class PeerFigures {
  figures = [];
  #sample;

  /** @param {(() => number | Promise<number>) | undefined} sample undefined: there is no peer */
  constructor(sample) {
    this.#sample = sample;
  }

  async warmUp() {
    await this.take();
    this.figures.length = 0;
  }

  async take() {
    try {
      const figure = await this.#sample?.();
      if (figure !== undefined) this.figures.push(figure);
    } catch (error) {
      console.error(`  the peer was not measured: ${error.message}`);
      this.#sample = undefined;
      this.figures.length = 0;
    }
  }

  /** `{ peer }`, or an empty object; the median, or what `summary` makes of the figures. */
  result(summary = median) {
    return this.figures.length === 0 ? {} : { peer: summary(this.figures) };
  }
}
