import type { Py } from "../python/expression.ts";
import { call } from "../python/expression.ts";
import { Names } from "../python/identifiers.ts";
import { chainLine, layOut, layOutLong } from "../python/layout.ts";
import { textLiteral } from "../python/text-literal.ts";
import { tokensOf } from "../python/tokens.ts";
import type { DagFacts, GroupFacts, TaskFacts } from "../read/dag-facts.ts";
import type { Findings } from "../read/findings.ts";
import { IMPORTS, TAKEN } from "./airflow-names.ts";
import { chainsOf } from "./chains.ts";
import { type Edges, edgesToWrite, groupsOf, type Node } from "./edges.ts";
import { callOrder, type PlacedInput, placeInputs } from "./place-inputs.ts";

const INDENT = "    ";

/** What has a name in the file. */
interface Naming {
  /** The stub's function, by task id. */
  readonly functions: ReadonlyMap<string, string>;
  /** What its call returned, by task id: where something refers to it. */
  readonly results: ReadonlyMap<string, string>;
  /** By group id, where something refers to it. */
  readonly groups: ReadonlyMap<string, string>;
}

/**
 * A Dag as a Python file of stubs, without the comment at its head. The same Dag gives the same bytes.
 *
 * @param findings - gets what can't be written
 */
export function renderDag(dag: DagFacts, findings: Findings): string {
  const placed = placeInputs(dag, findings);
  const edges = edgesToWrite(dag, placed, findings);
  const naming = nameAll(dag, placed, edges);
  const queue = commonQueue(dag);
  const queueOf = (task: TaskFacts) => (queue === undefined ? textLiteral(task.queue) : "QUEUE");
  const writer = new Writer(dag, placed, naming, queueOf);
  const body = [writer.dag(), ...edgeLines(dag, edges, naming)].join("\n");
  const constant =
    queue === undefined
      ? ""
      : "# The queue that [sdk] queue_to_coordinator sends to the coordinator of these tasks.\n" +
        `QUEUE = ${textLiteral(queue)}\n\n`;
  return `${importsOf(body)}\n${constant}${body}\n`;
}

/** That of all tasks, when they have one. */
function commonQueue(dag: DagFacts): string | undefined {
  const queues = new Set([...dag.tasks.values()].map(({ queue }) => queue));
  return queues.size === 1 ? [...queues][0] : undefined;
}

function importsOf(body: string): string {
  const used = new Set(tokensOf(body).map((token) => /^\w+/.exec(token)?.[0]));
  const of = (names: readonly string[]) => names.filter((name) => used.has(name));
  const standard = of(IMPORTS.standard);
  const lines = standard.length === 0 ? [] : [`from datetime import ${standard.join(", ")}`, ""];
  if (used.has("pendulum")) lines.push("import pendulum");
  const names = of(IMPORTS.airflow);
  const flat = `from airflow.sdk import ${names.join(", ")}`;
  lines.push(
    flat.length <= 88
      ? flat
      : layOutLong(call("", ...names), { indent: "", before: "from airflow.sdk import " }),
  );
  return `${lines.join("\n")}\n`;
}

function nameAll(
  dag: DagFacts,
  placed: ReadonlyMap<string, readonly PlacedInput[]>,
  edges: Edges,
): Naming {
  const names = new Names(TAKEN);
  const order = callOrder(dag.root);
  const labels = order.map((id) => dag.tasks.get(id)?.label ?? id);
  const isShared = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  const functions = new Map(
    order.map((id, at) => {
      const label = labels[at] ?? id;
      return [id, names.take(isShared(label) ? id : label)] as const;
    }),
  );
  const nodes = edges.groups.flat();
  const wanted = new Set([
    ...[...placed.values()]
      .flat()
      .flatMap(({ input: { from } }) => ("taskId" in from ? [from.taskId] : [])),
    ...edges.tasks.flat(),
    ...labelsOf(dag)[0].flat(),
    ...nodes.flatMap(({ kind, id }) => (kind === "task" ? [id] : [])),
  ]);
  const results = new Map(
    order
      .filter((id) => wanted.has(id))
      .map((id) => [id, names.take(`${functions.get(id)}_task`)] as const),
  );
  const groupIds = new Set(nodes.flatMap(({ kind, id }) => (kind === "group" ? [id] : [])));
  const groups = new Map(
    groupsOf(dag.root)
      .filter(({ groupId }) => groupIds.has(groupId))
      .map(({ groupId }) => [groupId, names.take(`${groupId}_group`)] as const),
  );
  return { functions, results, groups };
}

