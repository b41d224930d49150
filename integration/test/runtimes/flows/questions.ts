import { seedStore } from "@parlance/coordinator";
import * as assert from "uvu/assert";
import { type Flow, printed } from "../support/flow.ts";

const BEFORE = "2026-01-01T00:00:00Z";
const LATER = "2026-01-05T00:00:00Z";

/** Questions about other runs and their task instances. */
export const questions: Flow = async ({ run, store }) => {
  const dag = { dag_id: "proof" };
  await seedStore(store, {
    dag_runs: [
      { ...dag, run_id: "r0", logical_date: BEFORE, start_date: BEFORE, state: "success" },
      { ...dag, run_id: "r1", logical_date: LATER, state: "failed" },
    ],
    task_instances: [
      { ...dag, run_id: "r0", task_id: "runtime_queries", state: "success" },
      { ...dag, run_id: "r1", task_id: "a", state: "success" },
    ],
  });
  const { finalState, records } = await run("runtime_queries");
  assert.is(finalState, "success");
  const lines = printed(records);
  const wanted = [
    /^2026-01-01 00:00:00\+00:00$/, // when the last run that succeeded began
    /run_id='r0' .*state=<DagRunState\.SUCCESS.* .*run_id='r0' /, // the previous one, and that succeeded
    /^task_id='runtime_queries' .*run_id='r0' .*state='success'/,
    /^0$/, // at a logical date at which `r1` is not
    /^{'r1': {'a': 'success'}}$/,
    /^1$/,
    /^DagRunState\.FAILED$/,
    /^\[{'task_id': 'a', 'map_index': -1, 'state': 'success'/,
    /^dag_id='proof' is_paused=False bundle_name='proofs' .*relative_fileloc='proof_dag\.py'/,
  ];
  for (const [at, pattern] of wanted.entries()) assert.match(lines[at] ?? "", pattern);
};
