import { basename, dirname } from "node:path";
import type { AirflowLine, DoctorProblem } from "./doctor-report.ts";
import { NODE_SUFFIX } from "./examine-file.ts";
import { shellQuote } from "./shell-quote.ts";
import type { Place } from "./walk-places.ts";

/** What is wrong with a place that is no file; undefined when nothing is. */
export function checkPlace(place: Place, airflow: AirflowLine): DoctorProblem | undefined {
  const path = place.path.toString();
  const quoted = shellQuote(place.path);
  const error = { path, severity: "error" } as const;
  switch (place.kind) {
    case "file":
      return undefined;
    case "folder": {
      if (airflow === "3.3" || !basename(path).endsWith(NODE_SUFFIX)) return undefined;
      const other = Buffer.from(place.path).subarray(0, -NODE_SUFFIX.length);
      return {
        path,
        code: "folder-named-bundle",
        severity: "warning",
        message:
          "It is a folder, named as a Node bundle: Airflow looks at what is in it, by the names there.",
        mend: "If the bundle is in it, put it in its place; else rename the folder.",
        command: `mv -- ${quoted} ${shellQuote(other.toString())}`,
      };
    }
    case "seen-folder":
      return {
        path,
        code: "folder-seen-before",
        severity: "note",
        message: "It leads to a folder that was entered before: Airflow does not enter it again.",
        mend: "Nothing has to be done.",
        command: null,
      };
    case "broken-link":
      return {
        ...error,
        code: "broken-link",
        message: `It is a link to ${JSON.stringify(place.target)}, where nothing is: Airflow passes over it without a word.`,
        mend: "Put what it links to in its place, or remove the link.",
        command: `rm -- ${quoted}`,
      };
    case "looping-link":
      return {
        ...error,
        code: "looping-link",
        message: `It is a link to ${JSON.stringify(place.target)}, which leads back to itself: Airflow passes over it without a word.`,
        mend: "Remove the link.",
        command: `rm -- ${quoted}`,
      };
    case "unreadable-folder":
      return {
        ...error,
        code: "unreadable-folder",
        message: `This user can't list it (${place.reason}): Airflow, run as the same user, passes over all that is in it.`,
        mend: "Let the user of Airflow read it, and look again.",
        command: `chmod a+rx -- ${quoted}`,
      };
    case "unreadable":
      return {
        ...error,
        code: "unreadable",
        message: `It can't be looked at (${place.reason}): Airflow passes over it without a word.`,
        mend: "Let the user of Airflow enter its folder, and look again.",
        command: `chmod a+rx -- ${shellQuote(dirname(path))}`,
      };
    case "missing-root":
      return {
        ...error,
        code: "missing-root",
        message: `It can't be looked at (${place.reason}): Airflow finds no bundle in it, and says nothing of it.`,
        mend: "Correct the name in Airflow's configuration, or make the folder.",
        command: null,
      };
  }
}
