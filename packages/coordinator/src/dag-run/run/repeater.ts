/** Does a piece of work as often as it is asked to, one at a time; what is asked meanwhile comes after. */
export class Repeater {
  readonly #work: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #isAsked = false;
  #working: Promise<void> | undefined;

  constructor(work: () => Promise<void>, onError: (error: unknown) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  /** Whether it was asked for again since the work began. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  ask(): void {
    this.#isAsked = true;
    this.#working ??= this.#go().finally(() => {
      this.#working = undefined;
      if (this.#isAsked) this.ask();
    });
  }

  /** Does something else in between two rounds, so that neither sees the other half done. */
  async between<T>(work: () => Promise<T>): Promise<T> {
    while (this.#working !== undefined) await this.#working;
    const doing = work();
    this.#working = doing
      .then(
        () => {},
        () => {}, // told to who asked
      )
      .finally(() => {
        this.#working = undefined;
        if (this.#isAsked) this.ask();
      });
    return await doing;
  }

  async #go(): Promise<void> {
    try {
      while (this.#isAsked) {
        this.#isAsked = false;
        await this.#work();
      }
    } catch (error) {
      this.#isAsked = false;
      this.#onError(error);
    }
  }
}
