/** Why the handler is called again after `defer` or `awaitInput`. */
export interface Resumption {
  /** The `resumeMethod` that was given. */
  readonly method: string;
  /** What the trigger fired with, or the answer as Airflow sends it; undefined when there is none. */
  readonly event: unknown;
  /** The `kwargs` that were given. */
  readonly kwargs: { readonly [name: string]: unknown };
  /** The answer to `awaitInput`; null after `defer`. */
  readonly answer: HumanAnswer | null;
}

/** What a person answered. */
export interface HumanAnswer {
  readonly chosenOptions: readonly string[];
  /** What was filled in, by the field's name. */
  readonly params: { readonly [name: string]: unknown };
  /** Null when nobody answered and the defaults were taken. */
  readonly respondedAt: Date | null;
  readonly respondedBy: { readonly id: string; readonly name: string } | null;
  /** The time was over, and these are the defaults. */
  readonly timedOut: boolean;
}
