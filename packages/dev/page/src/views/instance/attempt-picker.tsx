import type { JSX } from "preact";
import type { Attempt } from "../../../../src/api/types.ts";
import { stateLook } from "../../../../src/page-model/state-look.ts";

interface PickerProps {
  readonly attempts: readonly Attempt[];
  readonly chosen: Attempt | undefined;
  readonly onChoose: (tryNumber: number) => void;
}

/** Which try's log or frames are shown. */
export function AttemptPicker({ attempts, chosen, onChoose }: PickerProps): JSX.Element | null {
  if (attempts.length < 2) return null;
  return (
    <fieldset class="tries">
      <legend class="unseen">Try</legend>
      {attempts.map((attempt) => {
        const { tryNumber, state, attemptId } = attempt;
        const { name, sign, label } = stateLook(state);
        return (
          <button
            key={attemptId}
            type="button"
            aria-pressed={attempt === chosen}
            aria-label={`Try ${tryNumber}, ${label}`}
            onClick={() => onChoose(tryNumber)}
          >
            <span class={`state s-${name}`} aria-hidden="true">
              {sign}
            </span>
            try {tryNumber}
          </button>
        );
      })}
    </fieldset>
  );
}
