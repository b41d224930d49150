import type { BundleReport } from "../bundle-report.ts";
import type { FilePath } from "../find/walk-files.ts";
import type { BundleProblem } from "../metadata/check-metadata.ts";
import type { AirflowLine, DoctorCode, DoctorProblem } from "./doctor-report.ts";
import { shellQuote } from "./shell-quote.ts";

/** Schema versions that a line of Airflow knows. */
export const KNOWN_SCHEMA_VERSIONS: { readonly [Line in AirflowLine]: readonly string[] } = {
  "3.3": ["2026-06-16"],
  "3.4": ["2026-06-16", "2026-10-30"],
};

/** What every line of Airflow knows. */
const COMMON_SCHEMA_VERSION = "2026-06-16";

/** A problem before it has a place; `repack` are options of the command that mends it. */
export type Finding = Omit<DoctorProblem, "path" | "command"> & {
  readonly command?: string;
  readonly repack?: string;
};

const COPY_AGAIN = "Copy the file again from where it was packed, or pack it again.";
const PACK_AGAIN = "Pack it again (parlance pack --format node).";
const UI_ONLY = "Tasks run all the same; the source is not shown.";

interface Mend {
  readonly mend: string;
  readonly repack?: string;
}

/** How the problems that a reader tells are mended, by their code. */
const MENDS: { readonly [code: string]: Mend } = {
  "bad-version": { mend: "Pack it again, with a packer that writes footer version 1." },
  "reserved-bytes": { mend: COPY_AGAIN },
  "out-of-bounds": { mend: COPY_AGAIN },
  "no-executable": { mend: COPY_AGAIN },
  changed: { mend: "Wait until it is written, and look again." },
  "digest-mismatch": {
    mend: "If it was changed on purpose (strip, a signature), pack it again; if not, it is damaged: copy it again.",
    repack: "",
  },
  "bad-metadata": {
    mend: "Pack it again with metadata that is a YAML or JSON map (parlance bundle pack --repack --metadata FILE).",
  },
  "no-dags": {
    mend: "Pack it again with metadata that names its Dags (parlance bundle pack --repack --metadata FILE).",
  },
  "bad-dag-id": { mend: "Pack it again; ids are then quoted.", repack: "" },
};

/** What a reader's report means to Airflow, with the mends. */
export function problemsOf(
  report: BundleReport,
  path: FilePath,
  airflow: AirflowLine,
): readonly Finding[] {
  const isNode = report.format === "node";
  const isBuried = report.problems.some(({ code }) => code === "trailing-bytes");
  const findings: Finding[] = [];
  for (const problem of report.problems) {
    const { code, message } = problem;
    if (code === "no-footer" && isBuried) continue;
    if (code === "cr-in-interpreter-line") continue; // told with what else keeps it from starting
    if (isAboutSources(problem)) {
      if (airflow === "3.3" && !isNode) continue; // which never reads them
      const mend = `Pack it again with its sources. ${UI_ONLY}`;
      findings.push({ code: code as DoctorCode, severity: "note", message, mend });
      continue;
    }
    findings.push({
      code: code as DoctorCode,
      severity: "error",
      message,
      ...mendOf(problem, report, path, isNode),
    });
  }
  return findings;
}

function mendOf(
  { code, message }: BundleProblem,
  report: BundleReport,
  path: FilePath,
  isNode: boolean,
): Mend & { readonly command?: string } {
  if (isNode) return { mend: PACK_AGAIN };
  if (code === "trailing-bytes") return cutOff(message, path);
  if (code === "bad-schema-version") return mendSchemaVersion(message, report);
  return MENDS[code] ?? { mend: COPY_AGAIN };
}

/** The message tells where the footer starts: all behind its 64 bytes goes. */
function cutOff(message: string, path: FilePath): Mend & { readonly command?: string } {
  const [, offset] = /starts at byte (\d+)/.exec(message) ?? [];
  const mend =
    "Cut off what follows the footer; a signature is lost by that, so sign first and pack last.";
  if (offset === undefined) return { mend };
  return { mend, command: `truncate -s ${Number(offset) + 64} -- ${shellQuote(path)}` };
}

function mendSchemaVersion(message: string, { metadata }: BundleReport): Mend {
  if (/without quotes/.test(message)) {
    return { mend: "Pack it again; the version is then quoted.", repack: "" };
  }
  const repack = `--schema-version ${COMMON_SCHEMA_VERSION}`;
  const mend =
    metadata?.has("sdk") && /known here/.test(message)
      ? `If the program speaks ${COMMON_SCHEMA_VERSION} too, say so in the metadata; else build it for that version. The command does the first.`
      : `Name the version that the program speaks; the command names ${COMMON_SCHEMA_VERSION}.`;
  return { mend, repack };
}

function isAboutSources({ code }: BundleProblem): boolean {
  return /^(bad-sources|source-)/.test(code);
}
