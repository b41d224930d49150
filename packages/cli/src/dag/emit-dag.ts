import type { Finding } from "./read/findings.ts";
import { readDag } from "./read/read-dag.ts";
import { renderDag } from "./render/render-dag.ts";

/** A Dag's Python file. */
export interface EmittedDag {
  readonly dagId: string;
  /** Without the comment at its head. */
  readonly python: string;
  /** What the file leaves out or says in another way. */
  readonly warnings: readonly Finding[];
  /** With one of these the file is not what the Dag is: it must not be written. */
  readonly faults: readonly Finding[];
}

/**
 * The Python file of stubs for a serialised Dag.
 *
 * @param document - `{"__version": 3, "dag": {…}}`, as a program answers a Dag parse request
 * @param options - `queue` is that of tasks that name none
 */
export function emitDag(
  document: unknown,
  options: { readonly queue?: string | undefined } = {},
): EmittedDag {
  const { facts, findings } = readDag(document, options.queue);
  const python = renderDag(facts, findings);
  return { dagId: facts.dagId, python, warnings: findings.warnings, faults: findings.faults };
}
