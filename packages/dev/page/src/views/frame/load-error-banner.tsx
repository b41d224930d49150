import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Project } from "../../../../src/api/types.ts";
import { plainText } from "../../../../src/page-model/plain-text.ts";
import { ClockTime } from "../../parts/clock-time.tsx";
import { ScrollBox } from "../../parts/scroll-box.tsx";
import { announce } from "../../state/announce.ts";

const TITLES = {
  build: "The newest code does not compile",
  parse: "The program did not tell its Dags",
  import: "A Dag is faulty",
};

/** Why the newest code is not in use. */
export function LoadErrorBanner({ project }: { project: Project }): JSX.Element | null {
  const { loadError, loadedAt } = project;
  useEffect(() => {
    if (loadError !== null) announce(TITLES[loadError.kind]);
  }, [loadError?.at]);
  if (loadError === null) return null;
  return (
    <section class="banner" aria-labelledby="load-error">
      <h2 id="load-error">{TITLES[loadError.kind]}</h2>
      <ScrollBox label="What was said">
        <pre>{plainText(loadError.text)}</pre>
      </ScrollBox>
      <p>
        {loadedAt === null ? (
          "Nothing can be run before this is mended; the page follows by itself."
        ) : (
          <>
            Runs use the code of <ClockTime iso={loadedAt} /> until this is mended; the page follows
            by itself.
          </>
        )}
      </p>
    </section>
  );
}
