// The Dag in TypeScript that the kit asks of who declares native-dag-authoring.
import { asset, dag, literal, param } from "@parlance/sdk-node";

export const native = dag("conformance_native", {
  schedule: asset({ name: "conformance_trigger", uri: "s3://conformance/trigger" }),
  params: { region: param("eu") },
})
  .task(
    "extract",
    { outlets: [asset({ name: "conformance_asset", uri: "s3://conformance/asset" })] },
    () => [1, 2, 3],
  )
  .task("load", { inputs: { rows: "extract", limit: literal(10) } }, ({ inputs }) => ({
    rows: inputs.rows,
    limit: inputs.limit,
  }))
  .branch("choose", { choices: ["small", "large"] }, () => "small")
  .task("small", () => {})
  .task("large", () => {})
  .task("region", ({ params }) => params.region)
  .task("each", { forEach: { row: "extract" } }, ({ inputs }) => inputs.row)
  .group("checks", (checks) => checks.task("count", () => {}));
