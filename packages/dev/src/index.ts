export type {
  Accepted,
  Attempt,
  AttemptNews,
  DagDetail,
  DagSummary,
  DevEvent,
  ErrorAnswer,
  FrameEntry,
  FramePage,
  GridCell,
  GridRun,
  InstanceRef,
  LoadError,
  LogEntry,
  LogPage,
  Param,
  Project,
  RetryTask,
  RunDetail,
  RunPage,
  RunStarted,
  RunState,
  RunSummary,
  StartRun,
  Task,
  TaskGroup,
  TaskInstance,
  TaskInstanceDetail,
  TaskState,
  Wait,
  XComEntry,
  XComList,
} from "./api/types.ts";
export type { DevBackend, PageRequest, RunPageRequest } from "./backend/dev-backend.ts";
export { ApiError, type ApiErrorCode } from "./http/api-error.ts";
export { type RunningServer, type ServeOptions, serveBackend } from "./http/serve-backend.ts";
export type { DevProject, LoadedProgram, ProjectState } from "./project/dev-project.ts";
export { type DevServer, type DevServerOptions, startDevServer } from "./start-dev-server.ts";
