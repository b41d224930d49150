import type { JSX } from "preact";
import type { Project } from "../../../../src/api/types.ts";

const EXAMPLE = `import { dag, serve } from "@parlance/sdk-node";

serve(
  dag("hello", { schedule: null })
    .task("greet", { retries: 2 }, () => "hello"),
);`;

/** There is nothing to show yet: what to do. */
export function NoDags({ project }: { project: Project }): JSX.Element {
  if (project.status === "loading") {
    return <p class="empty dim">The program is being built and asked for its Dags …</p>;
  }
  return (
    <section class="empty alone">
      <h1>No Dag yet</h1>
      {project.loadError === null ? (
        <>
          <p>The program of this project tells no Dag and has no task. A first one is short:</p>
          <pre>{EXAMPLE}</pre>
          <p>Save it in the file that the command was given; the page follows by itself.</p>
        </>
      ) : (
        <p>The program could not be loaded: what is wrong stands above.</p>
      )}
    </section>
  );
}
