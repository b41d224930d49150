import type { JSX } from "preact";
import { plainLine, plainText } from "../../../src/page-model/plain-text.ts";

interface FailureProps {
  readonly error: Error;
  readonly retry?: () => void;
  /** Of a view that has nothing else. */
  readonly title?: string;
}

/** Something could not be fetched. */
export function Failure({ error, retry, title }: FailureProps): JSX.Element {
  return (
    <div class="empty bad" role="alert">
      {title !== undefined && <h1>{plainLine(title)}</h1>}
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
