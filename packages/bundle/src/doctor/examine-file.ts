import { isUtf8 } from "node:buffer";
import { type BigIntStats, closeSync } from "node:fs";
import { basename } from "node:path";
import type { BundleReport } from "../bundle-report.ts";
import { BundleError } from "../errors.ts";
import { readExecutable } from "../executable/read-executable.ts";
import type { FilePath } from "../find/walk-files.ts";
import { endsWithMagic, FOOTER_SIZE, FOOTER_VERSION } from "../footer.ts";
import { readExactly } from "../hash-region.ts";
import { dagIdsOf, schemaVersionOf } from "../metadata/check-metadata.ts";
import { isMetadataMap } from "../metadata/values.ts";
import { LAYOUT_PREFIX } from "../node/node-layout.ts";
import { openFile } from "../open-file.ts";
import { readBundle } from "../read-bundle.ts";
import { type Finding, KNOWN_SCHEMA_VERSIONS, problemsOf } from "./bundle-problems.ts";
import { checkAccess } from "./check-access.ts";
import { checkStart, type Worker } from "./check-start.ts";
import type { AirflowLine, DoctorProblem } from "./doctor-report.ts";
import { notesOn } from "./metadata-notes.ts";
import { type MountTable, mountOf } from "./mount-table.ts";
import { realPathOf } from "./real-path.ts";
import { repackCommand } from "./repack-command.ts";
import { searchEnd } from "./search-end.ts";
import { shellQuote } from "./shell-quote.ts";

/** What 3.4's NodeCoordinator looks at. */
export const NODE_SUFFIX = ".min.mjs";

/** Larger files without a footer at their end are not searched for a buried one. */
const MAX_SEARCHED_BYTES = 1 << 28;

/** By what rules files are judged. */
export interface Rules {
  readonly airflow: AirflowLine;
  readonly worker: Worker;
  readonly mounts: MountTable;
}

/** What one file offers, and what is wrong with it. */
export interface ExaminedFile {
  readonly path: FilePath;
  readonly realPath: FilePath;
  readonly stats: BigIntStats;
  readonly format: BundleReport["format"];
  /** The Dags that Airflow would take this file for, were it the only one. */
  readonly dagIds: readonly string[];
  /** Empty when it is not taken for any. */
  readonly schemaVersion: string;
  /** Reading it ends Airflow's search, for this Dag and every other. */
  readonly stopsSearch: boolean;
  readonly problems: readonly DoctorProblem[];
}

/** Looks at one file as the finders of a line of Airflow do, and tells why they pass over it. */
export async function examineFile(
  path: FilePath,
  stats: BigIntStats,
  rules: Rules,
): Promise<ExaminedFile> {
  const nothing = {
    path,
    realPath: realPathOf(path),
    stats,
    dagIds: [],
    schemaVersion: "",
    stopsSearch: false,
  };
  const as = (findings: readonly Finding[]): readonly DoctorProblem[] => placed(path, findings);
  try {
    const glance = glanceAt(path);
    if (glance === "other") return { ...nothing, format: null, problems: [] };
    const known = KNOWN_SCHEMA_VERSIONS[rules.airflow];
    const report = await readBundle(path, { knownSchemaVersions: known });
    if (report.format === null) {
      const found = await noBundle(path, stats, glance, rules);
      return { ...nothing, format: null, problems: as(found) };
    }
    const judged = report.format === "node" ? nodeBundle : executableBundle;
    const { isTaken, findings } = judged(report, path, stats, rules);
    const stopsSearch = findings.some(({ code }) => code === "stops-search");
    const dagIds = isTaken ? offeredDags(report, known) : [];
    const schemaVersion =
      dagIds.length === 0 || report.metadata === null ? "" : schemaVersionOf(report.metadata);
    return {
      ...nothing,
      format: report.format,
      dagIds,
      schemaVersion,
      stopsSearch,
      problems: as(findings),
    };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { ...nothing, format: null, problems: as([unreadable(error, path)]) };
  }
}

/** `other` can't be a bundle of any kind; `damaged` has a footer but for its last bytes. */
function glanceAt(path: FilePath): "candidate" | "damaged" | "other" {
  const { fd, size } = openFile(path);
  try {
    const head = readExactly(fd, 0, Math.min(size, LAYOUT_PREFIX.length)).toString("latin1");
    const isNamed = basename(path.toString()).endsWith(NODE_SUFFIX);
    if (head === LAYOUT_PREFIX || isNamed) return "candidate";
    if (size < FOOTER_SIZE) return "other";
    const tail = readExactly(fd, size - FOOTER_SIZE, FOOTER_SIZE);
    if (endsWithMagic(tail)) return "candidate";
    if (isAlmostFooter(tail, size)) return "damaged";
    return size > MAX_SEARCHED_BYTES ? "other" : "candidate";
  } finally {
    closeSync(fd);
  }
}

/** Version, reserved bytes and lengths are a footer's; the magic is not. */
function isAlmostFooter(tail: Buffer, size: number): boolean {
  const lengths = tail.readUInt32LE(0) + tail.readUInt32LE(4) + FOOTER_SIZE;
  const isEmptyDigest = tail.subarray(12, 44).every((byte) => byte === 0);
  return (
    tail.readUInt32LE(8) === FOOTER_VERSION &&
    lengths < size &&
    !isEmptyDigest &&
    tail.subarray(44, 56).every((byte) => byte === 0)
  );
}

