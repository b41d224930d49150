import type { ComponentChildren, JSX } from "preact";
import { ScrollBox } from "./scroll-box.tsx";

interface PaneProps {
  readonly label: string;
  readonly title: string;
  readonly onClose: () => void;
  /** The id of the list, which gets the focus when this is closed. */
  readonly listId: string;
  readonly children: ComponentChildren;
}

/** Below a list: what is chosen in it. Escape closes it, whether one is in it or in the list. */
export function DetailPane({ label, title, onClose, listId, children }: PaneProps): JSX.Element {
  const close = (): void => {
    document.getElementById(listId)?.focus();
    onClose();
  };
  return (
    <section
      class="detail"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
    >
      <div class="detail-head">
        <span class="dim">{title}</span>
        <button type="button" class="quiet" aria-label="Close the detail" onClick={close}>
          ✕
        </button>
      </div>
      <ScrollBox label="All of it">{children}</ScrollBox>
    </section>
  );
}
