import { evaluateRun, type InstanceState } from "@parlance/coordinator/dag-run";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runnableDag } from "../../support/dag-documents.ts";

/**
 * What becomes of a task below two others, `a` and `b`, by their states: `S`uccess, `F`ailed,
 * s`K`ipped, `U`pstream_failed, `R`unning. `+`: it starts; `.`: it waits; else the state it gets.
 * Written down from what Airflow 3.4's scheduler does.
 */
const TABLE: { readonly [rule: string]: string } = {
  all_success: "SS+ SF^ SK- SU^ SR. FF^ FK^ FU^ FR^ KK- KU^ KR- UU^ UR^ RR.",
  all_failed: "SS- SF- SK- SU- SR- FF+ FK- FU+ FR. KK- KU- KR- UU+ UR. RR.",
  all_done: "SS+ SF+ SK+ SU+ SR. FF+ FK+ FU+ FR. KK+ KU+ KR. UU+ UR. RR.",
  all_done_min_one_success: "SS+ SF+ SK- SU+ SR. FF^ FK- FU^ FR. KK- KU- KR- UU^ UR. RR.",
  all_done_setup_success: "SS+ SF+ SK+ SU+ SR. FF+ FK+ FU+ FR. KK+ KU+ KR. UU+ UR. RR.",
  one_success: "SS+ SF+ SK+ SU+ SR+ FF^ FK^ FU^ FR. KK- KU^ KR. UU^ UR. RR.",
  one_failed: "SS- SF+ SK- SU+ SR. FF+ FK+ FU+ FR+ KK- KU+ KR. UU+ UR+ RR.",
  one_done: "SS+ SF+ SK+ SU+ SR+ FF+ FK+ FU+ FR+ KK- KU- KR. UU- UR. RR.",
  none_failed: "SS+ SF^ SK+ SU^ SR. FF^ FK^ FU^ FR^ KK+ KU^ KR. UU^ UR^ RR.",
  none_failed_min_one_success: "SS+ SF^ SK+ SU^ SR. FF^ FK^ FU^ FR^ KK- KU^ KR. UU^ UR^ RR.",
  none_skipped: "SS+ SF+ SK- SU+ SR. FF+ FK- FU+ FR. KK- KU- KR- UU+ UR. RR.",
  all_skipped: "SS- SF- SK- SU- SR- FF- FK- FU- FR- KK+ KU- KR. UU- UR- RR.",
  always: "SS+ SF+ SK+ SU+ SR+ FF+ FK+ FU+ FR+ KK+ KU+ KR+ UU+ UR+ RR+",
};

const STATES: { readonly [letter: string]: InstanceState["state"] } = {
  S: "success",
  F: "failed",
  K: "skipped",
  U: "upstream_failed",
  R: "running",
};

const MARKS: { readonly [state: string]: string } = { skipped: "-", upstream_failed: "^" };

for (const [rule, row] of Object.entries(TABLE)) {
  test(`${rule} over every pair of states above`, () => {
    const dag = runnableDag({
      tasks: [{ id: "a" }, { id: "b" }, { id: "c", after: ["a", "b"], rule }],
    });
    const found = row.split(" ").map((cell) => {
      const [a = "", b = ""] = cell;
      const outcomes = [
        [a, b],
        [b, a],
      ].map(([first = "", second = ""]) => outcomeOf(dag, first, second));
      assert.is(outcomes[0], outcomes[1], `${rule} ${cell}: the order of the two matters`);
      return `${a}${b}${outcomes[0]}`;
    });
    assert.is(found.join(" "), row);
  });
}

function outcomeOf(dag: Parameters<typeof evaluateRun>[0], a: string, b: string): string {
  const { transitions } = evaluateRun(dag, [
    { taskId: "a", mapIndex: -1, state: STATES[a] ?? null },
    { taskId: "b", mapIndex: -1, state: STATES[b] ?? null },
    { taskId: "c", mapIndex: -1, state: null },
  ]);
  const [one] = transitions.filter(({ taskId }) => taskId === "c");
  if (one === undefined) return ".";
  if (one.type === "ready") return "+";
  return one.type === "state" ? (MARKS[String(one.state)] ?? "?") : "?";
}

test("a reason names what above has decided", () => {
  const dag = runnableDag({ tasks: [{ id: "a" }, { id: "b" }, { id: "c", after: ["a", "b"] }] });
  const { transitions } = evaluateRun(dag, [
    { taskId: "a", mapIndex: -1, state: "success" },
    { taskId: "b", mapIndex: -1, state: "failed" },
    { taskId: "c", mapIndex: -1, state: null },
  ]);
  const [only] = transitions;
  assert.is(only?.type === "state" && only.reason, "all_success: b failed");
});

test.run();
