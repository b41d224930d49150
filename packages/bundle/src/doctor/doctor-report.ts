/** The Airflow whose finders are followed. */
export type AirflowLine = "3.3" | "3.4";

/** What runs a bundle: its finder and its format are its own. */
export type CoordinatorName = "ExecutableCoordinator" | "NodeCoordinator";

/**
 * What the doctor finds.
 *
 * Not taken because of the file: `no-execute-bit`, `unreadable`, `trailing-bytes`, `damaged-footer`,
 * `bad-version`, `reserved-bytes`, `out-of-bounds`, `no-executable`, `digest-mismatch`,
 * `bad-metadata`, `bad-layout`, `bad-metadata-version`, `no-task-handlers`, `changed`.
 * Not taken because of what the metadata says: `bad-schema-version`, `no-dags`, `bad-dag-id`.
 * Not taken because of where it is: `noexec-mount`, `broken-link`, `looping-link`,
 * `unreadable-folder`, `missing-root`, `wrong-name`, `folder-named-bundle`,
 * `not-in-this-airflow` (a Node bundle on 3.3).
 * Nothing behind it is taken either: `stops-search`.
 * Not taken because another is: `duplicate-dag`. Taken by accident: `hidden`.
 * Taken, and not started: `wrong-platform`, `wrong-architecture`, `missing-interpreter`,
 * `cr-in-interpreter-line`, `no-interpreter-line`, `bad-interpreter-line`, `env-arguments`,
 * `not-a-program`, `noexec-mount` (3.4).
 * To know: `not-packed`, `no-bundle`, `execute-bit-set-by-airflow`, `folder-seen-before`,
 * `unquoted-version`, `name-with-ending` (3.4), `bad-sources` and the like.
 */
export type DoctorCode =
  | "no-execute-bit"
  | "unreadable"
  | "trailing-bytes"
  | "damaged-footer"
  | "bad-version"
  | "reserved-bytes"
  | "out-of-bounds"
  | "no-executable"
  | "digest-mismatch"
  | "bad-metadata"
  | "stops-search"
  | "bad-layout"
  | "bad-metadata-version"
  | "no-task-handlers"
  | "changed"
  | "bad-schema-version"
  | "no-dags"
  | "bad-dag-id"
  | "noexec-mount"
  | "broken-link"
  | "looping-link"
  | "unreadable-folder"
  | "missing-root"
  | "wrong-name"
  | "folder-named-bundle"
  | "not-in-this-airflow"
  | "duplicate-dag"
  | "hidden"
  | "wrong-platform"
  | "wrong-architecture"
  | "missing-interpreter"
  | "cr-in-interpreter-line"
  | "no-interpreter-line"
  | "bad-interpreter-line"
  | "env-arguments"
  | "not-a-program"
  | "not-packed"
  | "no-bundle"
  | "execute-bit-set-by-airflow"
  | "folder-seen-before"
  | "unquoted-version"
  | "name-with-ending"
  | "bad-sources"
  | "source-digest-mismatch"
  | "source-not-utf8";

/** One thing that is wrong with a place under a root, or that one should know of it. */
export interface DoctorProblem {
  /** As the finder comes to it: below its root, links not resolved. */
  readonly path: string;
  readonly code: DoctorCode;
  /**
   * `error`: a bundle is passed over, or is taken and can't start. `warning`: another may be meant
   * than the one that is taken. `note`: nothing is wrong.
   */
  readonly severity: "error" | "warning" | "note";
  /** What is the matter, and what Airflow makes of it. */
  readonly message: string;
  /** What to do about it, in words. */
  readonly mend: string;
  /** The same as a command for a POSIX shell, quoted; null when no command can do it. */
  readonly command: string | null;
}

/** Which file runs a Dag. */
export interface DoctorDag {
  readonly dagId: string;
  readonly coordinator: CoordinatorName;
  /** The file that is taken, as the finder names it: links resolved, for Node bundles not. */
  readonly path: string;
  readonly schemaVersion: string;
  /** Others that could have been, in the order in which they would be taken next. */
  readonly shadowed: readonly string[];
}

/** All that the doctor has to say about some roots. */
export interface DoctorReport {
  readonly airflow: AirflowLine;
  readonly roots: readonly string[];
  /** How many regular files were looked at. */
  readonly files: number;
  /** Every Dag that some file can run, in the order of the walk. */
  readonly dags: readonly DoctorDag[];
  /** In the order of the walk; those that concern several files come last. */
  readonly problems: readonly DoctorProblem[];
  /** Run as root, nothing is forbidden: what others may not read or run is not seen. */
  readonly asRoot: boolean;
}
