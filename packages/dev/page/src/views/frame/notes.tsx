import type { JSX } from "preact";
import { plainText } from "../../../../src/page-model/plain-text.ts";
import { announcement, dismiss, notes } from "../../state/announce.ts";

/** What has just happened, for eyes and for screen readers. */
export function Notes(): JSX.Element {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {announcement.value}
      </div>
      <section class="notes" aria-label="What has just happened">
        {notes.value.map(({ id, text, isError }) => (
          <div key={id} class={isError ? "note bad" : "note"}>
            <span>{plainText(text)}</span>
            <button
              type="button"
              class="quiet"
              aria-label="Close this note"
              onClick={() => dismiss(id)}
            >
              ✕
            </button>
          </div>
        ))}
      </section>
    </>
  );
}
