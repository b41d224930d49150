import type { CommandIo } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import type { LoadObserver } from "./watched-project.ts";

/** What `parlance dev` says on stderr while it serves. */
export function devTerminal(
  io: CommandIo,
): LoadObserver & { readonly fault: (error: unknown) => void } {
  const say = (text: string) => {
    io.stderr.write(`${escapeControls(text, { keepLineEnds: true })}\n`);
  };
  return {
    loaded({ dags, plainTasks }, problems, durationMs) {
      const plain = [...plainTasks.values()];
      const tasks = [...dags.map((dag) => dag.tasks), ...plain];
      const count = tasks.reduce((sum, { length }) => sum + length, 0);
      const inDags = `${tasks.length} ${tasks.length === 1 ? "Dag" : "Dags"}`;
      say(
        `loaded ${count} ${count === 1 ? "task" : "tasks"} in ${inDags} (${Math.round(durationMs)} ms)`,
      );
      for (const problem of problems) say(problem);
    },
    failed: (message) => say(`${message}\nthe code before it stays in use`),
    notWatched: (error) => say(`changes of some files go unnoticed: ${error.message}`),
    fault(error) {
      say(`fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },
  };
}
