import type {
  ActiveRun,
  AttemptSummary,
  InstanceSummary,
  RunEvent,
  RunHistory,
} from "@parlance/coordinator/dag-run";
import type { DevEvent } from "../api/types.ts";
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
        this.#publish({ type: "instance", instance: this.#options.views.instance(event.instance) });
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

  /** Its attempts and waits are no part of its summary, but pages must hear of them. */
  #instanceChanged(ref: Parameters<RunHistory["instance"]>[0]): void {
    const tell = (instance: InstanceSummary | undefined) => {
      if (instance === undefined) return;
      this.#publish({ type: "instance", instance: this.#options.views.instance(instance) });
    };
    // A store that fails ends the run itself, and that is told.
    this.#options.history.instance(ref).then(tell, () => {});
  }

  #publish(event: DevEvent): void {
    this.#options.publish(event);
  }
}
