import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freeChild } from "../lib/free-child.mjs";
import { interleave } from "../lib/interleave.mjs";
import { median } from "../lib/statistics.mjs";

const PROGRAM = fileURLToPath(new URL("../programs/tasks-one-by-one.mjs", import.meta.url));
const TASKS = 1_000;
const ROUNDS = 3;
const MEBIBYTE = 2 ** 20;

const run = promisify(execFile);

/**
 * One Dag of 1,000 tasks in ten layers, each after three of the layer before, two at a time; the child
 * costs nothing, so what is measured is the coordinator and, in ours, the engine around it: every
 * step of every task in SQLite before it is taken, a file each for its log and its frames. The limit
 * launches the same child as often, with a store in memory.
 *
 * The must: what a launch costs the coordinator is a tenth of what an empty Node process takes to start
 * and end (5 to 9 of 77 ms in bench/README.md). If the engine costs no more than that again, no one
 * notices it beside a real task.
 */
export const row = {
  name: "dag-1000",
  what: "a task of a Dag of 1,000 under the engine, a child that costs nothing",
  against: "the same child launched by the coordinator alone",
  must: 2,
  aim: 1.3,
  better: "lower",
  unit: "ms",
  async measure({ note }) {
    const child = freeChild("end", note);
    const seen = { dag: [], plain: [] };
    const sample = (mode) => async () => {
      const { stdout } = await run(process.execPath, [PROGRAM, mode, "layers", TASKS, ...child]);
      const figures = JSON.parse(stdout);
      seen[mode].push(figures);
      return figures.ms / TASKS;
    };
    const figures = await interleave({
      rounds: ROUNDS,
      warmUps: 0,
      ours: sample("dag"),
      limit: sample("plain"),
    });
    tell(note, seen, figures);
    return figures;
  },
};

function tell(note, { dag, plain }, { ours, limit }) {
  const cpu = (all) => median(all.map(({ cpuMs }) => cpuMs / TASKS));
  const memory = (all) => Math.round(median(all.map(({ rssBytes }) => rssBytes)) / MEBIBYTE);
  const base = Math.round(median(dag.map(({ baseBytes }) => baseBytes)) / MEBIBYTE);
  note(`the engine's own share: ${(ours - limit).toFixed(2)} ms a task`);
  note(`processor time: ${cpu(dag).toFixed(2)} ms a task, alone ${cpu(plain).toFixed(2)} ms`);
  note(`resident: ${memory(dag)} MiB (${base} before the Dag), alone ${memory(plain)} MiB`);
}
