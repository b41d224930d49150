import type { RunOutcome } from "@parlance/coordinator/dag-run";
import type { CommandIo } from "../../io.ts";
import { escapeControls } from "../../terminal-text.ts";
import { formatDuration } from "../format-duration.ts";
import { type Colors, colorsFor } from "../terminal-observer.ts";
import type { InstanceEntry } from "./whole-dag-entries.ts";
import { nameOf } from "./whole-dag-progress.ts";

/** Instances of one mapped task that are listed one by one; more are counted by state. */
const MAX_INSTANCES = 20;

const MAX_VALUE_CHARACTERS = 100;

/** A table of the instances of a run, and how the run ended, for a person. */
export function formatWholeDag(
  entries: readonly InstanceEntry[],
  outcome: RunOutcome,
  runId: string,
  { stdout, env }: CommandIo,
): string {
  const colors = colorsFor(stdout, env);
  const rows = rowsOf(entries);
  const width = Math.max(4, ...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, state, rest }) => {
    const color = colorOf(state, colors);
    return `${name.padEnd(width)}  ${color(state.padEnd(15))}  ${rest}`.trimEnd();
  });
  const why = outcome.note === null ? "" : `: ${escapeControls(outcome.note)}`;
  const end = `run ${escapeControls(runId)} ${colorOf(outcome.state, colors)(outcome.state)}${why}`;
  return `${[...lines, end].join("\n")}\n`;
}

interface Row {
  readonly name: string;
  readonly state: string;
  readonly rest: string;
}

function rowsOf(entries: readonly InstanceEntry[]): Row[] {
  const byTask = new Map<string, InstanceEntry[]>();
  for (const entry of entries) {
    byTask.set(entry.taskId, [...(byTask.get(entry.taskId) ?? []), entry]);
  }
  return [...byTask].flatMap(([taskId, own]) =>
    own.length > MAX_INSTANCES ? countedRows(taskId, own) : own.map(rowOf),
  );
}

function rowOf(entry: InstanceEntry): Row {
  const { finalState: state, attempts, durationMs, note, xcoms } = entry;
  const tries = attempts === 0 ? "" : attempts === 1 ? "1 try" : `${attempts} tries`;
  const time = attempts === 0 ? "" : formatDuration(durationMs);
  const value = "return_value" in xcoms ? valueText(xcoms["return_value"]) : "";
  const said = note !== null && state !== "success" ? escapeControls(note) : value;
  const label =
    entry.renderedMapIndex === undefined ? "" : `(${escapeControls(entry.renderedMapIndex)})`;
  const rest = [tries.padEnd(8), time.padEnd(9), label, said].filter((part) => part !== "");
  return { name: escapeControls(nameOf(entry)), state, rest: rest.join(" ") };
}

function countedRows(taskId: string, entries: readonly InstanceEntry[]): Row[] {
  const counts = new Map<string, number>();
  for (const { finalState } of entries) counts.set(finalState, (counts.get(finalState) ?? 0) + 1);
  return [...counts].map(([state, count]) => ({
    name: escapeControls(taskId),
    state,
    rest: `${count} of ${entries.length} instances`,
  }));
}

function valueText(value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  const cut = escapeControls(json.slice(0, MAX_VALUE_CHARACTERS));
  return json.length > MAX_VALUE_CHARACTERS ? `${cut}…` : cut;
}

function colorOf(state: string, colors: Colors): (text: string) => string {
  if (state === "success" || state === "skipped") return colors.green;
  return state === "failed" || state === "upstream_failed" ? colors.red : colors.yellow;
}
