import type { RegisteredTask } from "../bundle.ts";
import { TaskStoppedError } from "../errors.ts";
import { resolveInputs } from "../inputs/resolve-inputs.ts";
import { type CurrentTask, runAsCurrentTask } from "../outcomes/current-task.ts";
import type { AttemptParts } from "./attempt.ts";
import { startExecutionTimeout } from "./execution-timeout.ts";
import type { KillCallbacks } from "./kill-callbacks.ts";
import { mappedLength } from "./mapped-length.ts";
import { runInTrace } from "./open-telemetry.ts";
import { readResumption } from "./read-resumption.ts";

/** Clears what an earlier try left, runs the handler and pushes its result. */
export async function callHandler(
  { handler, inputs: declarations, options, flow }: RegisteredTask,
  { details, channel, requester, client, control, parts }: AttemptParts,
  kill: KillCallbacks,
): Promise<void> {
  const { signal, stop } = control;
  const { context, xcomKeysToClear, bindings, carrier } = details;
  const { log } = parts;
  if (stop !== undefined) throw stop.error;
  const current: CurrentTask = {
    async skipDownstream(tasks) {
      const { sendSkipDownstream } = await import("./skip-downstream.ts");
      await sendSkipDownstream(requester, tasks);
    },
  };
  for (const key of xcomKeysToClear) await client.deleteXCom({ key });
  const resumed = readResumption(details);
  const inputs = await resolveInputs({ declarations, bindings, client, context, log });
  const more = flow?.argumentsFor(context);
  const endTimeout = await startExecutionTimeout(details, requester, control, parts);
  const endWatch = channel.watch(signal, () => control.end("fault", nothingLeft()));
  let value: unknown;
  try {
    // Stacks are cut at this name, which no minifier changes, since it is a property's.
    const { parlanceCallsHandler } = {
      async parlanceCallsHandler() {
        const onKill = kill.add;
        return handler({ context, client, log, signal, inputs, onKill, resumed, ...more });
      },
    };
    const isAlone = parts.links !== undefined;
    value = await runAsCurrentTask(current, isAlone, () =>
      runInTrace(carrier, () => onItsOwn(parlanceCallsHandler)),
    );
  } finally {
    endWatch();
    endTimeout();
  }
  // The task has been reported as failed, or is about to be: nothing of what the handler still does counts.
  if (control.stop !== undefined) throw control.stop.error;
  if (current.lastOutcome !== undefined) {
    const what = "The handler caught what was to end it, and went on: the task is a success";
    log.warning(what, { caught: current.lastOutcome });
  }
  if (flow !== undefined) {
    const { skipDownstream } = current;
    const declareOutlet = client.outletEvents.declare;
    value = await flow.end(value, { client, log, skipDownstream, declareOutlet });
  }
  if (options.multipleOutputs === true) {
    const { pushOutputs } = await import("./push-outputs.ts");
    await pushOutputs(value, client);
  }
  const isMappedOver = options.mapsDownstream === true;
  const length = isMappedOver ? mappedLength(value, context, flow !== undefined) : undefined;
  if (value !== undefined && value !== null) await client.setResult(value, length);
}

function nothingLeft(): TaskStoppedError {
  const message =
    "the handler waits for something that can never come: no timer, connection or request is left in the process that could wake it (what was unref()ed does not count)";
  return new TaskStoppedError("nothing-left", message);
}

/** Calls from an empty stack: what the handler throws has but two calls of ours in its trace. */
function onItsOwn<Value>(call: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      call().then(
        (value) => resolve(value),
        (error: unknown) => reject(error),
      );
    });
  });
}
