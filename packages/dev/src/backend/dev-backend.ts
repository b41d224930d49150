import type { DagDescription } from "@parlance/retry";
import type {
  DagDetail,
  DevEvent,
  FramePage,
  InstanceRef,
  LogPage,
  Project,
  RunDetail,
  RunPage,
  RunStarted,
  StartRun,
  TaskInstanceDetail,
  XComList,
} from "../api/types.ts";

/** Which part of a list to give. */
export interface PageRequest {
  readonly offset: number;
  /** At most so many entries; fewer where they are large. */
  readonly limit: number;
}

/** Which runs of a Dag to give: `limit` of those that are older than the one `before` stands for. */
export interface RunPageRequest {
  readonly before: string | undefined;
  readonly limit: number;
}

/**
 * What the server shows and does, without HTTP. Answers hold no secrets. `undefined` is for what is
 * not there; whatever else can't be done is an {@link ApiError}.
 */
export interface DevBackend {
  project(): Promise<Project>;
  dag(dagId: string): Promise<DagDetail | undefined>;
  /** The Dag as Airflow's API describes it. */
  describeDag(dagId: string): DagDescription | undefined;
  runs(dagId: string, page: RunPageRequest): Promise<RunPage | undefined>;
  run(dagId: string, runId: string): Promise<RunDetail | undefined>;
  instance(ref: InstanceRef): Promise<TaskInstanceDetail | undefined>;
  xcoms(ref: InstanceRef): Promise<XComList | undefined>;
  log(attemptId: string, page: PageRequest): Promise<LogPage | undefined>;
  frames(attemptId: string, page: PageRequest): Promise<FramePage | undefined>;
  /** @throws ApiError `not-found`, `bad-request`, `conflict`, `too-many`, `unavailable` */
  startRun(dagId: string, request: StartRun): Promise<RunStarted>;
  /** @throws ApiError `not-found`, `conflict` where it is not over and does not wait */
  retryTask(ref: InstanceRef): Promise<void>;
  /** @throws ApiError `not-found`, `conflict` where it is being run, or is over */
  resumeRun(dagId: string, runId: string): Promise<void>;
  /** @throws ApiError `not-found`, `conflict` where it is over */
  cancelRun(dagId: string, runId: string): Promise<void>;
  /** The number of the code that is in use. */
  readonly revision: number;
  /** Calls the listener with each event until the returned function is called. */
  subscribe(listener: (event: DevEvent) => void): () => void;
}