function edgeLines(dag: DagFacts, edges: Edges, naming: Naming): readonly string[] {
  const task = (id: string) => naming.results.get(id) ?? "";
  const one = ({ kind, id }: Node) => (kind === "task" ? task(id) : naming.groups.get(id)) ?? "";
  const tasks = chainsOf(edges.tasks).map((links) => links.map((link) => linkOf(link.map(task))));
  const [plain, crossing] = labelsOf(dag);
  const labels = plain.map(([from, to, label]) => [task(from), call("Label", label), task(to)]);
  const all: (readonly Py[])[] = [
    ...tasks,
    ...edges.groups.map((ends) => ends.map(one)),
    ...labels,
  ];
  const lines = all.map((links) => INDENT + chainLine(links, INDENT));
  for (const [from, to, label] of crossing) {
    const info: Py = { dict: [['"label"', label]] };
    const set = call("dag.set_edge_info", textLiteral(from), textLiteral(to), info);
    lines.push(INDENT + layOut(set, { indent: INDENT }));
  }
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Those that `Label` can say: between tasks of two groups it would stand at the groups themselves. */
function labelsOf(
  dag: DagFacts,
): readonly [plain: DagFacts["labels"], crossing: DagFacts["labels"]] {
  const groupOf = new Map(
    [dag.root, ...groupsOf(dag.root)].flatMap(({ groupId, children }) =>
      children.flatMap((child) => (typeof child === "string" ? [[child, groupId] as const] : [])),
    ),
  );
  const there = dag.labels.filter(([from, to]) => groupOf.has(from) && groupOf.has(to));
  const isPlain = ([from, to]: DagFacts["labels"][number]) => groupOf.get(from) === groupOf.get(to);
  return [there.filter(isPlain), there.filter((label) => !isPlain(label))];
}

function linkOf(names: readonly string[]): Py {
  return names.length === 1 ? String(names[0]) : { list: names };
}

/** Writes the statements of a Dag. */
class Writer {
  readonly #dag: DagFacts;
  readonly #placed: ReadonlyMap<string, readonly PlacedInput[]>;
  readonly #naming: Naming;
  readonly #queueOf: (task: TaskFacts) => Py;

  constructor(
    dag: DagFacts,
    placed: ReadonlyMap<string, readonly PlacedInput[]>,
    naming: Naming,
    queueOf: (task: TaskFacts) => Py,
  ) {
    this.#dag = dag;
    this.#placed = placed;
    this.#naming = naming;
    this.#queueOf = queueOf;
  }

  dag(): string {
    const { dagId, args, root } = this.#dag;
    const opened = layOutLong(call("DAG", ["dag_id", textLiteral(dagId)], ...args), {
      indent: "",
      before: "with ",
      after: labelsOf(this.#dag)[1].length > 0 ? " as dag:" : ":",
    });
    const inner = this.#group(root, INDENT);
    return `${opened}\n${inner === "" ? `${INDENT}pass` : inner}`;
  }

  /** Stubs first, then their calls and the groups in order. */
  #group(group: GroupFacts, indent: string): string {
    const own = group.children.filter((child) => typeof child === "string");
    const stubs = own.map((id) => `\n${this.#stub(id, indent)}\n`).join("");
    let rest = "";
    let isBehindGroup = false;
    for (const child of group.children) {
      const isGroup = typeof child !== "string";
      if ((isGroup && rest + stubs !== "") || isBehindGroup) rest += "\n";
      rest += isGroup ? this.#nested(child, indent) : `${indent}${this.#call(child, indent)}`;
      rest += "\n";
      isBehindGroup = isGroup;
    }
    const gap = stubs === "" || rest.startsWith("\n") ? "" : "\n";
    return `${stubs}${gap}${rest}`.replace(/\n+$/, "");
  }

  #nested(group: GroupFacts, indent: string): string {
    const { groupId, label, args } = group;
    const name = this.#naming.groups.get(groupId);
    const opened = layOut(call("TaskGroup", textLiteral(label), ...args), {
      indent,
      before: "with ",
      after: `${name === undefined ? "" : ` as ${name}`}:`,
    });
    const inner = this.#group(group, indent + INDENT);
    return `${indent}${opened}\n${inner === "" ? `${indent}${INDENT}pass` : inner}`;
  }

  #stub(taskId: string, indent: string): string {
    const task = this.#dag.tasks.get(taskId) as TaskFacts;
    const name = this.#naming.functions.get(taskId) ?? "";
    const id = name === task.label ? [] : [["task_id", textLiteral(task.label)] as const];
    const decorator = call("task.stub", ...id, ["queue", this.#queueOf(task)], ...task.args);
    const parameters = (this.#placed.get(taskId) ?? []).map(({ parameter }) => parameter);
    return [
      ...(task.comment === undefined ? [] : [`# ${task.comment}`]),
      layOut(decorator, { indent, before: "@" }),
      layOut(call(name, ...parameters), { indent, before: "def ", after: ": ..." }),
    ]
      .map((line) => indent + line)
      .join("\n");
  }

  #call(taskId: string, indent: string): string {
    const inputs = this.#placed.get(taskId) ?? [];
    const result = this.#naming.results.get(taskId);
    const before = result === undefined ? "" : `${result} = `;
    const name = this.#naming.functions.get(taskId) ?? "";
    const args = (isEach: boolean) =>
      inputs
        .filter(({ input }) => input.isEach === isEach)
        .map(({ parameter, input: { from } }) => [parameter, this.#value(from)] as const);
    const [whole, each] = [args(false), args(true)];
    if (each.length === 0) return layOut(call(name, ...whole), { indent, before });
    if (whole.length === 0) return layOut(call(`${name}.expand`, ...each), { indent, before });
    const partial = layOut(call(`${name}.partial`, ...whole), {
      indent,
      before,
      after: ".expand(",
    });
    return layOut(call(`${partial.slice(before.length, -".expand(".length)}.expand`, ...each), {
      indent,
      before,
    });
  }

  #value(from: PlacedInput["input"]["from"]): Py {
    return "literal" in from ? from.literal : (this.#naming.results.get(from.taskId) ?? "");
  }
}
