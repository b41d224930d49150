import { fileURLToPath } from "node:url";
import type { ConformanceCase } from "../case/case-types.ts";
import type { LauncherPlan } from "./launch-runtime.ts";

const LAUNCHER = fileURLToPath(new URL("launch-runtime.js", import.meta.url));

/**
 * The command that starts a runtime as its case wants it: mostly its own. A case with other addresses or arguments, or
 * with a signal that the supervisor itself would not send, starts it through a small program of ours.
 *
 * @param pidFile - where that program writes the number of the runtime's process
 */
export function launchArgv(
  argv: readonly string[],
  wanted: ConformanceCase,
  pidFile: string,
): readonly string[] {
  const { launch, link } = wanted;
  const plan: LauncherPlan = {
    address: launch.address ?? "ipv4",
    isLogsFirst: launch.order === "logs-first",
    isTwoWords: launch.form === "two-words",
    ...(link.cutLogsAfterBytes !== undefined && { cutLogsAfterBytes: link.cutLogsAfterBytes }),
    ...(isSignalledByNumber(wanted) && { pidFile }),
  };
  const isPlain =
    plan.address === "ipv4" &&
    !plan.isLogsFirst &&
    !plan.isTwoWords &&
    plan.cutLogsAfterBytes === undefined &&
    plan.pidFile === undefined;
  return isPlain ? argv : [process.execPath, LAUNCHER, JSON.stringify(plan), ...argv];
}

/** Whether its signals go to the process itself, past the supervisor, which sends SIGTERM once. */
export function isSignalledByNumber({ signal }: ConformanceCase): boolean {
  return signal?.name === "SIGINT" || (signal?.times ?? 1) > 1;
}
