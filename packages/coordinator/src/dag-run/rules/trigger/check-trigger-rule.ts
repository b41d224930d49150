import type { TaskState } from "../../history/history-types.ts";
import type { CompiledTask } from "../compiled-dag.ts";
import { relevantIndexes } from "../mapping/relevant-indexes.ts";
import { isFinished, type RunView } from "../run-view.ts";
import { blocked, forced, READY, type Verdict } from "../verdict.ts";
import { checkSetups } from "./check-setups.ts";
import type { ForcedState } from "./trigger-rule.ts";
import { TRIGGER_RULES } from "./trigger-rules.ts";
import { upstreamCounts } from "./upstream-counts.ts";

/** Names in a reason; more are counted. */
const MAX_NAMED = 3;

/** Airflow's dependency "Trigger Rule": the setups above, the rule itself, and the scope of a teardown. */
export function checkTriggerRule(own: CompiledTask, mapIndex: number, view: RunView): Verdict {
  const { task } = own;
  if (task.upstream.length === 0 || task.triggerRule === "always") return READY;
  const setups = checkSetups(own, mapIndex, view);
  if (setups.kind === "forced") return setups;
  const direct = checkDirect(own, mapIndex, view);
  if (direct.kind !== "ready") return direct;
  return setups.kind === "blocked" ? setups : checkTeardownScope(own, mapIndex, view);
}

function checkDirect(own: CompiledTask, mapIndex: number, view: RunView): Verdict {
  const { triggerRule, upstream } = own.task;
  const counts = upstreamCounts(own, mapIndex, upstream, view);
  const rule = TRIGGER_RULES[triggerRule];
  const state = rule.forced(counts, mapIndex);
  if (state !== null)
    return forced(state, `${triggerRule}: ${because(own, mapIndex, state, view)}`);
  if (rule.isMet(counts)) return READY;
  return blocked(`${triggerRule}: ${waitingFor(own, mapIndex, view)}`);
}

/** A teardown waits for all that lies between its setups and itself. */
function checkTeardownScope(own: CompiledTask, mapIndex: number, view: RunView): Verdict {
  if (own.teardownScope.length === 0) return READY;
  const { done, total } = upstreamCounts(own, mapIndex, own.teardownScope, view);
  if (done >= total) return READY;
  return blocked(`${total - done} between setup and teardown have not ended`);
}

/** Which tasks above have brought it into this state. */
function because(own: CompiledTask, mapIndex: number, state: ForcedState, view: RunView): string {
  const failed = namesOf(
    own,
    mapIndex,
    view,
    (one) => one === "failed" || one === "upstream_failed",
  );
  const skipped = namesOf(own, mapIndex, view, (one) => one === "skipped");
  if (state === "removed") return "what it belongs to was removed";
  const causes =
    state === "upstream_failed" && failed.length > 0
      ? { names: failed, what: "failed" }
      : skipped.length > 0
        ? { names: skipped, what: skipped.length > 1 ? "were skipped" : "was skipped" }
        : { names: failed, what: "failed" };
  if (causes.names.length > 0) return `${listed(causes.names)} ${causes.what}`;
  return "nothing above it has failed";
}

function waitingFor(own: CompiledTask, mapIndex: number, view: RunView): string {
  const names = namesOf(own, mapIndex, view, (state) => !isFinished(state));
  return names.length > 0 ? `waits for ${listed(names)}` : "not met by what is above it";
}

/** Ids of the tasks directly above of which an instance that matters is in a state. */
function namesOf(
  own: CompiledTask,
  mapIndex: number,
  view: RunView,
  matches: (state: TaskState) => boolean,
): string[] {
  return own.task.upstream.filter((id) => {
    const above = view.compiled.tasks.get(id);
    if (above === undefined) return false;
    const range = relevantIndexes(own, mapIndex, above, view);
    for (const [index, state] of view.instancesOf(id)) {
      const matters = range === undefined || index < 0 || (index >= range.from && index < range.to);
      if (matters && matches(state)) return true;
    }
    return false;
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}
