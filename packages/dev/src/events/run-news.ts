import type {
  ActiveRun,
  AttemptSummary,
  RunEvent,
  RunHistory,
} from "@parlance/coordinator/dag-run";
import type { DevEvent, InstanceRef } from "../api/types.ts";
import type { RunViews } from "../views/run-views.ts";
import { NewsThrottle } from "./news-throttle.ts";

/** @see RunNews */
export interface RunNewsOptions {
  readonly history: RunHistory;
  readonly views: RunViews;
  readonly publish: (event: DevEvent) => void;
}

/** Makes events for pages of what happens in runs. */
export class RunNews {
  readonly #options: RunNewsOptions;
  readonly #throttle: NewsThrottle<DevEvent>;
  /** Instances that are being read from the history. */
  readonly #readings = new Map<string, { isStale: boolean }>();

  constructor(options: RunNewsOptions) {
    this.#options = options;
    this.#throttle = new NewsThrottle((event) => this.#publish(event));
  }

  /** A listener for the runner. */
  tell(event: RunEvent, run: Pick<ActiveRun, "dagId" | "runId">): void {
    switch (event.type) {
      case "run":
        this.#publish({ type: "run", run: this.#options.views.run(event.run) });
        return;
      case "instance":
        this.#instanceChanged(event.instance);
        return;
      case "wait":
        this.#instanceChanged(event.wait);
        return;
      case "attempt-started":
        this.#instanceChanged(event.attempt);
        return;
      case "attempt-ended":
        this.#grown("log", event.attempt);
        this.#grown("frames", event.attempt);
        this.#instanceChanged(event.attempt);
        return;
      case "log":
        this.#grown("log", event.attempt);
        return;
      case "frame":
        this.#grown("frames", event.attempt);
        return;
      case "notice":
        this.#publish({
          type: "notice",
          dagId: run.dagId,
          runId: run.runId,
          message: this.#options.views.text(event.message),
        });
        return;
      case "expanded":
        return; // its instances are told one by one
    }
  }

  close(): void {
    this.#throttle.close();
  }

  #grown(type: "log" | "frames", attempt: AttemptSummary): void {
    const { dagId, runId, taskId, mapIndex, tryNumber } = attempt;
    const attemptId = String(attempt.attemptId);
    const news: DevEvent = { type, dagId, runId, taskId, mapIndex, tryNumber, attemptId };
    this.#throttle.add(`${type} ${attemptId}`, news);
  }

  /**
   * Tells the state that the history has, one reading of an instance after the other: so the last that
   * is told is the last there is, and what changes several times at once is told once.
   */
  #instanceChanged({ dagId, runId, taskId, mapIndex }: InstanceRef): void {
    const key = JSON.stringify([dagId, runId, taskId, mapIndex]);
    const reading = this.#readings.get(key);
    if (reading !== undefined) {
      reading.isStale = true;
      return;
    }
    this.#readings.set(key, { isStale: false });
    void this.#tellInstance(key, { dagId, runId, taskId, mapIndex });
  }

  async #tellInstance(key: string, ref: InstanceRef): Promise<void> {
    // A store that fails ends the run itself, and that is told.
    const instance = await this.#options.history.instance(ref).catch(() => undefined);
    if (instance !== undefined) {
      this.#publish({ type: "instance", instance: this.#options.views.instance(instance) });
    }
    const isStale = this.#readings.get(key)?.isStale === true;
    this.#readings.delete(key);
    if (isStale) this.#instanceChanged(ref);
  }

  #publish(event: DevEvent): void {
    this.#options.publish(event);
  }
}
