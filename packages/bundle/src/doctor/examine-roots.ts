import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { archNamed, ownArch, platformNamed } from "../executable/machine-names.ts";
import { checkDuplicates, chooseFiles, isHidden } from "./check-duplicates.ts";
import { checkPlace } from "./check-places.ts";
import type { Worker } from "./check-start.ts";
import type { AirflowLine, CoordinatorName, DoctorProblem, DoctorReport } from "./doctor-report.ts";
import { type ExaminedFile, examineFile, type Rules } from "./examine-file.ts";
import { parseMountTable } from "./mount-table.ts";
import { moveAway } from "./move-away.ts";
import { realPathOf } from "./real-path.ts";
import { type EntryOrder, type Place, walkPlaces } from "./walk-places.ts";

/** What to look at, and as what. */
export interface DoctorOptions {
  /** Folders (or single files), in the order in which Airflow searches them. */
  readonly roots: readonly string[];
  readonly airflow: AirflowLine;
  /** Of the worker, if it is not this machine; then no interpreter is looked for. */
  readonly platform?: string | undefined;
  readonly arch?: string | undefined;
  /** The worker's `PATH`; default this process's. */
  readonly searchPath?: string | undefined;
  /** Text as of `/proc/self/mountinfo`, which is the default; empty where there is none. */
  readonly mountInfo?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Explains what Airflow makes of every file under some roots: which it takes for which Dag, which it
 * passes over and why, which it takes and can't start, and what mends that. Nothing is changed.
 *
 * Files are judged as this process may read and run them, so run it as the user of Airflow. The
 * digests that it checks detect damage, not tampering.
 *
 * @throws only what `signal` is aborted with
 */
export async function examineRoots(options: DoctorOptions): Promise<DoctorReport> {
  const { airflow, signal } = options;
  const roots = options.roots.map((root) => resolve(root));
  const rules: Rules = {
    airflow,
    worker: workerOf(options),
    mounts: parseMountTable(options.mountInfo ?? ownMountInfo()),
  };
  const files = new Map<string, ExaminedFile>();
  const folders = new Set<string>();
  const problems: DoctorProblem[] = [];
  const executables = await walk("file-system", async (place) => {
    if (place.kind === "folder") folders.add(realPathOf(place.path).toString());
    const problem = checkPlace(place, airflow);
    if (problem !== undefined) problems.push(problem);
    const file = await look(place);
    problems.push(...(file?.problems ?? []));
    return file;
  });
  const modules = airflow === "3.3" ? [] : await walk("name", look);

  const dags = [];
  for (const [coordinator, found] of [
    ["ExecutableCoordinator", reached(executables.filter(({ format }) => format === "AFBNDL01"))],
    ["NodeCoordinator", modules.filter(({ format }) => format === "node")],
  ] as const) {
    dags.push(...chooseFiles(found, coordinator));
    problems.push(...checkDuplicates(found, coordinator, { roots, folders }));
    problems.push(...checkHidden(found, coordinator, roots));
  }
  for (const { path } of executables.filter(({ stopsSearch }) => stopsSearch)) {
    const command = moveAway(path, { roots, folders });
    const at = problems.findIndex(
      (problem) => problem.code === "stops-search" && problem.path === path.toString(),
    );
    problems[at] = { ...(problems[at] as DoctorProblem), command };
  }
  const asRoot = process.getuid?.() === 0;
  return { airflow, roots, files: files.size, dags, problems, asRoot };

  /** Links may lead to a file by another way in the other order. */
  async function look(place: Place): Promise<ExaminedFile | undefined> {
    if (place.kind !== "file") return undefined;
    const known = files.get(keyOf(place));
    const file = known ?? (await examineFile(place.path, place.stats, rules));
    files.set(keyOf(place), file);
    return file;
  }

  async function walk(
    order: EntryOrder,
    lookAt: (place: Place) => Promise<ExaminedFile | undefined>,
  ): Promise<readonly ExaminedFile[]> {
    const found: ExaminedFile[] = [];
    for (const place of walkPlaces(roots, order)) {
      signal?.throwIfAborted();
      const file = await lookAt(place);
      if (file !== undefined) found.push(file);
      await setImmediate();
    }
    return found;
  }
}

function workerOf({ platform, arch, searchPath }: DoctorOptions): Worker {
  const worker = {
    platform: platform === undefined ? process.platform : platformNamed(platform),
    arch: arch === undefined ? ownArch() : archNamed(arch),
  };
  const isThis = worker.platform === process.platform && worker.arch === ownArch();
  const folders = (searchPath ?? process.env["PATH"] ?? "").split(":").filter((one) => one !== "");
  return { ...worker, searchPath: isThis ? folders : undefined };
}

function ownMountInfo(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return ""; // another system than Linux
  }
}

function keyOf({ path }: Place): string {
  return Buffer.from(path).toString("latin1");
}

/** Those that come before the search ends. */
function reached(files: readonly ExaminedFile[]): readonly ExaminedFile[] {
  const end = files.findIndex(({ stopsSearch }) => stopsSearch);
  return end < 0 ? files : files.slice(0, end);
}

/** Finders do not pass over hidden names: a forgotten copy may be what runs. */
function checkHidden(
  files: readonly ExaminedFile[],
  coordinator: CoordinatorName,
  roots: readonly string[],
): readonly DoctorProblem[] {
  const taken = new Set(chooseFiles(files, coordinator).map(({ path }) => path));
  return files
    .filter(({ path, realPath }) => taken.has(path.toString()) || taken.has(realPath.toString()))
    .filter(({ path }) => isHidden(path.toString(), roots))
    .map(({ path, dagIds }) => ({
      path: path.toString(),
      code: "hidden" as const,
      severity: "note" as const,
      message: `Its name, or that of a folder above it, begins with a dot; Airflow takes it all the same (Dags: ${dagIds.join(", ")}).`,
      mend: "If it is a forgotten copy, remove it.",
      command: null,
    }));
}
