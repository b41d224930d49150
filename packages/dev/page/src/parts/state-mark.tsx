import type { JSX } from "preact";
import type { RunState, TaskState } from "../../../src/api/types.ts";
import { stateLook } from "../../../src/page-model/state-look.ts";

/** A state by colour, sign and word. */
export function StateMark({ state }: { state: TaskState | RunState }): JSX.Element {
  const { name, sign, label } = stateLook(state);
  return (
    <span class="state-mark">
      <span class={`state s-${name}`} aria-hidden="true">
        {sign}
      </span>
      {label}
    </span>
  );
}
