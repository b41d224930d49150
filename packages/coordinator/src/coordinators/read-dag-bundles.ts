import { badConfig } from "./coordinator-config-error.ts";
import { readJson, readMap } from "./read-map.ts";

/** The folders of the Dag bundles, by name; undefined for one that is not a local folder. */
export type DagBundles = ReadonlyMap<string, string | undefined>;

/**
 * Reads Airflow's `[dag_processor] dag_bundle_config_list`.
 *
 * @throws CoordinatorConfigError `bad-config`
 */
export function readDagBundles(value: unknown): DagBundles {
  const list = readJson(value, "dag_bundle_config_list");
  if (!Array.isArray(list)) throw badConfig("dag_bundle_config_list is no JSON list");
  return new Map(
    list.map((item, index) => {
      const what = `dag_bundle_config_list[${index}]`;
      const { name, kwargs = {} } = readMap(item, what);
      if (typeof name !== "string") throw badConfig(`${what} has no name`);
      const { path } = readMap(kwargs, `${what}.kwargs`);
      return [name, typeof path === "string" ? path : undefined];
    }),
  );
}
