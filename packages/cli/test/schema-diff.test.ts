import { test } from "uvu";
import * as assert from "uvu/assert";
import { parlance } from "./support/cli.ts";

interface Field {
  readonly path: string;
  readonly change: string;
  readonly step: string | null;
  readonly leaks: boolean;
  readonly inServerPart: boolean;
  readonly before?: object;
  readonly after?: object;
}

interface Diff {
  readonly messages: readonly { type: string; change: string; fields: readonly Field[] }[];
  readonly withoutStep: readonly (Field & { type: string })[];
}

async function diff(from: string, to: string): Promise<Diff> {
  const run = await parlance(["schema", "diff", from, to, "--json"]);
  assert.is(run.code, 0, run.stderr);
  return JSON.parse(run.stdout) as Diff;
}

const places = (fields: Diff["withoutStep"]) => fields.map(({ type, path }) => `${type} ${path}`);

test("diff finds what the real migrator leaks", async () => {
  const { withoutStep } = await diff("2026-06-16", "2026-10-30");
  const leaks = withoutStep.filter(({ leaks, inServerPart }) => leaks && !inServerPart);
  assert.equal(places(leaks), [
    // No field leaks here: a null in one that could not be null.
    "AssetEventsResult asset_events[].created_dagruns[].start_date",
    "StartupDetails bundle_info.version_data",
    "StartupDetails ti_context.multi_team",
  ]);
  const others = withoutStep.filter(({ leaks }) => !leaks);
  assert.equal(
    places(others),
    ["GetAssetEventByAsset", "GetAssetEventByAssetAlias"].flatMap((type) =>
      ["partition_key", "partition_key_regexp_pattern", "extra"].map((field) => `${type} ${field}`),
    ),
  );
  const server = withoutStep.filter(({ inServerPart }) => inServerPart);
  assert.is(server.length, 17);
  assert.ok(server.every(({ path }) => path.startsWith("callback_requests[]<")));
});

test("every other change is named with the step that Airflow declares", async () => {
  const { messages } = await diff("2026-06-16", "2026-10-30");
  const added = messages.filter(({ change }) => change === "added").map(({ type }) => type);
  assert.equal(added, ["SetExecutionTimeout", "UpdateDagRunNote"]);
  assert.not.ok(messages.some(({ change }) => change === "removed"));
  const fieldsOf = (type: string) => messages.find((each) => each.type === type)?.fields ?? [];
  assert.equal(fieldsOf("TaskState"), [
    {
      path: "retry_reason",
      change: "added",
      after: { type: "text or null", required: false, default: null },
      step: "AddRetryReasonToTaskState",
      leaks: false,
      inServerPart: false,
    },
    {
      path: "loop_decision",
      change: "added",
      after: { type: "LoopDecisionPayload or null", required: false, default: null },
      step: "AddLoopRuntime",
      leaks: false,
      inServerPart: false,
    },
  ]);
  // Declared by a class that SucceedTask inherits from.
  assert.is(fieldsOf("SucceedTask")[0]?.step, "AddLoopRuntime");
  assert.equal(fieldsOf("AssetEventsResult")[0]?.before, { type: "date-time", required: true });
});

test("the other way round the same is removed", async () => {
  const [up, down] = [
    await diff("2026-06-16", "2026-10-30"),
    await diff("2026-10-30", "2026-06-16"),
  ];
  assert.equal(
    down.messages.filter(({ change }) => change === "removed").map(({ type }) => type),
    ["SetExecutionTimeout", "UpdateDagRunNote"],
  );
  assert.equal(places(down.withoutStep).sort(), places(up.withoutStep).sort());
  const leaks = ({ withoutStep }: Diff) => places(withoutStep.filter((each) => each.leaks)).sort();
  assert.equal(leaks(down), leaks(up));
});

test("as text, each change is a line, and the end says what has no step", async () => {
  const { stdout } = await parlance(["schema", "diff", "2026-06-16", "2026-10-30"]);
  assert.match(stdout, /^2026-06-16 -> 2026-10-30: 2 messages added, 0 removed, 13 changed$/m);
  assert.match(stdout, /^ {2}\+ SetExecutionTimeout$/m);
  assert.match(stdout, /^ {6}\+ ti_context\.loop +LoopContext or null.* \[AddLoopRuntime\]$/m);
  assert.match(stdout, /^ {6}\+ ti_context\.multi_team +boolean.* no migration step$/m);
  assert.match(stdout, /^ {2}leaks: a body that is migrated to 2026-06-16 holds these/m);
  assert.match(stdout, /^ {4}StartupDetails +bundle_info\.version_data$/m);
  const same = await parlance(["schema", "diff", "2026-10-30", "2026-10-30"]);
  assert.is(same.stdout, "2026-10-30 -> 2026-10-30: nothing differs\n");
});

test.run();
