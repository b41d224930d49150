// Loading this module connects to the coordinator, captures `console` and takes over faults and
// `process.exit`, if and only if the process was started with --comm and --logs.
import { launchArguments, links } from "./launch/links.ts"; // first: dials before all else loads
import { TaskProcess } from "./runtime/task-process.ts";

/** The one {@link TaskProcess} of this process. */
export const taskProcess: TaskProcess = new TaskProcess(launchArguments, links);

taskProcess.takeOver();
