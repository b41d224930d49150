import type { RegisteredTask } from "../../bundle.ts";
import type { TaskContext } from "../../context.ts";
import type { FlowTask, FlowTaskEnd } from "../../flow-task.ts";
import type { TaskOptions } from "../../task-handler.ts";
import type { DagDraft, TaskDraft } from "../build/draft.ts";
import type { DagModel, TaskModel } from "../dag-model.ts";
import { readParams } from "../params/read-params.ts";
import {
  type KnownDag,
  readChoice,
  SKIP_KEY,
  type Skips,
  skipsOfBranch,
  skipsOfShortCircuit,
} from "./branching.ts";

/** What a bundle registers for a Dag, by task id. */
export function registeredTasks(
  draft: DagDraft,
  model: DagModel,
): ReadonlyMap<string, RegisteredTask> {
  const tasks = new Map(model.tasks.map((task) => [task.taskId, task]));
  const dag: KnownDag = { draft, model, tasks };
  return new Map(
    Array.from(draft.tasks.values(), (task) => [task.taskId, register(task, dag)] as const),
  );
}

function register(draft: TaskDraft, dag: KnownDag): RegisteredTask {
  const model = dag.tasks.get(draft.taskId) as TaskModel;
  return {
    handler: draft.handler,
    options: optionsOf(draft, model),
    inputs: draft.declarations,
    flow: new DagTask(draft, model, dag),
  };
}

function optionsOf({ settings, retryPolicy }: TaskDraft, { isMappedOver }: TaskModel): TaskOptions {
  const { executionTimeoutMs, multipleOutputs } = settings;
  return Object.freeze({
    ...(executionTimeoutMs !== undefined && { executionTimeoutMs }),
    ...(multipleOutputs === true && { multipleOutputs }),
    ...(retryPolicy !== undefined && { retryPolicy }),
    ...(isMappedOver && { mapsDownstream: true }),
  });
}

class DagTask implements FlowTask {
  readonly #draft: TaskDraft;
  readonly #model: TaskModel;
  readonly #dag: KnownDag;

  constructor(draft: TaskDraft, model: TaskModel, dag: KnownDag) {
    this.#draft = draft;
    this.#model = model;
    this.#dag = dag;
  }

  argumentsFor(context: TaskContext): object {
    const { inlets, outlets } = this.#draft;
    return { params: readParams(this.#dag.model.params, context.conf), inlets, outlets };
  }

  async end(value: unknown, end: FlowTaskEnd): Promise<unknown> {
    const result = await this.#follow(value, end);
    for (const { name, uri } of this.#model.outlets) end.declareOutlet({ name, uri });
    return result;
  }

  async #follow(value: unknown, end: FlowTaskEnd): Promise<unknown> {
    switch (this.#model.kind) {
      case "task":
        return value;
      case "branch": {
        const chosen = readChoice(value, this.#model, this.#dag);
        end.log.info("The branch follows", { chosen });
        await this.#skip(skipsOfBranch(chosen, this.#model, this.#dag), end);
        return chosen.length === 0 ? null : Array.isArray(value) ? chosen : chosen[0];
      }
      case "short-circuit":
        if (!value) await this.#skip(skipsOfShortCircuit(this.#model, this.#dag), end);
        return value;
    }
  }

  async #skip({ note, tasks }: Skips, { client, skipDownstream, log }: FlowTaskEnd): Promise<void> {
    if (note !== null) await client.setXCom(note, { key: SKIP_KEY });
    if (tasks.length === 0) return;
    const skipped = new Set(tasks.map((task) => (typeof task === "string" ? task : task.taskId)));
    log.info("Skipping tasks", { tasks: [...skipped] });
    await skipDownstream(tasks);
  }
}
