import {
  ArgvCoordinator,
  type ArgvCoordinatorOptions,
  MemoryTaskStore,
} from "@parlance/coordinator";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run } from "../support/run-scenario.js";

/** StartupDetails as the child got them. */
async function details(options: Partial<ArgvCoordinatorOptions>) {
  const { result, logs } = await run("details", {}, options);
  assert.is(result.finalState, "success", result.error?.message);
  const record = logs.find(({ event }) => event === "details");
  return JSON.parse(String(record?.["details"])) as {
    readonly ti: object;
    readonly ti_context: object;
    readonly bundle_info: object;
  };
}

test("by default the supervisor is of the runtime's version", async () => {
  const old = await details({ schemaVersion: "2026-06-16" });
  assert.not("multi_team" in old.ti_context);
  const newer = await details({ schemaVersion: "2026-10-30" });
  assert.ok("region_id" in newer.ti && "arg_bindings" in newer.ti_context);
});

test("a runtime of 3.3 under a supervisor of 3.4 gets what 3.4 sends it, and may send what is newer", async () => {
  const options = { schemaVersion: "2026-06-16", headVersion: "2026-10-30" } as const;
  const { ti, ti_context, bundle_info } = await details(options);
  assert.not("region_id" in ti);
  assert.not("arg_bindings" in ti_context);
  assert.ok("multi_team" in ti_context && "version_data" in bundle_info, "3.4 leaks these two");
  const { result, logs } = await run("timeLimit", {}, { ...options, killGraceMs: 50 });
  assert.is(result.finalState, "failed");
  assert.ok(logs.some(({ event }) => String(event).includes("execution timeout of 0.05 s")));
});

test("a supervisor of 3.3 starts no runtime of 3.4, and says why", async () => {
  const store = new MemoryTaskStore();
  const { result, logs } = await run(
    "succeed",
    { store, shouldRetry: true },
    { schemaVersion: "2026-10-30", headVersion: "2026-06-16" },
  );
  assert.is(result.error?.code, "unsupported-schema-version");
  assert.match(result.error?.message ?? "", /speaks schema version 2026-10-30.*knows 2026-06-16:/);
  assert.equal([result.finalState, result.exitCode], ["up_for_retry", null]);
  assert.is(logs.length, 1);
  assert.is((await store.taskInstances.list({ dagId: "d" }))[0]?.state, "up_for_retry");
});

test("a version that nobody knows is a mistake of the caller, or of the coordinator's subclass", async () => {
  for (const headVersion of ["3.4", 1, null, new Date()]) {
    const options = { argv: ["x"], headVersion } as unknown as ArgvCoordinatorOptions;
    const error = throws(() => new ArgvCoordinator(options));
    assert.instance(error, RangeError);
    assert.match(error.message, /headVersion .* known: 2026-06-16, 2026-10-30$/);
  }
  const schemaVersion = "2027-01-01" as "2026-10-30";
  const { result } = await run("succeed", {}, { schemaVersion });
  assert.is(result.error?.code, "unsupported-schema-version");
});

test.run();
