import type { JSX } from "preact";

/** The cookie is no longer good. */
export function EndedView(): JSX.Element {
  return (
    <main class="empty alone">
      <h1>This page is no longer let in</h1>
      <p>
        The server has been started anew, or the session is over. Open the address that{" "}
        <code>parlance dev</code> printed in the terminal: each works once.
      </p>
    </main>
  );
}
