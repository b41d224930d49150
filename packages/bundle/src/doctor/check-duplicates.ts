import { relative } from "node:path";
import type { CoordinatorName, DoctorDag, DoctorProblem } from "./doctor-report.ts";
import type { ExaminedFile } from "./examine-file.ts";
import { moveAway, rootOf, type Searched } from "./move-away.ts";

/** Which file runs which Dag, when they come in this order. */
export function chooseFiles(
  files: readonly ExaminedFile[],
  coordinator: CoordinatorName,
): readonly DoctorDag[] {
  const dags: DoctorDag[] = [];
  for (const [dagId, candidates] of candidatesOf(files)) {
    const [winner, ...others] = candidates;
    if (winner === undefined) continue;
    const { path, realPath, schemaVersion } = winner;
    dags.push({
      dagId,
      coordinator,
      path: (coordinator === "NodeCoordinator" ? path : realPath).toString(),
      schemaVersion,
      shadowed: others.map((other) => other.path.toString()),
    });
  }
  return dags;
}

/** Of every Dag, the files that offer it; a file that is reached twice counts once. */
function candidatesOf(files: readonly ExaminedFile[]): ReadonlyMap<string, ExaminedFile[]> {
  const byDag = new Map<string, ExaminedFile[]>();
  for (const file of files) {
    for (const dagId of file.dagIds) {
      const candidates = byDag.get(dagId) ?? [];
      if (!candidates.some((one) => isSame(one, file))) candidates.push(file);
      byDag.set(dagId, candidates);
    }
  }
  return byDag;
}

function isSame(one: ExaminedFile, other: ExaminedFile): boolean {
  return one.stats.dev === other.stats.dev && one.stats.ino === other.stats.ino;
}

/**
 * Tells of Dags that several files offer. The one to keep is the newest that is not hidden; each
 * other is told of, and can be moved away where the ones kept offer all its Dags.
 */
export function checkDuplicates(
  files: readonly ExaminedFile[],
  coordinator: CoordinatorName,
  searched: Searched,
): readonly DoctorProblem[] {
  const { roots } = searched;
  const byDag = candidatesOf(files);
  const problems: DoctorProblem[] = [];
  for (const file of files) {
    const rivals = new Map<ExaminedFile, string[]>();
    for (const dagId of file.dagIds) {
      const candidates = byDag.get(dagId) ?? [];
      const kept = toKeep(candidates, roots);
      if (kept === undefined || isSame(kept, file)) continue;
      if (!candidates.includes(file)) continue;
      rivals.set(kept, [...(rivals.get(kept) ?? []), dagId]);
    }
    for (const [kept, dagIds] of rivals) {
      const winner = byDag.get(dagIds[0] as string)?.[0] as ExaminedFile;
      const count = [...rivals.values()].reduce((sum, ids) => sum + ids.length, 0);
      problems.push({
        path: file.path.toString(),
        code: "duplicate-dag",
        severity: "warning",
        message: describe(file, kept, winner, dagIds, coordinator, roots),
        mend:
          count === file.dagIds.length
            ? "Move away the one that is not meant; the command moves this one."
            : "Pack one of them again without the Dags that it should not run.",
        command: count === file.dagIds.length ? moveAway(file.path, searched) : null,
      });
    }
  }
  return problems;
}

function toKeep(
  candidates: readonly ExaminedFile[],
  roots: readonly string[],
): ExaminedFile | undefined {
  const shown = candidates.filter((file) => !isHidden(file.path.toString(), roots));
  const [first, ...others] = shown.length === 0 ? candidates : shown;
  return others.reduce(
    (newest, file) =>
      newest !== undefined && file.stats.mtimeNs > newest.stats.mtimeNs ? file : newest,
    first,
  );
}

function describe(
  file: ExaminedFile,
  kept: ExaminedFile,
  winner: ExaminedFile,
  dagIds: readonly string[],
  coordinator: CoordinatorName,
  roots: readonly string[],
): string {
  const dags = `${dagIds.length === 1 ? "the Dag" : "the Dags"} ${dagIds.map((id) => JSON.stringify(id)).join(", ")}`;
  const order =
    coordinator === "NodeCoordinator"
      ? "The first by name wins"
      : "The first in the order of the file system wins, which is not that of names; a copy of the folder may have another";
  const age = isHidden(file.path.toString(), roots)
    ? "though it is hidden"
    : kept.stats.mtimeNs > file.stats.mtimeNs
      ? `and ${kept.path.toString()} is newer`
      : `as does ${kept.path.toString()}`;
  const verdict = isSame(winner, file)
    ? `Airflow takes this file for ${dags}, ${age}`
    : `Airflow passes over this file for ${dags}, which ${winner.path.toString()} offers before it`;
  return `${verdict}. ${order}.`;
}

/** Whether a name below its root begins with a dot. */
export function isHidden(path: string, roots: readonly string[]): boolean {
  const root = rootOf(path, roots);
  if (root === undefined) return false;
  return relative(root, path)
    .split("/")
    .some((name) => name.startsWith("."));
}
