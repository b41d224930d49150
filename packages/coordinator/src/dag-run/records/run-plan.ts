/** What is kept of a run beside Airflow's own row. Dates are ISO 8601 in UTC. */
export interface RunPlan {
  readonly createdAt: string;
  readonly timeScale: number;
  /** Why the run stands still though it has not ended; null while it goes on, and at its end. */
  readonly pause: "canceled" | "waiting" | null;
  /** Why it is in its state, for people. */
  readonly note: string | null;
}

/** What a run is taken to have been started with where nothing was kept: a task run by itself. */
export function planWithout(createdAt: string): RunPlan {
  return { createdAt, timeScale: 1, pause: null, note: null };
}
