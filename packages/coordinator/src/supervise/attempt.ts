import type { SchemaVersion } from "@parlance/protocol";
import type { SecretMasker } from "../logs/secret-masker.ts";
import type { TaskInstanceRef, TaskStore } from "../store/task-store.ts";
import type { Answer, Body } from "./answers.ts";
import type { FinalState } from "./final-state.ts";

/** What the handlers know of the attempt they serve, and may change. */
export interface Attempt {
  readonly schemaVersion: SchemaVersion;
  readonly store: TaskStore;
  /** Whether what stock does is done where better is known. */
  readonly strictAirflow: boolean;
  readonly masker: SecretMasker;
  /** UUID of the try. */
  readonly taskInstanceId: string;
  readonly taskInstance: TaskInstanceRef;
  readonly tryNumber: number;
  /** The run as StartupDetails shows it, so without a `type`. */
  readonly dagRun: Body;
  /** `name`, `version` and path of the Dag's file, as StartupDetails shows them. */
  readonly dagFile: {
    readonly bundleName: string;
    readonly bundleVersion: string | null;
    readonly path: string;
  };
  /** Takes the state and the body of a terminal message. The last one counts. */
  report(state: FinalState, body: Body): void;
  /** Replaces the run's note. */
  setNote(note: string | null): void;
  /** Starts the clock a task asked for with SetExecutionTimeout. */
  setExecutionTimeout(seconds: number): void;
  now(): Date;
}

/** Does what one kind of message asks for. Its body has been validated. */
export type Handler = (body: Body, attempt: Attempt) => Promise<Answer> | Answer;

/** Handlers by the `type` of the message. */
export type HandlerTable = { readonly [type: string]: Handler };
