import { type ResultNode, TaskFailure, type TaskMeta } from "@parlance/results";
import type { CommandIo } from "../../io.ts";
import { colorsFor } from "../../run/terminal-observer.ts";
import { cutText, escapeControls } from "../../terminal-text.ts";
import { isoDateDone } from "./iso-date-done.ts";
import { stateColor } from "./state-color.ts";
import { valueText } from "./value-text.ts";

/** A task's row for a person: one line a field that says something, the traceback last. */
export function formatMeta(meta: TaskMeta, io: CommandIo): readonly string[] {
  const colors = colorsFor(io.stdout, io.env);
  const state = escapeControls(meta.state ?? "(no state)");
  const rows: readonly (readonly [string, string | null])[] = [
    ["task", escapeControls(meta.taskId)],
    ["state", stateColor(meta.state, colors)(state)],
    ["done", isoDateDone(meta.dateDone, meta.dateDoneText)],
    ["result", meta.result instanceof TaskFailure ? failureText(meta.result) : resultText(meta)],
    ["children", childrenText(meta.children)],
    ["name", textOf(meta.name)],
    ["args", present(meta.args)],
    ["kwargs", present(meta.kwargs)],
    ["worker", textOf(meta.worker)],
    ["retries", meta.retries == null ? null : String(meta.retries)],
    ["queue", textOf(meta.queue)],
    ["stamps", present(meta.stamps)],
    ...(meta.undecodable ?? []).map(
      ({ column, bytes }) => [column, `(${bytes.length} bytes that can't be read)`] as const,
    ),
  ];
  const lines = rows
    .filter((row): row is readonly [string, string] => row[1] !== null)
    .map(([name, text]) => `${colors.dim(name.padEnd(10))}${text}`);
  if (meta.traceback === null || meta.traceback === "") return lines;
  const traceback = escapeControls(cutText(meta.traceback), { keepLineEnds: true }).trimEnd();
  return [...lines, colors.dim("traceback"), ...traceback.split("\n").map((line) => `  ${line}`)];
}

/** No result says nothing where none can be yet. */
function resultText({ state, result, undecodable = [] }: TaskMeta): string | null {
  if (undecodable.some(({ column }) => column === "result")) return null;
  return result === null && state !== "SUCCESS" ? null : valueText(result);
}

function failureText({ type, module, args }: TaskFailure): string {
  const name = module === null || module === "builtins" ? type : `${module}.${type}`;
  const [only] = args;
  if (args.length === 0) return escapeControls(name);
  const said = args.length === 1 && typeof only === "string" ? only : undefined;
  return `${escapeControls(name)}: ${said === undefined ? valueText(args) : escapeControls(cutText(said))}`;
}

function childrenText(children: readonly ResultNode[] | null): string | null {
  return children === null ? null : nodesText(children);
}

/** `a, b, group g (c, d)` */
export function nodesText(nodes: readonly ResultNode[]): string {
  const names = nodes.map((node) => {
    const id = escapeControls(node.id);
    return node.kind === "task" ? id : `group ${id} (${nodesText(node.members)})`;
  });
  return names.join(", ");
}

function textOf(text: string | null | undefined): string | null {
  return text == null ? null : escapeControls(text);
}

function present(value: unknown): string | null {
  return value == null ? null : valueText(value);
}
