import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  JavaCoordinator,
  type JavaCoordinatorOptions,
  type LogRecord,
  MemoryTaskStore,
} from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { makeJar } from "../support/make-jar.ts";

const CHILD = fileURLToPath(new URL("../../test/fixtures/child.mjs", import.meta.url));
const MAIN =
  "Manifest-Version: 1.0\r\nMain-Class: com.example.Main\r\n\r\nName: x\r\nMain-Class: no\r\n";
const SDK = "Manifest-Version: 1.0\nairflow-supervisor-schema-version: 2026-06-16\n";

/** Stands for `java`: says what it was called with, and is the runtime. */
const java = join(temporaryFolder("parlance-java"), "java");
writeFileSync(java, `#!/bin/sh\necho "$@"\nexec '${process.execPath}' '${CHILD}' details "$@"\n`);
chmodSync(java, 0o755);

function jars(files: Readonly<Record<string, string | undefined>>): string {
  const root = temporaryFolder("parlance-jars");
  mkdirSync(join(root, "lib"));
  for (const [name, manifest] of Object.entries(files)) makeJar(join(root, name), manifest);
  return root;
}

async function run(options: JavaCoordinatorOptions) {
  const logs: LogRecord[] = [];
  const coordinator = new JavaCoordinator({ javaExecutable: java, ...options });
  const result = await coordinator.executeTask({
    taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 },
    store: new MemoryTaskStore(),
    logSink: {
      write(record: LogRecord) {
        logs.push(record);
      },
    },
  });
  const said = logs.find(({ logger }) => logger === "task.stdout");
  return { result, called: String(said?.event), logs };
}

test("all jars are the class path; main class and schema version come from manifests", async () => {
  const root = jars({ "z.jar": MAIN, "lib/sdk.jar": SDK, "lib/a.jar": undefined, "b.txt": MAIN });
  const { result, called, logs } = await run({ jarsRoot: root, jvmArgs: ["-Xmx64m"] });
  assert.is(result.finalState, "success", JSON.stringify(logs));
  const classPath = ["lib/a.jar", "lib/sdk.jar", "z.jar"].map((name) => join(root, name));
  const expected = ["-classpath", classPath.join(delimiter), "-Xmx64m", "com.example.Main"];
  assert.is(called.split(" --comm=")[0], expected.join(" "));
});

test("a main class longer than a manifest's line is read whole", async () => {
  const long = `com.example.${"deep.".repeat(20)}Main`;
  const wrapped = `${SDK}Main-Class: ${long.slice(0, 58)}\n ${long.slice(58)}\n`;
  const { called } = await run({ jarsRoot: jars({ "a.jar": wrapped }) });
  assert.ok(called.includes(` ${long} --comm=`), called);
});

test("a given main class has to be that of a jar", async () => {
  const other = MAIN.replace("Main\r", "Other\r");
  const root = jars({ "a.jar": MAIN, "b.jar": other, "c.jar": SDK });
  const { called } = await run({ jarsRoot: [root], mainClass: "com.example.Other" });
  assert.ok(called.includes(" com.example.Other --comm="), called);
  const { result } = await run({ jarsRoot: root, mainClass: "com.example.None" });
  assert.match(String(result.error?.message), /no jar in .* has the Main-Class com\.example\.None/);
});

test("what is missing is said, with what could not be read", async () => {
  const root = jars({ "a.jar": MAIN });
  writeFileSync(join(root, "broken.jar"), "PK\x03\x04 and no more");
  const { result, logs } = await run({ jarsRoot: root });
  assert.is(result.error?.code, "bundle-not-found");
  assert.match(String(result.error?.message), /Airflow-Supervisor-Schema-Version/);
  assert.match(JSON.stringify(logs[0]?.["rejected"]), /broken\.jar.*can't be read as a jar/);

  const old = await run({
    jarsRoot: jars({
      "a.jar": `${MAIN}`.replace(
        "\r\n\r\n",
        "\r\nAirflow-Supervisor-Schema-Version: 2020-01-01\r\n\r\n",
      ),
    }),
  });
  assert.match(String(old.result.error?.message), /"2020-01-01"; known here: 2026-06-16/);

  const empty = await run({ jarsRoot: "/no/such/folder" });
  assert.match(String(empty.result.error?.message), /has a Main-Class/);
  assert.throws(() => new JavaCoordinator({ jarsRoot: [] }), /names no folder/);
});

test.run();
