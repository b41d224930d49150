import type { DagModel } from "../dag-model.ts";
import { assetKey, conditionAssets } from "./assets.ts";
import type { Encoded } from "./encode.ts";

interface Dependency {
  readonly source: string;
  readonly target: string;
  readonly label: string;
  readonly dependency_type: "asset";
  readonly dependency_id: string;
}

/** The arrows between this Dag and assets in Airflow's graph of Dags. */
export function encodeDependencies(dag: DagModel): readonly Encoded[] {
  const { dagId, schedule } = dag;
  const made = dag.tasks.flatMap(({ outlets }) => {
    const each = new Map(outlets.map((asset) => [assetKey(asset), asset])); // once a task
    return Array.from(each.values(), (asset) => ({ asset, source: dagId, target: "asset" }));
  });
  const awaited = schedule.kind === "assets" ? conditionAssets(schedule.condition) : [];
  return [...made, ...awaited.map((asset) => ({ asset, source: "asset", target: dagId }))]
    .map(({ asset, source, target }): Dependency => {
      const dependency_id = assetKey(asset);
      return { source, target, label: asset.name, dependency_type: "asset", dependency_id };
    })
    .sort(inOrder);
}

function inOrder(one: Dependency, other: Dependency): number {
  for (const field of ["source", "target", "label", "dependency_id"] as const) {
    if (one[field] !== other[field]) return one[field] < other[field] ? -1 : 1;
  }
  return 0;
}
