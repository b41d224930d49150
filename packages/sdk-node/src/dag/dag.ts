import { DagDraft } from "./build/draft.ts";
import { readDagFacts } from "./check/dag-facts.ts";
import { DagBuilder } from "./dag-builder.ts";
import type { NoDeclarations, ParamDeclarations } from "./types/flow-types.ts";
import type { DagOptions } from "./types/options.ts";

/**
 * Declares a whole Dag in TypeScript:
 *
 *     const pipeline = dag("sales_pipeline", { schedule: "@daily" })
 *       .task("extract", { retries: 3 }, async () => [{ cents: 7 }])
 *       .task("total", { inputs: { rows: "extract" } }, ({ inputs }) => inputs.rows.length);
 *
 *     serve(pipeline);
 *
 * Airflow 3.4 reads it from the program itself, 3.3 from the stubs that `parlance dag emit` writes,
 * and `parlance run` runs it without Airflow.
 *
 * @param id - letters, digits, `_`, `-` and `.`
 * @throws RegistrationError `bad-id` or `bad-option`
 */
export function dag<Params extends ParamDeclarations = NoDeclarations>(
  id: string,
  options: DagOptions<Params> = {},
): DagBuilder<NoDeclarations, Params> {
  return new DagBuilder(new DagDraft(readDagFacts(id, options)), null);
}
