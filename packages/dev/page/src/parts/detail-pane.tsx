import type { ComponentChildren, JSX } from "preact";

interface PaneProps {
  readonly label: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Below a list: what is chosen in it. Escape closes it, whether one is in it or in the list. */
export function DetailPane({ label, title, onClose, children }: PaneProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it
    <section class="detail" aria-label={label} tabIndex={0}>
      <div class="detail-head">
        <span class="dim">{title}</span>
        <button type="button" class="quiet" aria-label="Close the detail" onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </section>
  );
}
