import { type AirflowVersion, isLongRun, requirePeer } from "@parlance/test-kit";
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
  let outcomes: Promise<ReadonlyMap<Case, unknown>> | undefined;
  const cases = casesOf(version);
  for (const entry of cases) {
    test(`${label}, ${entry.kind}: ${entry.name}`, async () => {
      outcomes ??= runAll(version, cases);
      const error = (await outcomes).get(entry);
      if (error !== undefined) throw error;
    });
  }
}

interface Case {
  readonly kind: StoreKind;
  readonly name: string;
  readonly flow: Flow;
}

/** Each flow on both stores; but in `npm test` on one for either version of Airflow, in turn. */
function casesOf(version: AirflowVersion): readonly Case[] {
  const first = version === "3.3.2" ? 0 : 1;
  return FLOWS.flatMap(([name, flow], at) => {
    const kinds = isLongRun() ? KINDS : KINDS.filter((_, kind) => kind === (at + first) % 2);
    return kinds.map((kind) => ({ kind, name, flow }));
  });
}

/** What each flow threw. */
async function runAll(
  version: AirflowVersion,
  cases: readonly Case[],
): Promise<ReadonlyMap<Case, unknown>> {
  const tasks = await PythonTasks.start(version);
  const errors = new Map<Case, unknown>();
  try {
    await inParallel(cases, 3, async (entry) => {
      const context = await FlowContext.open(version, entry.kind, tasks);
      try {
        await entry.flow(context);
      } catch (error) {
        errors.set(entry, error);
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
