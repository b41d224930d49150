import { RegistrationError } from "../../errors.ts";
import type { InputDeclarations } from "../../inputs/input.ts";
import type { RetryPolicy, TaskHandler } from "../../task-handler.ts";
import type { DagAsset } from "../assets/asset.ts";
import type { ChildModel, DagModel, InputModel, TaskKind, TaskSettings } from "../dag-model.ts";

/** A task as it was declared: everything checked but what later declarations decide. */
export interface TaskDraft {
  readonly taskId: string;
  readonly label: string;
  readonly groupId: string | null;
  readonly kind: TaskKind;
  readonly after: readonly ChildModel[];
  readonly before: readonly ChildModel[];
  /** As they were written: what they name may be declared later. */
  readonly choices: readonly string[] | null;
  readonly inputs: { readonly [name: string]: InputModel };
  /** Those that the task's process resolves; mapped ones are added when the Dag is whole. */
  readonly declarations: InputDeclarations;
  readonly expand: readonly string[] | null;
  readonly settings: Partial<TaskSettings>;
  readonly inlets: readonly DagAsset[];
  readonly outlets: readonly DagAsset[];
  readonly ignoreDownstreamTriggerRules: boolean;
  readonly retryPolicy: RetryPolicy | undefined;
  readonly handler: TaskHandler<unknown, object>;
}

/** A group as it was declared. */
export interface GroupDraft {
  readonly groupId: string;
  readonly label: string;
  readonly parentId: string | null;
  readonly displayName: string | null;
  readonly tooltip: string;
  readonly after: readonly ChildModel[];
  readonly before: readonly ChildModel[];
  /** With those of what is around it. */
  readonly taskDefaults: Partial<TaskSettings>;
}

/** What the Dag itself was declared with. */
export type DagFacts = Omit<DagModel, "tasks" | "groups" | "children">;

/** The declarations of one Dag so far, in their order. */
export class DagDraft {
  readonly facts: DagFacts;
  readonly tasks: Map<string, TaskDraft> = new Map();
  readonly groups: Map<string, GroupDraft> = new Map();
  /** Why nothing can be added any more; undefined while it can. */
  sealedBy: string | undefined;

  constructor(facts: DagFacts) {
    this.facts = facts;
  }

  /** The task or group of a name, within a group first by its last part; undefined when there is none. */
  find(name: string, prefix: string): ChildModel | undefined {
    for (const id of prefix === "" ? [name] : [prefix + name, name]) {
      if (this.tasks.has(id)) return { kind: "task", id };
      if (this.groups.has(id)) return { kind: "group", id };
    }
    return undefined;
  }

  /** The names of what there is, for a message. */
  get names(): string {
    const names = [...this.tasks.keys(), ...this.groups.keys()];
    const shown = names.slice(0, 20).map((name) => JSON.stringify(name));
    if (names.length === 0) return "there is none yet";
    return `there are ${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
  }

  /** @throws RegistrationError `already-serving` when the Dag was taken as whole */
  checkOpen(where: string): void {
    if (this.sealedBy === undefined) return;
    const message = `${where}: the Dag is complete since ${this.sealedBy}; declare all of its tasks before`;
    throw new RegistrationError("already-serving", message);
  }

  /** @throws RegistrationError `duplicate-task` */
  checkFree(id: string, where: string): void {
    const taken = this.tasks.has(id) ? "task" : this.groups.has(id) ? "group" : undefined;
    if (taken === undefined) return;
    const message = `${where}: there is a ${taken} ${JSON.stringify(id)} already; tasks and groups share their ids, so choose another one`;
    throw new RegistrationError("duplicate-task", message);
  }
}
