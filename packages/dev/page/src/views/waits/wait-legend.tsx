import type { JSX } from "preact";

/** What the parts of the drawings are. */
export function WaitLegend(): JSX.Element {
  return (
    <p class="legend dim" aria-hidden="true">
      <span class="swatch base" /> base
      <span class="swatch jitter" /> jitter
      <span class="swatch cut-off" /> cut off
      <span class="swatch cap" /> cap
    </p>
  );
}
