/** Limits of a task's process. The defaults suit stock Airflow. */
export interface ServeOptions {
  /**
   * How long to wait for the supervisor's first frame. Airflow may first have to reach its API
   * server, which takes some seconds when that is cold. @default 30_000
   */
  readonly firstFrameTimeoutMs?: number | undefined;
  /**
   * How long a request may wait for its answer: Airflow retries a failing API for some minutes,
   * and never answers what it cannot read. `Infinity` waits for ever. @default 600_000
   */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * What a handler has for cleaning up after its signal was aborted. Airflow kills 5 s after
   * SIGTERM. @default 3000
   */
  readonly graceMs?: number | undefined;
  /** The longest frame that is let in, in bytes. @default 1 GiB */
  readonly maxFrameBytes?: number | undefined;
  /** The longest log record, in bytes; a longer one is shortened. @default 1 MiB */
  readonly maxLogLineBytes?: number | undefined;
  /**
   * Looks for Variables and Connections in the worker's environment (`AIRFLOW_VAR_KEY`,
   * `AIRFLOW_CONN_ID`) before Airflow is asked, as Python tasks do. @default true
   */
  readonly environmentLookups?: boolean | undefined;
  /**
   * Starts a tiny helper process (`sh`) that holds stdout and stderr until just after the end of
   * this one. Without it stock Airflow notices the end of a task up to 5 s late, in between 2 and
   * 30 of 100 tasks depending on the load of the machine. @default on, except under Parlance's
   * own coordinator and on Windows
   */
  readonly exitHolder?: boolean | undefined;
}
