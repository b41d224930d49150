import type { Bundle } from "../bundle.ts";
import type { LaunchArguments } from "./arguments.ts";

/** More Dags are counted instead of listed. */
const MAX_DAGS = 50;
/** A longer list of tasks is cut. */
const MAX_TASKS_CHARACTERS = 1000;

/** For a person who started a program by hand: what it is, what is in it and how to run that. */
export function usageText(
  launch: LaunchArguments & { readonly problem: string },
  bundle: Bundle,
): string {
  if (launch.mode === "wrong") {
    return (
      `This program can't run an Airflow task: ${launch.problem}.\n` +
      "A coordinator starts it with both --comm=HOST:PORT and --logs=HOST:PORT.\n"
    );
  }
  const dags = bundle.list();
  const [dagId, [taskId = "TASK"] = []] = dags[0] ?? ["DAG"];
  return (
    "This program has tasks for Airflow, which starts it with --comm=HOST:PORT and --logs=HOST:PORT " +
    `(${launch.problem}).\n\n` +
    `${listed(dags)}\n` +
    `Run one here:   parlance run ENTRY --dag ${dagId} --task ${taskId}\n` +
    "Pack them:      parlance pack ENTRY --out FILE\n" +
    "For a packer:   add --airflow-metadata to this command\n"
  );
}

function listed(dags: ReturnType<Bundle["list"]>): string {
  if (dags.length === 0)
    return "It has no tasks yet: bundle.task(dagId, taskId, handler) adds one.\n";
  const lines = dags.slice(0, MAX_DAGS).map(([dagId, taskIds]) => {
    const tasks = taskIds.join(", ");
    const shown =
      tasks.length > MAX_TASKS_CHARACTERS ? `${tasks.slice(0, MAX_TASKS_CHARACTERS)}…` : tasks;
    return `  ${dagId}: ${shown}\n`;
  });
  if (dags.length > MAX_DAGS) lines.push(`  … and ${dags.length - MAX_DAGS} more Dags\n`);
  return lines.join("");
}
