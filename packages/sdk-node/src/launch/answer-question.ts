import type { Bundle } from "../bundle.ts";
import type { LaunchArguments } from "./arguments.ts";
import { airflowMetadata, writeDescription, writeLine } from "./describe.ts";
import { usageText } from "./usage.ts";

/**
 * Says what was asked about a program, or how to ask. Whole Dags are held to what Airflow would refuse
 * them for first, so that they are not packed in vain.
 *
 * @returns the exit code
 * @throws RegistrationError, or what the system says when it cannot be written
 */
export async function answerQuestion(
  bundle: Bundle,
  asked: Exclude<LaunchArguments, { readonly mode: "task" }>,
): Promise<number> {
  for (const dag of bundle.dags) await dag.serialize({ fileloc: "", relativeFileloc: "" });
  switch (asked.mode) {
    case "describe":
      writeDescription(bundle, asked.fd);
      return 0;
    case "metadata":
      writeLine(1, airflowMetadata(bundle));
      return 0;
    default:
      process.stderr.write(usageText(asked, bundle));
      return 2;
  }
}
