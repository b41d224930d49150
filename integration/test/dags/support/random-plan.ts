import type { Random } from "../../airflow/support/random.ts";
import type { PlannedEnd, PlannedGroup, PlannedLists, PlannedTask, RunPlan } from "./run-plan.ts";

/** Every rule of Airflow 3.3. */
export const RULES = [
  ...["all_success", "all_failed", "all_done", "all_done_min_one_success", "one_success"],
  ...["all_done_setup_success", "one_failed", "one_done", "none_failed", "none_skipped"],
  ...["none_failed_min_one_success", "all_skipped", "always"],
];

type Draft = { -readonly [Field in keyof PlannedTask]: PlannedTask[Field] };

/** A Dag of 3 to 9 tasks, in groups or not, with branches, mapping, setups and teardowns. */
export function randomPlan(random: Random): RunPlan {
  const count = 3 + random.below(7);
  const groups = random.chance(0.45) ? [randomGroup("g")] : [];
  if (groups.length > 0 && random.chance(0.4)) groups.push({ ...randomGroup("h"), parent: "g" });
  const hasSetups = random.chance(0.3);
  const tasks: Draft[] = [];
  let within: string | undefined;
  for (let at = 0; at < count; at++) {
    // A group's tasks stand together, so that there is something before and after it.
    if (groups.length > 0 && at > 0 && random.chance(0.5)) {
      within = random.pick([undefined, ...groups.map(({ id }) => id)]);
    }
    tasks.push(randomTask(random, `t${at}`, within, tasks, hasSetups));
  }
  const planned = groups.map((group): PlannedGroup => {
    if (!random.chance(0.6)) return group;
    const first = tasks.findIndex((task) => isWithin(task.group, group.id, groups));
    const before = first <= 0 ? [] : tasks.slice(0, first);
    const over = randomLists(
      random,
      before.filter((task) => task.group === undefined),
    );
    for (const name of namesOf(over)) mapOver(random, tasks, name);
    return { ...group, over };
  });
  for (const group of planned) joinToLists(tasks, group, planned);
  for (const task of tasks) if (task.kind !== "task") decide(random, task, tasks);
  return { groups: planned, tasks };
}

function randomGroup(id: string): PlannedGroup {
  return { id };
}

function randomTask(
  random: Random,
  id: string,
  group: string | undefined,
  before: Draft[],
  hasSetups: boolean,
): Draft {
  const after = before.filter(() => random.chance(Math.min(0.45, 2 / before.length)));
  const made: Draft = {
    id,
    ...(group !== undefined && { group }),
    after: after.map((task) => task.id),
    kind: random.chance(0.15) ? random.pick(["branch", "short-circuit"] as const) : "task",
    ends: Array.from({ length: random.chance(0.5) ? 1 : 3 }, () => randomEnd(random)),
    turn: random.below(5),
  };
  if (hasSetups && random.chance(0.25)) made.setup = true;
  else if (hasSetups && after.length > 0 && random.chance(0.35)) {
    made.teardown = true;
    made.failsRun = random.chance(0.5);
  }
  // Airflow wants tasks right after a setup to keep to the usual rule.
  const isFree = !after.some(({ setup }) => setup === true) && made.teardown !== true;
  if (isFree && random.chance(0.6)) made.rule = random.pick(RULES);
  if (made.kind === "task" && made.setup !== true && random.chance(0.25)) {
    const plain = before.filter((task) => task.group === group || task.group === undefined);
    const over = randomLists(random, plain);
    for (const name of namesOf(over)) mapOver(random, before, name);
    made.over = over;
    made.after = [...new Set([...made.after, ...namesOf(over)])];
    // What a mapped task is mapped over has to succeed; "always" is refused for it.
    if (made.rule === "always") delete made.rule;
  }
  return made;
}

function randomEnd(random: Random): PlannedEnd {
  return random.chance(0.75) ? "success" : random.chance(0.6) ? "failed" : "skipped";
}

function randomLists(random: Random, before: readonly Draft[]): PlannedLists {
  const usable = before.filter(({ kind, teardown }) => kind === "task" && teardown !== true);
  const one = (): string | number =>
    usable.length > 0 && random.chance(0.65) ? random.pick(usable).id : random.below(4);
  return random.chance(0.2) ? { a: one(), b: one() } : { a: one() };
}

function namesOf(over: PlannedLists): string[] {
  return Object.values(over).filter((source) => typeof source === "string");
}

/** The task leaves something that can be mapped over. */
function mapOver(random: Random, tasks: readonly Draft[], id: string): void {
  const task = tasks.find((one) => one.id === id);
  if (task !== undefined) task.length ??= random.below(4);
}

/** Tasks of a mapped group are not mapped themselves, which Airflow refuses, and come after what it is mapped over. */
function joinToLists(
  tasks: readonly Draft[],
  group: PlannedGroup,
  all: readonly PlannedGroup[],
): void {
  const sources = namesOf(group.over ?? {});
  for (const task of tasks.filter((one) => isWithin(one.group, group.id, all))) {
    if (group.over !== undefined) delete task.over;
    if (task.rule === "always" && group.over !== undefined) delete task.rule;
    const isFirst = !task.after.some((id) =>
      isWithin(tasks.find((one) => one.id === id)?.group, group.id, all),
    );
    if (isFirst) task.after = [...new Set([...task.after, ...sources])];
  }
}

function isWithin(own: string | undefined, group: string, all: readonly PlannedGroup[]): boolean {
  for (let id = own; id !== undefined; id = all.find((one) => one.id === id)?.parent) {
    if (id === group) return true;
  }
  return false;
}

/** What a branch follows, or a short circuit skips: as Airflow's own operators leave it. */
function decide(random: Random, task: Draft, tasks: readonly Draft[]): void {
  const below = tasks.filter(({ after }) => after.includes(task.id));
  const isTeardown = (id: string): boolean => tasks.find((one) => one.id === id)?.teardown === true;
  if (task.kind === "branch") {
    const chosen = below.filter(() => random.chance(0.5)).map(({ id }) => id);
    const reached = new Set(chosen.flatMap((id) => [...reachable(id, tasks)]));
    const followed = [
      ...new Set([...chosen, ...below.map(({ id }) => id).filter((id) => reached.has(id))]),
    ];
    task.decision = { followed };
    task.skips = below.map(({ id }) => id).filter((id) => !followed.includes(id));
    return;
  }
  const goesOn = random.chance(0.4);
  if (goesOn) return;
  const ids = random.chance(0.5) ? [...reachable(task.id, tasks)] : below.map(({ id }) => id);
  const skipped = ids.filter((id) => !isTeardown(id));
  task.decision = { skipped };
  task.skips = skipped;
}

function reachable(id: string, tasks: readonly Draft[]): Set<string> {
  const found = new Set<string>();
  const visit = (from: string): void => {
    for (const { id: next, after } of tasks) {
      if (!after.includes(from) || found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(id);
  return found;
}
