import type {
  AssetCondition,
  AssetModel,
  ChildModel,
  DagModel,
  GroupModel,
  InputModel,
  ParamModel,
  ScheduleModel,
  TaskModel,
  TaskSettings,
} from "../../../../packages/sdk-node/dist/dag/dag-model.js";
import type { Random } from "../../airflow/support/random.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const WORDS = ["a", "b2", "c_d", "e-f", "été", "日本", "x"];
const TEXTS = ["", "plain", 'with "quotes"', "ünïcödé 日本 😀", "two\nlines", "{{ ds }}"];
const TIMES = [0, 1, 999, 1000, 1500, 60_000, 86_400_000, 123_456_789];

/** A Dag of up to `size` tasks, with any part of the model that there is. */
export function randomDag(random: Random, size = 8): DagModel {
  const made = new Draft(random);
  const count = random.below(size + 1);
  for (let index = 0; index < count; index += 1) made.addNode(index);
  return made.finish();
}

class Draft {
  readonly #random: Random;
  readonly #tasks: Mutable<TaskModel>[] = [];
  readonly #groups: Mutable<GroupModel>[] = [];
  readonly #children: ChildModel[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  addNode(index: number): void {
    const random = this.#random;
    const parent = random.chance(0.4) ? random.pick([null, ...this.#groups]) : null;
    const label = `${random.pick(WORDS)}${index}`;
    const id = parent === null ? label : `${parent.groupId}.${label}`;
    const children = (parent?.children ?? this.#children) as ChildModel[];
    if (random.chance(0.2)) {
      children.push({ kind: "group", id });
      this.#groups.push({
        ...{ groupId: id, label, parentId: parent?.groupId ?? null, children: [] },
        ...{ displayName: this.#maybe(TEXTS.filter(Boolean)), tooltip: random.pick(TEXTS) },
        ...{ upstreamGroupIds: [], downstreamGroupIds: [] },
        ...{ upstreamTaskIds: [], downstreamTaskIds: [] },
      });
      return;
    }
    children.push({ kind: "task", id });
    this.#addTask(id, label, parent?.groupId ?? null);
  }

  #addTask(taskId: string, label: string, groupId: string | null): void {
    const random = this.#random;
    const before = this.#tasks.filter(() => random.chance(0.3)).map((task) => task.taskId);
    const kind = random.pick(["task", "task", "task", "branch", "short-circuit"] as const);
    const isMapped = kind === "task" && random.chance(0.3);
    const inputs = isMapped ? this.#lists() : {};
    const sources = Object.values(inputs).flatMap((input) =>
      input.kind === "each" ? [input.taskId] : [],
    );
    const upstream = [...new Set([...before, ...sources])].sort();
    for (const task of this.#tasks) {
      if (upstream.includes(task.taskId)) task.downstream = [...task.downstream, taskId].sort();
      if (sources.includes(task.taskId)) task.isMappedOver = true;
    }
    this.#tasks.push({
      ...{ taskId, label, groupId, kind, upstream, downstream: [], inputs },
      expand: isMapped ? Object.keys(inputs) : null,
      settings: randomSettings(random, sources.length > 0),
      inlets: isMapped ? [] : randomAssets(random),
      outlets: isMapped ? [] : randomAssets(random),
      ...{ choices: null, isMappedOver: false },
      ignoreDownstreamTriggerRules: random.chance(0.5),
    });
  }

  #lists(): { [name: string]: InputModel } {
    const random = this.#random;
    const names = ["row", "other_one", "third"].slice(0, 1 + random.below(3));
    const plain = this.#tasks.filter((task) => task.kind === "task");
    return Object.fromEntries(
      names.map((name): [string, InputModel] => {
        if (plain.length > 0 && random.chance(0.6)) {
          // Airflow refuses to map over another XCom of a task.
          return [name, { kind: "each", taskId: random.pick(plain).taskId, key: "return_value" }];
        }
        const list = [1, "two", null, true, { deep: [{ x: 1 }] }, [1.5]];
        const value = random.chance(0.8)
          ? list.slice(0, random.below(list.length + 1))
          : { one: 1, two: { three: 3 } };
        return [name, { kind: "each-literal", value }];
      }),
    );
  }

  #maybe<Value>(values: readonly Value[]): Value | null {
    return this.#random.chance(0.5) ? this.#random.pick(values) : null;
  }

  finish(): DagModel {
    const random = this.#random;
    const startDate = this.#maybe([new Date("2026-01-01T00:00:00Z"), new Date(1_700_000_000_500)]);
    const schedule = randomSchedule(random);
    const taskDefaults = random.chance(0.5) ? {} : randomSettings(random, true);
    return {
      dagId: `dag.${random.pick(WORDS)}`,
      displayName: this.#maybe(TEXTS.filter(Boolean)),
      description: this.#maybe(TEXTS),
      doc: this.#maybe(["# Doc", "ünï"]),
      schedule,
      startDate,
      endDate: this.#maybe([new Date("2030-01-01T00:00:00Z")]),
      timezone: "UTC",
      catchup: startDate === null ? this.#maybe([false]) : this.#maybe([true, false]),
      tags: random.chance(0.5) ? [] : ["tag", "ünï"],
      params: randomParams(random, schedule),
      maxActiveTasks: this.#maybe([1, 100]),
      maxActiveRuns: schedule.kind === "continuous" ? 1 : this.#maybe([1, 7]),
      maxConsecutiveFailedRuns: this.#maybe([0, 3]),
      dagrunTimeoutMs: this.#maybe(TIMES),
      failFast: false, // allows no trigger rule but one
      isPausedUponCreation: this.#maybe([true, false]),
      ownerLinks: random.chance(0.8) ? {} : { me: "https://example.org/me" },
      taskDefaults,
      tasks: this.#tasks.map((task) => ({
        ...task,
        settings: { ...taskDefaults, ...task.settings },
      })),
      groups: this.#groups.map((group) => this.#surround(group)),
      children: this.#children,
    };
  }

  #surround(group: GroupModel): GroupModel {
    const outside = this.#tasks.filter(({ taskId }) => !taskId.startsWith(`${group.groupId}.`));
    const pick = () => outside.filter(() => this.#random.chance(0.1)).map(({ taskId }) => taskId);
    const { groupId } = group;
    const others = this.#groups.map((each) => each.groupId).filter((id) => id !== groupId);
    const pickGroups = () => others.filter(() => this.#random.chance(0.1));
    return {
      ...group,
      ...{ upstreamGroupIds: pickGroups(), downstreamGroupIds: pickGroups() },
      ...{ upstreamTaskIds: pick(), downstreamTaskIds: pick() },
    };
  }
}

