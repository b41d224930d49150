import type { BaseCoordinator } from "./base-coordinator.ts";
import { badConfig } from "./coordinator-config-error.ts";
import { ExecutableCoordinator } from "./executable-coordinator.ts";
import { JavaCoordinator } from "./java-coordinator.ts";
import { NodeCoordinator } from "./node-coordinator.ts";
import type { DagBundles } from "./read-dag-bundles.ts";

type Kwargs = { readonly [key: string]: unknown };

/** Makes a coordinator of the `kwargs` of its entry, under the keys Airflow uses. */
export type CoordinatorFactory = (kwargs: Kwargs) => BaseCoordinator;

/** Airflow's own coordinators, by class path, with the keyword arguments of 3.3.2 and of 3.4. */
export function builtInFactories(dagBundles: DagBundles): {
  readonly [classpath: string]: CoordinatorFactory;
} {
  return {
    "airflow.sdk.coordinators.executable.ExecutableCoordinator": (kwargs) => {
      checkKeys(kwargs, ["executables_root", ...COMMON]);
      return new ExecutableCoordinator({
        executablesRoot: rootsOf(kwargs, "executables_root", dagBundles),
        startupTimeoutMs: startupTimeoutMs(kwargs),
      });
    },
    "airflow.sdk.coordinators.node.NodeCoordinator": (kwargs) => {
      checkKeys(kwargs, ["node_executable", ...COMMON]);
      return new NodeCoordinator({
        bundlesRoot: rootsOf(kwargs, undefined, dagBundles),
        nodeExecutable: text(kwargs, "node_executable"),
        startupTimeoutMs: startupTimeoutMs(kwargs),
      });
    },
    "airflow.sdk.coordinators.java.JavaCoordinator": (kwargs) => {
      checkKeys(kwargs, ["jars_root", "java_executable", "jvm_args", "main_class", ...COMMON]);
      return new JavaCoordinator({
        jarsRoot: rootsOf(kwargs, "jars_root", dagBundles),
        javaExecutable: text(kwargs, "java_executable"),
        jvmArgs: kwargs["jvm_args"] === undefined ? undefined : texts(kwargs, "jvm_args"),
        mainClass: text(kwargs, "main_class"),
        startupTimeoutMs: startupTimeoutMs(kwargs),
      });
    },
  };
}

const COMMON = ["task_handler_bundle_name", "task_startup_timeout"];

function checkKeys(kwargs: Kwargs, known: readonly string[]): void {
  const foreign = Object.keys(kwargs).find((key) => !known.includes(key));
  if (foreign !== undefined) {
    throw badConfig(`kwargs.${foreign} is not known; known here: ${known.join(", ")}`);
  }
}

/** 3.3 names folders; 3.4 names a Dag bundle, or means the Dag's own, which may be any of them here. */
function rootsOf(
  kwargs: Kwargs,
  key: string | undefined,
  dagBundles: DagBundles,
): readonly string[] {
  if (key !== undefined && kwargs[key] !== undefined) {
    const roots = typeof kwargs[key] === "string" ? [kwargs[key]] : texts(kwargs, key);
    if (roots.length === 0) throw badConfig(`kwargs.${key} names no folder`);
    return roots;
  }
  const name = text(kwargs, "task_handler_bundle_name");
  if (name === undefined) {
    const all = [...dagBundles.values()].filter((path) => path !== undefined);
    if (all.length > 0) return all;
    const wanted = key === undefined ? "" : `kwargs.${key} (Airflow 3.3), or `;
    throw badConfig(
      `there is nothing to search: give ${wanted}dag_bundle_config_list and kwargs.task_handler_bundle_name (Airflow 3.4)`,
    );
  }
  const path = dagBundles.get(name);
  if (path !== undefined) return [path];
  throw badConfig(
    dagBundles.has(name)
      ? `kwargs.task_handler_bundle_name: the Dag bundle ${name} is no local folder (it has no kwargs.path)`
      : `kwargs.task_handler_bundle_name: ${name} is not in dag_bundle_config_list (${[...dagBundles.keys()].join(", ")})`,
  );
}

function startupTimeoutMs(kwargs: Kwargs): number {
  const seconds = kwargs["task_startup_timeout"] ?? 10;
  if (typeof seconds === "number" && seconds > 0) return seconds * 1000;
  throw badConfig("kwargs.task_startup_timeout is no number of seconds above 0");
}

function text(kwargs: Kwargs, key: string): string | undefined {
  const value = kwargs[key];
  if (value === undefined || typeof value === "string") return value;
  throw badConfig(`kwargs.${key} is no text`);
}

function texts(kwargs: Kwargs, key: string): readonly string[] {
  const value = kwargs[key];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw badConfig(`kwargs.${key} is neither a text nor a list of texts`);
}
