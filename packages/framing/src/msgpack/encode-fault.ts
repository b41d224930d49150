type PathStep = string | number;

/** How much of a path is shown: a cycle's would have a thousand steps. */
const SHOWN_STEPS = 12;

/**
 * Why a value has no form on the wire, and where it stands; collected on the way out, so that
 * a good value costs nothing. `encodeFrame` makes it a `FrameError` `cannot-encode`.
 *
 * @internal
 */
export class EncodeFault extends Error {
  readonly steps: PathStep[] = []; // innermost first

  /** Notes that the fault is under this key or index. */
  static under(error: unknown, step: PathStep): unknown {
    if (error instanceof EncodeFault) error.steps.push(step);
    return error;
  }

  /** For example `body.rows[3].price`. */
  path(): string {
    const steps = this.steps.slice().reverse();
    const shown = steps.slice(0, SHOWN_STEPS).map(showStep).join("");
    return steps.length > SHOWN_STEPS ? `${shown}…` : shown;
  }
}

function showStep(step: PathStep, position: number): string {
  if (typeof step === "number") return `[${step}]`;
  if (!/^[A-Za-z_$][\w$]{0,60}$/.test(step)) return `[${JSON.stringify(step.slice(0, 60))}]`;
  return position === 0 ? step : `.${step}`;
}
