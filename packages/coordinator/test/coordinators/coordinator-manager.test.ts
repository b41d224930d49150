import {
  ArgvCoordinator,
  CoordinatorManager,
  ExecutableCoordinator,
  JavaCoordinator,
  NodeCoordinator,
} from "@parlance/coordinator";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const EXECUTABLE = "airflow.sdk.coordinators.executable.ExecutableCoordinator";
const NODE = "airflow.sdk.coordinators.node.NodeCoordinator";
const JAVA = "airflow.sdk.coordinators.java.JavaCoordinator";

/** A manager with one coordinator, asked for it. */
function make(classpath: string, kwargs: unknown, more: { readonly dagBundles?: unknown } = {}) {
  const coordinators = { one: { classpath, kwargs } };
  const manager = new CoordinatorManager({
    coordinators,
    queueToCoordinator: { q: "one" },
    ...more,
  });
  return manager.forQueue("q");
}

const LOCAL = "airflow.dag_processing.bundles.local.LocalDagBundle";
const DAG_BUNDLES = JSON.stringify([
  { name: "dags-folder", classpath: LOCAL, kwargs: { path: "/dags" } },
  { name: "handlers", classpath: LOCAL, kwargs: { path: "/handlers" } },
  { name: "git", classpath: "some.GitDagBundle", kwargs: { repo: "x" } },
]);

test("makes coordinators of Airflow's own settings, once each, on first use", () => {
  const manager = new CoordinatorManager({
    coordinators: JSON.stringify({
      native: {
        classpath: EXECUTABLE,
        kwargs: { executables_root: ["/bundles"], task_startup_timeout: 5 },
        extra: { pod_template_file: "native.yaml" },
      },
      foreign: { classpath: "somebody.Else", extra: { kept: true } },
      wrong: { classpath: EXECUTABLE, kwargs: { executable_root: "x" } },
    }),
    queueToCoordinator: { stub: "native", stub2: "native", other: "foreign", bad: "wrong" },
  });
  assert.instance(manager.forQueue("stub"), ExecutableCoordinator);
  assert.is(manager.forQueue("stub2"), manager.forQueue("stub"));
  throws(() => manager.forQueue("default"), "unmapped-queue");
  throws(() => manager.forQueue("other"), "unknown-class");
  throws(() => manager.forQueue("bad"), "bad-config");
  assert.equal(manager.extraForQueue("stub"), { pod_template_file: "native.yaml" });
  assert.equal(manager.extraForQueue("other"), { kept: true }); // without making it
  assert.is(manager.extraForQueue("bad"), null);
  assert.is(manager.extraForQueue("default"), null);
});

test("settings that can't be read, or name nobody", () => {
  const unknown = { coordinators: {}, queueToCoordinator: { stub: "nobody" } };
  throws(() => new CoordinatorManager(unknown), "unknown-coordinator");
  for (const coordinators of [
    "{",
    [],
    null,
    { a: 1 },
    { a: {} },
    { a: { classpath: "x", extra: 1 } },
  ]) {
    throws(() => new CoordinatorManager({ coordinators, queueToCoordinator: {} }), "bad-config");
  }
  for (const dagBundles of ["{}", [1], [{ kwargs: {} }]]) {
    throws(() => make(NODE, {}, { dagBundles }), "bad-config");
  }
});

test("the keyword arguments of 3.3.2", () => {
  assert.instance(make(EXECUTABLE, { executables_root: "/bundles" }), ExecutableCoordinator);
  const java = {
    jars_root: ["~/jars"],
    java_executable: "java",
    jvm_args: ["-Xmx1g"],
    main_class: "M",
  };
  assert.instance(make(JAVA, { ...java, task_startup_timeout: 1.5 }), JavaCoordinator);
  for (const kwargs of [
    {},
    { executables_root: [] },
    { executables_root: [1] },
    { executables_root: "x", task_startup_timeout: 0 },
    { executables_root: "x", task_startup_timeout: "5" },
  ]) {
    throws(() => make(EXECUTABLE, kwargs), "bad-config");
  }
  for (const wrong of [{ jvm_args: "-Xmx1g ".length }, { main_class: 1 }, { java: "java" }]) {
    throws(() => make(JAVA, { jars_root: "x", ...wrong }), "bad-config");
  }
});

test("the keyword arguments of 3.4: a Dag bundle by its name, or all of them", () => {
  const dagBundles = DAG_BUNDLES;
  const named = { task_handler_bundle_name: "handlers" };
  assert.instance(
    make(NODE, { ...named, node_executable: "node22" }, { dagBundles }),
    NodeCoordinator,
  );
  assert.instance(make(EXECUTABLE, named, { dagBundles }), ExecutableCoordinator);
  assert.instance(make(JAVA, {}, { dagBundles }), JavaCoordinator);
  throws(() => make(NODE, {}), "bad-config");
  throws(() => make(NODE, { task_handler_bundle_name: "git" }, { dagBundles }), "bad-config");
  throws(() => make(NODE, { task_handler_bundle_name: "handler" }, { dagBundles }), "bad-config");
});

test("a coordinator of one's own", () => {
  const manager = new CoordinatorManager({
    coordinators: { mine: { classpath: "my.Coordinator", kwargs: { program: "ruby" } } },
    queueToCoordinator: { q: "mine" },
    factories: {
      "my.Coordinator": ({ program }) => new ArgvCoordinator({ argv: [String(program), "run.rb"] }),
    },
  });
  assert.instance(manager.forQueue("q"), ArgvCoordinator);
});

test.run();
