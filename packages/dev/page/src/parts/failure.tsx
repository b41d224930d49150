import type { JSX } from "preact";
import { plainText } from "../../../src/page-model/plain-text.ts";

/** Something could not be fetched. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  return (
    <div class="empty bad" role="alert">
      <p>{plainText(error.message)}</p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Until the first answer; nothing moves, it is there at once as a rule. */
export function Loading(): JSX.Element {
  return <p class="empty dim">Loading …</p>;
}
