import { type DagModel, type DynamicDag, dag } from "@parlance/sdk-node";
import { runTask } from "@parlance/sdk-node/testing";
import { isLongRun, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../airflow/support/random.ts";
import { askDagRules, type DagShape, type ShapeAnswer } from "./support/ask-dag-rules.ts";
import { randomCron, randomShape } from "./support/random-shape.ts";

// What dag() makes of dependencies, groups, branches, mapping and cron texts is what Airflow's own code makes of
// them. Each run asks other questions.

const SHAPES = isLongRun() ? 2_000 : 60;
const LABEL = "edges, groups, branches, mapping and cron texts are as Airflow has them";

const python = requirePeer(test, LABEL, "airflow-3.3.2");
if (python !== undefined) {
  const { seed } = new Random();
  test(`${LABEL} (seed ${seed})`, async () => {
    const random = new Random(seed);
    const rules = Array.from({ length: SHAPES }, () => randomShape(random));
    const combinations = Array.from({ length: 20 }, () => randomLists(random));
    // Airflow's library takes days and months up to 0, which there are none of.
    const texts = Array.from({ length: SHAPES * 20 }, () => randomCron(random));
    const cron = texts.filter((text) => !/-0(?!\d)/.test(text));
    const airflow = await askDagRules(python, { rules, combinations, cron });

    for (const [at, shape] of rules.entries()) {
      const ours = await answerShape(shape);
      assert.equal(ours, airflow.rules[at], `seed ${seed}: ${JSON.stringify(shape)}`);
    }
    for (const [at, lists] of combinations.entries()) {
      assert.equal(await elements(lists), airflow.combinations[at], JSON.stringify(lists));
    }
    const differ = cron.filter((text, at) => isTaken(text) !== airflow.cron[at]);
    assert.equal(differ, [], "cron texts that one takes and the other does not");
    const taken = airflow.cron.filter(Boolean).length;
    assert.ok(taken > SHAPES && taken < SHAPES * 19, `${taken} of ${cron.length} are good`);
  });
}

/** The shape as a Dag in TypeScript. */
function declare({ nodes, pairs, chosen, ignore }: DagShape): DynamicDag {
  const after = (id: string) => pairs.filter(([, second]) => second === id).map(([first]) => first);
  const addTo = <Flow>(flow: Flow, parent: string | undefined): Flow => {
    let grown = flow as unknown as DynamicDag;
    for (const { id, kind } of nodes.filter((node) => node.parent === parent)) {
      const label = id.slice(id.lastIndexOf(".") + 1);
      const options = { after: after(id) };
      if (kind === "group") grown = grown.group(label, options, (group) => addTo(group, id));
      if (kind === "task") grown = grown.task(label, options, () => 1);
      if (kind === "branch") grown = grown.branch(label, options, () => chosen);
      if (kind === "short-circuit") {
        const more = { ...options, ignoreDownstreamTriggerRules: ignore };
        grown = grown.shortCircuit(label, more, () => false);
      }
    }
    return grown as unknown as Flow;
  };
  const flow: DynamicDag = dag("d");
  return addTo(flow, undefined);
}

async function answerShape(shape: DagShape): Promise<ShapeAnswer> {
  const flow = declare(shape);
  const { tasks, groups }: DagModel = flow.model;
  const { skippedTasks, xcoms } = await runTask(flow, { taskId: shape.chooser });
  const note = (xcoms["skipmixin_key"] ?? null) as ShapeAnswer["note"];
  return {
    edges: tasks
      .flatMap(({ taskId, downstream }) => downstream.map((id) => [taskId, id] as const))
      .sort(),
    groups: Object.fromEntries(
      groups.map(
        ({ groupId, upstreamGroupIds, downstreamGroupIds, upstreamTaskIds, downstreamTaskIds }) => [
          groupId,
          { upstreamGroupIds, downstreamGroupIds, upstreamTaskIds, downstreamTaskIds },
        ],
      ),
    ),
    skipped: skippedTasks.map(String).sort(),
    note:
      note &&
      Object.fromEntries(Object.entries(note).map(([word, ids]) => [word, [...ids].sort()])),
  };
}

type Lists = { readonly [name: string]: readonly number[] | { readonly [key: string]: number } };

/** One to three names, with a list or a map of one to three elements each. */
function randomLists(random: Random): Lists {
  const names = ["b", "a", "c"].slice(0, 1 + random.below(3));
  return Object.fromEntries(
    names.map((name) => {
      const list = Array.from({ length: 1 + random.below(3) }, () => random.below(100));
      return [name, random.chance(0.3) ? Object.fromEntries(list.map((n) => [`k${n}`, n])) : list];
    }),
  );
}

async function elements(lists: Lists): Promise<readonly unknown[]> {
  const flow = dag("d").task(
    "t",
    { forEach: lists as { readonly [name: string]: readonly number[] } },
    ({ inputs }) => inputs,
  );
  const count = Object.values(lists).reduce((all, list) => all * Object.keys(list).length, 1);
  const found: unknown[] = [];
  for (let mapIndex = 0; mapIndex < count; mapIndex++) {
    found.push((await runTask(flow, { mapIndex })).returnValue);
  }
  return found;
}

function isTaken(schedule: string): boolean {
  try {
    dag("d", { schedule });
    return true;
  } catch {
    return false;
  }
}

test.run();
