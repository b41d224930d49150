import type { CommandIo } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { endedWell } from "./ended-well.ts";
import { formatDuration } from "./format-duration.ts";
import type { TaskEntry } from "./run-tasks.ts";
import { colorsFor } from "./terminal-observer.ts";

/** An XCom takes about two lines of a terminal at most; `--json` has the whole. */
const MAX_VALUE_CHARACTERS = 160;
/** A task that leaves hundreds would push the states of the others off the screen. */
const MAX_XCOMS = 20;

/**
 * The states and XComs of a run, for a person, in the order in which the tasks ran; those that
 * were not started, after a Ctrl-C, come last.
 */
export function formatSummary(
  entries: readonly TaskEntry[],
  taskIds: readonly string[],
  { stdout, env }: CommandIo,
): string {
  const colors = colorsFor(stdout, env);
  const width = Math.max(4, ...taskIds.map((taskId) => taskId.length));
  const name = (taskId: string) => escapeControls(taskId).padEnd(width);
  const ran = entries.flatMap(({ taskId, finalState, attempts, durationMs, xcoms }) => {
    const color = endedWell(finalState) ? colors.green : colors.red;
    const state = color(finalState.padEnd(14));
    const tries = attempts === 1 ? "1 try  " : `${attempts} tries`;
    const head = `${name(taskId)}  ${state}  ${tries}  ${formatDuration(durationMs)}`;
    return [head, ...formatXComs(xcoms).map((line) => colors.dim(`  ${line}`))];
  });
  const others = taskIds.slice(entries.length);
  const notRun = others.map((taskId) => `${name(taskId)}  ${colors.dim("not started")}`);
  return `${[...ran, ...notRun].join("\n")}\n`;
}

/** The last ones, since the result is the last that a task leaves. */
function formatXComs(xcoms: TaskEntry["xcoms"]): readonly string[] {
  const left = Object.entries(xcoms);
  const shown = left.slice(left.length > MAX_XCOMS ? 1 - MAX_XCOMS : 0);
  const lines = shown.map(([key, value]) => `${escapeControls(key)} = ${formatValue(value)}`);
  const hidden = left.length - shown.length;
  return hidden === 0 ? lines : [`… and ${hidden} more before these; --json has all`, ...lines];
}

function formatValue(value: unknown): string {
  const json = JSON.stringify(value);
  const cut = escapeControls(json.slice(0, MAX_VALUE_CHARACTERS)).replaceAll(WIDE_INTEGER, "$1");
  return json.length > MAX_VALUE_CHARACTERS ? `${cut}… (${json.length} characters)` : cut;
}

/** The mark of an integer beyond 2^53 in JSON; a person needs none. */
const WIDE_INTEGER = /\{"\$":"int","v":"(-?\d+)"\}/g;
