import { basename, extname } from "node:path";
import type { FilePath } from "../find/walk-files.ts";
import { isMetadataMap, type MetadataMap, type MetadataValue } from "../metadata/values.ts";
import type { Finding } from "./bundle-problems.ts";
import type { AirflowLine } from "./doctor-report.ts";

/** What does no harm to the tasks of a bundle, and is not what was meant. */
export function notesOn(
  metadata: MetadataMap,
  path: FilePath,
  airflow: AirflowLine,
): readonly Finding[] {
  const findings: Finding[] = [];
  const mistyped = mistypedTexts(metadata);
  if (mistyped.length > 0) {
    findings.push({
      code: "unquoted-version",
      severity: "note",
      message: `YAML does not read as text: ${mistyped.join(", ")} (a number or a date without quotes). Airflow runs the bundle all the same.`,
      mend: "Pack it again; what is meant as text is then quoted.",
      repack: "",
    });
  }
  const ending = extname(basename(path.toString()));
  if (airflow === "3.4" && ending !== "") {
    findings.push({
      code: "name-with-ending",
      severity: "note",
      message: `Its name ends with ${JSON.stringify(ending)}: Airflow 3.4 looks for native Dags in bundles without an ending only. Tasks of Python Dags run all the same.`,
      mend: "If it defines Dags of its own, give it a name without a dot.",
    });
  }
  return findings;
}

/** Where a text is meant and something else is read; the schema version is an error of its own. */
function mistypedTexts(metadata: MetadataMap): readonly string[] {
  const sdk = metadata.get("sdk");
  const ofSdk = isMetadataMap(sdk) ? sdk : new Map<MetadataValue, MetadataValue>();
  const texts: readonly (readonly [string, MetadataValue | undefined])[] = [
    ["airflow_bundle_metadata_version", metadata.get("airflow_bundle_metadata_version")],
    ["sdk.language", ofSdk.get("language")],
    ["sdk.version", ofSdk.get("version")],
    ...taskIds(metadata),
  ];
  return texts
    .filter(([, value]) => value !== undefined && typeof value !== "string")
    .map(([name]) => name);
}

function* taskIds(metadata: MetadataMap): Generator<readonly [string, MetadataValue]> {
  const dags = metadata.get("dags");
  if (!isMetadataMap(dags)) return;
  for (const [dagId, dag] of dags) {
    const tasks = isMetadataMap(dag) ? dag.get("tasks") : undefined;
    if (!Array.isArray(tasks)) continue;
    const other = (tasks as readonly MetadataValue[]).find((task) => typeof task !== "string");
    if (other !== undefined) yield [`a task of ${String(dagId)}`, other];
  }
}
