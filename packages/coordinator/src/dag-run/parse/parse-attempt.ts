import type { SchemaVersion } from "@parlance/protocol";
import type { SecretMasker } from "../../logs/secret-masker.ts";
import type { TaskStore } from "../../store/task-store.ts";
import type { Attempt } from "../../supervise/attempt.ts";

/** What the handlers know where there is no task: a store, and what to mask. */
export function parseAttempt(parts: {
  readonly schemaVersion: SchemaVersion;
  readonly store: TaskStore;
  readonly masker: SecretMasker;
  readonly file: string;
  readonly bundleName: string;
}): Attempt {
  const { schemaVersion, store, masker, file, bundleName } = parts;
  return {
    schemaVersion,
    store,
    masker,
    strictAirflow: true, // a message that makes no sense has no answer here: it ends the program
    taskInstanceId: "",
    taskInstance: { dagId: "", runId: "", taskId: "", mapIndex: -1 },
    tryNumber: 0,
    dagRun: {},
    dagFile: { bundleName, bundleVersion: null, path: file },
    report: () => {},
    setNote: () => {},
    setExecutionTimeout: () => {},
    now: () => new Date(),
  };
}