async function noBundle(
  path: FilePath,
  stats: BigIntStats,
  glance: "candidate" | "damaged",
  { airflow }: Rules,
): Promise<readonly Finding[]> {
  if (glance === "damaged") {
    return [
      {
        code: "damaged-footer",
        severity: "error",
        message: "Its end is a footer but for the magic AFBNDL01: Airflow takes it for no bundle.",
        mend: "Copy the file again from where it was packed, or pack it again.",
      },
    ];
  }
  if (basename(path.toString()).endsWith(NODE_SUFFIX)) {
    if (airflow === "3.3") return [];
    return [
      {
        code: "no-bundle",
        severity: "note",
        message:
          "Its name is that of a Node bundle, but it does not start as one: Airflow reads and rejects it.",
        mend: "If it should be one, pack it (parlance pack --format node); else give it another name.",
      },
    ];
  }
  if ((stats.mode & 0o111n) === 0n) return [];
  const { format } = readExecutable(path);
  if (format === "text" || format === "unknown" || format === "compressed") return [];
  return [
    {
      code: "not-packed",
      severity: "note",
      message: "It is a program without a footer: no bundle.",
      mend: "If it should be one, pack it (parlance bundle pack).",
    },
  ];
}

interface Judgement {
  readonly isTaken: boolean;
  readonly findings: readonly Finding[];
}

function nodeBundle(
  report: BundleReport,
  path: FilePath,
  _stats: BigIntStats,
  { airflow }: Rules,
): Judgement {
  if (airflow === "3.3") {
    const finding: Finding = {
      code: "not-in-this-airflow",
      severity: "error",
      message: "It is a Node bundle: Airflow 3.3 has no NodeCoordinator, and takes it for nothing.",
      mend: "Pack the program as an executable (parlance pack ENTRY --out FILE).",
    };
    return { isTaken: false, findings: [finding] };
  }
  const findings = [...problemsOf(report, path, airflow)];
  const isNamed = basename(path.toString()).endsWith(NODE_SUFFIX);
  if (!isNamed) findings.unshift(wrongName(path));
  return { isTaken: report.verified && isNamed, findings };
}

function wrongName(path: FilePath): Finding {
  const bytes = Buffer.from(path);
  const text = bytes.toString("latin1").replace(/(\.min)?\.[cm]?js$/i, "");
  const renamed = Buffer.from(`${text}${NODE_SUFFIX}`, "latin1");
  const name = isUtf8(renamed) ? renamed.toString() : renamed;
  return {
    code: "wrong-name",
    severity: "error",
    message: `It is a Node bundle whose name does not end with ${NODE_SUFFIX}: Airflow passes over it without a word.`,
    mend: "Rename it.",
    command: `mv -- ${shellQuote(path)} ${shellQuote(name)}`,
  };
}

function executableBundle(
  report: BundleReport,
  path: FilePath,
  stats: BigIntStats,
  { airflow, worker, mounts }: Rules,
): Judgement {
  const access = checkAccess(path, stats, airflow, mountOf(mounts, realPathOf(path).toString()));
  const findings = [...access.findings, ...problemsOf(report, path, airflow)];
  // what may not be run on 3.3 is not read
  if (airflow === "3.4" || access.isTaken) findings.push(...searchEnd(report, path, airflow));
  if (report.metadata !== null) findings.push(...notesOn(report.metadata, path, airflow));
  if (report.regions !== null) {
    const executable = readExecutable(path, report.regions.executable.length);
    const start = checkStart(executable, worker);
    if (start !== undefined) findings.push({ ...start, severity: "error" });
  }
  return { isTaken: access.isTaken && report.verified, findings };
}

/** The Dags of a bundle that is good; none when its schema version is not known. */
function offeredDags(report: BundleReport, known: readonly string[]): readonly string[] {
  if (report.metadata === null) return [];
  try {
    schemaVersionOf(report.metadata, known);
  } catch {
    return [];
  }
  if (report.format === "AFBNDL01") return dagIdsOf(report.metadata);
  const handlers = report.metadata.get("task_handlers");
  if (!isMetadataMap(handlers)) return [];
  return [...handlers.keys()].filter((key) => typeof key === "string");
}

function unreadable(error: BundleError, path: FilePath): Finding {
  if (error.code === "changed") {
    const mend = "Wait until it is written, and look again.";
    return { code: "changed", severity: "error", message: error.message, mend };
  }
  return {
    code: "unreadable",
    severity: "error",
    message: `This user can't read it, so whether it is a bundle is not seen: ${error.message} Airflow, run as the same user, passes over it without a word.`,
    mend: "Let the user of Airflow read it, and look again.",
    command: `chmod a+rx -- ${shellQuote(path)}`,
  };
}

/** All that packing again mends is mended by one command. */
function placed(path: FilePath, findings: readonly Finding[]): readonly DoctorProblem[] {
  const options = findings.map(({ repack }) => repack).filter((option) => option !== undefined);
  return findings.map(({ repack, command, code, severity, message, mend }) => ({
    path: path.toString(),
    code,
    severity,
    message,
    mend,
    command: command ?? (repack === undefined ? null : repackCommand(path, options)),
  }));
}
