import { type ParseResult, parseDagFiles, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EXAMPLE, fixture, packNative } from "./support/pack-native.ts";

// The real Dag processor of Airflow 3.4 runs packed programs for their Dags, by its NodeCoordinator and its
// ExecutableCoordinator.

const LABEL = "the Dag processor of Airflow 3.4.0b2";
const DAGS = ["orders_pipeline", "orders_report"];

if (requirePeer(test, LABEL, "airflow-3.4.0b2") !== undefined) {
  const node = once(async () => {
    const nodeRoot = temporaryFolder("parlance-native-node");
    const files = await Promise.all([
      packNative(EXAMPLE, nodeRoot, "old.min.mjs", ["--source"]),
      packNative(EXAMPLE, nodeRoot, "new.min.mjs", ["--schema-version", "2026-10-30"]),
      packNative(fixture("native.ts"), nodeRoot, "rules.min.mjs", ["--minify"]),
      packNative(fixture("faulty.ts"), nodeRoot, "faulty.min.mjs"),
    ]);
    return byFile(await parseDagFiles({ launch: { nodeRoot }, files }));
  });
  const executable = once(async () => {
    const bundlesRoot = temporaryFolder("parlance-native-executable");
    const files = [await packNative(EXAMPLE, bundlesRoot, "pipeline")];
    return byFile(await parseDagFiles({ launch: { bundlesRoot }, files }));
  });

  for (const [name, parse] of [
    ["old.min.mjs", node],
    ["new.min.mjs", node],
    ["pipeline", executable],
  ] as const) {
    test(`${LABEL} stores every Dag of ${name}`, async () => {
      const parsed = (await parse()).get(name);
      const { result, supervisorError } = parsed ?? {};
      assert.is(supervisorError, null);
      assert.is(result?.import_errors, null);
      assert.is(result?.["warnings"], null);
      assert.equal(dagIds(parsed), DAGS);
      assert.equal(parsed?.parseLog, []);
    });
  }

  test(`${LABEL} shows the source that was packed`, async () => {
    const codes = (await node()).get("old.min.mjs")?.result?.["dag_source_codes"];
    const { orders_pipeline } = codes as { orders_pipeline: Record<Shown, string> };
    assert.is(orders_pipeline.language, "typescript");
    assert.match(orders_pipeline.source_code, "serve([pipeline, report])");
  });

  test(`${LABEL} takes the Dags of a minified program`, async () => {
    assert.equal(dagIds((await node()).get("rules.min.mjs")), ["native_rules"]);
  });

  test(`${LABEL} stores the other Dags where one is wrong, and says what is`, async () => {
    const parsed = (await node()).get("faulty.min.mjs");
    assert.is(parsed?.supervisorError, null);
    assert.equal(dagIds(parsed), ["good"]);
    const error = String(parsed?.result?.import_errors?.["faulty.min.mjs"]);
    assert.match(
      error,
      /^RegistrationError: dag\("late", …\).*\n {4}at .*fixtures\/faulty\.ts:13\)/,
    );
    const warnings = (parsed?.result?.["warnings"] ?? []) as { warning_type: string }[];
    assert.equal(
      warnings.map(({ warning_type: type }) => type),
      ["parlance:no-queue"],
    );
    const events = parsed?.parseLog.map(({ level, event }) => `${level} ${event}`);
    assert.equal(events, ["info read the Dags", "info plainly", "error A Dag could not be read"]);
  });
}

type Shown = "language" | "source_code";

function dagIds(parsed: ParseResult | undefined): readonly unknown[] {
  const documents = (parsed?.result?.serialized_dags ?? []) as { dag: { dag_id: string } }[];
  return documents.map(({ dag }) => dag.dag_id);
}

function byFile(parses: readonly ParseResult[]): ReadonlyMap<string, ParseResult> {
  return new Map(parses.map((parse) => [parse.file, parse]));
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

test.run();
