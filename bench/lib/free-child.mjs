// A child that costs nothing, so that what is measured is its supervisor.
import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeRequestFrame, Timestamp } from "../../packages/framing/dist/index.js";
import { temporaryFolder } from "./temporary-folder.mjs";

const PROGRAMS = fileURLToPath(new URL("../programs/", import.meta.url));

/**
 * Builds the child (compiled, or a bash script where there is no C compiler) in a folder that
 * goes with this process.
 *
 * @param {"end" | "stay"} mode see programs/free-child.c
 * @returns {string[]} its command line, without --comm and --logs
 */
export function freeChild(mode, note = () => {}) {
  const folder = temporaryFolder();
  const program = join(folder, "free-child");
  const source = join(PROGRAMS, "free-child.c");
  if (spawnSync("cc", ["-O2", "-o", program, source], { stdio: "ignore" }).status !== 0) {
    note("there is no C compiler: the free child is a bash script, which costs some milliseconds");
    copyFileSync(join(PROGRAMS, "free-child.sh"), program);
  }
  const frame = join(folder, "frame");
  const body = {
    type: "SucceedTask",
    state: "success",
    end_date: Timestamp.fromDate(new Date()),
    task_outlets: [],
    outlet_events: [],
    rendered_map_index: null,
  };
  writeFileSync(frame, encodeRequestFrame({ id: 1, body }));
  return [program, frame, mode];
}
