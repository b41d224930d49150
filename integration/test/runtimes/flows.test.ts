import { type AirflowVersion, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import { assets, inactiveAsset, stateStores } from "./flows/assets.ts";
import { failures, logs, operators, skips, stopped } from "./flows/outcomes.ts";
import { questions } from "./flows/questions.ts";
import { mapped, returnedAndPulled, variablesAndConnections } from "./flows/values.ts";
import { deferred, humanInput, rescheduled, triggeredRuns } from "./flows/waiting.ts";
import { type Flow, FlowContext, type StoreKind } from "./support/flow.ts";
import { inParallel } from "./support/in-parallel.ts";
import { PythonTasks, VERSIONS } from "./support/python-tasks.ts";

// Real operators under our coordinator, by Airflow's own task runner: states, XComs, the store and the log.

const FLOWS: readonly (readonly [name: string, flow: Flow])[] = [
  ["returned values and pulls", returnedAndPulled],
  ["mapped tasks", mapped],
  ["Variables and Connections", variablesAndConnections],
  ["failures and retries", failures],
  ["skips and branches", skips],
  ["log records", logs],
  ["operators", operators],
  ["a task that is stopped", stopped],
  ["reschedules", rescheduled],
  ["deferrals", deferred],
  ["human input", humanInput],
  ["triggered runs", triggeredRuns],
  ["assets", assets],
  ["an inactive asset", inactiveAsset],
  ["state stores", stateStores],
  ["questions about runs", questions],
];
const KINDS: readonly StoreKind[] = ["memory", "SQLite"];

for (const { version } of VERSIONS) {
  const label = `Airflow ${version}`;
  if (requirePeer(test, label, `airflow-${version}`) !== undefined) registerTests(version, label);
}

/** All flows of a version run beside one another, from the first test on. */
function registerTests(version: AirflowVersion, label: string): void {
  let outcomes: Promise<ReadonlyMap<string, unknown>> | undefined;
  for (const kind of KINDS) {
    for (const [name] of FLOWS) {
      test(`${label}, ${kind}: ${name}`, async () => {
        outcomes ??= runAll(version);
        const error = (await outcomes).get(`${kind} ${name}`);
        if (error !== undefined) throw error;
      });
    }
  }
}

/** What each flow threw. */
async function runAll(version: AirflowVersion): Promise<ReadonlyMap<string, unknown>> {
  const tasks = await PythonTasks.start(version);
  const errors = new Map<string, unknown>();
  const all = KINDS.flatMap((kind) => FLOWS.map(([name, flow]) => ({ kind, name, flow })));
  try {
    await inParallel(all, 3, async ({ kind, name, flow }) => {
      const context = await FlowContext.open(version, kind, tasks);
      try {
        await flow(context);
      } catch (error) {
        errors.set(`${kind} ${name}`, error);
      } finally {
        await context.store.close();
      }
    });
  } finally {
    await tasks.close();
  }
  return errors;
}

test.run();
