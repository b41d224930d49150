import type {
  CleanupProgress,
  GetOptions,
  ResultGroup,
  TaskMeta,
  TaskSummary,
} from "@parlance/results";

/** What the commands that make no tables ask of a store. */
export interface ReadableStore {
  get(taskId: string, options?: GetOptions): Promise<TaskMeta>;
  exists(taskId: string): Promise<boolean>;
  forget(taskId: string): Promise<boolean>;
  list(options?: object): AsyncIterable<TaskSummary>;
  restoreGroup(groupId: string): Promise<ResultGroup | null>;
  deleteGroup(groupId: string): Promise<boolean>;
  cleanup(options?: object): Promise<CleanupProgress>;
}

/** Stands for a store whose tables nobody has made yet: nothing is in it. */
export const EMPTY_STORE: ReadableStore = {
  get: async (taskId) => ({
    taskId,
    state: "PENDING",
    result: null,
    dateDone: null,
    dateDoneText: null,
    traceback: null,
    children: null,
  }),
  exists: async () => false,
  forget: async () => false,
  list: async function* () {},
  restoreGroup: async () => null,
  deleteGroup: async () => false,
  cleanup: async () => ({ tasks: 0, groups: 0, batches: 0, longestBatchMs: 0 }),
};