/** @param waits - it is mapped over what others return: then Airflow lets no rule start it at once */
function randomSettings(random: Random, waits = false): Partial<TaskSettings> {
  const rules = ["all_success", "all_done", "one_failed", "none_failed"] as const;
  const all: TaskSettings = {
    owner: random.pick(["airflow", "me", "ünï"]),
    displayName: random.pick(TEXTS.filter(Boolean)),
    doc: random.pick(["# Doc", "ünï"]),
    retries: random.below(4),
    retryDelayMs: random.pick(TIMES),
    retryExponentialBackoff: random.pick([0, 1, 1.5, 2, 3]),
    maxRetryDelayMs: random.pick(TIMES),
    pool: random.pick(["default_pool", "p"]),
    poolSlots: 1 + random.below(3),
    queue: random.pick(["default", "typescript"]),
    triggerRule: random.pick(waits ? rules : [...rules, "always"]),
    priorityWeight: random.pick([1, 7, 0, -3]),
    weightRule: random.pick(["downstream", "upstream", "absolute"]),
    executionTimeoutMs: random.pick(TIMES),
    dependsOnPast: random.chance(0.5),
    ignoreFirstDependsOnPast: random.chance(0.5),
    waitForDownstream: random.chance(0.3),
    maxActiveTisPerDag: 1 + random.below(5),
    maxActiveTisPerDagrun: 1 + random.below(5),
    multipleOutputs: random.chance(0.5),
  };
  const entries = Object.entries(all).filter(() => random.chance(0.3));
  return Object.fromEntries(entries) as Partial<TaskSettings>;
}

function randomAsset(random: Random): AssetModel {
  const name = random.pick(["orders", "s3 rows", "ünï"]);
  return {
    name,
    uri: random.pick([name, "s3://bucket/key", "x-own://Any/THING"]),
    group: random.pick(["asset", "model"]),
    extra: random.pick([{}, { team: "x", deep: { list: [1, null] } }]),
  };
}

function randomAssets(random: Random): readonly AssetModel[] {
  return Array.from({ length: random.chance(0.7) ? 0 : 1 + random.below(2) }, () => {
    return randomAsset(random);
  });
}

function randomCondition(random: Random, depth: number): AssetCondition {
  if (depth === 0 || random.chance(0.4)) return { kind: "asset", asset: randomAsset(random) };
  const of = Array.from({ length: 1 + random.below(3) }, () => randomCondition(random, depth - 1));
  return { kind: random.pick(["any", "all"]), of };
}

function randomSchedule(random: Random): ScheduleModel {
  switch (random.below(7)) {
    case 0:
      return { kind: "once" };
    case 1:
      return { kind: "continuous" };
    case 2:
      return { kind: "cron", expression: "*/5 3-6 * * 1-5", preset: null };
    case 3:
      return { kind: "cron", expression: "0 0 * * *", preset: "@daily" };
    case 4:
      return { kind: "every", everyMs: random.pick(TIMES.slice(1)) };
    case 5:
      return { kind: "assets", condition: randomCondition(random, 2) };
    default:
      return { kind: "none" };
  }
}

function randomParams(random: Random, schedule: ScheduleModel): readonly ParamModel[] {
  const params: readonly ParamModel[] = [
    { name: "region", default: { value: "eu" }, description: "Where", schema: { type: "string" } },
    { name: "count", default: { value: 3 }, description: null, schema: { type: "integer" } },
    {
      name: "deep",
      default: { value: { list: [{ x: 1 }], none: null } },
      description: null,
      schema: { type: "object", properties: { none: { type: ["null", "string"] } } },
    },
    { name: "list", default: { value: [1, [2]] }, description: "", schema: { type: "array" } },
    { name: "needed", default: null, description: null, schema: { type: "string" } },
  ];
  // A param without a default leaves no run to the clock.
  return params.filter(({ default: given }) => {
    return (given !== null || schedule.kind === "none") && random.chance(0.3);
  });
}
