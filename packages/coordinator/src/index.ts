export {
  type AcceptedChannels,
  ChannelAcceptor,
  type ChannelName,
  type ForeignConnection,
} from "./accept/channel-acceptor.ts";
export { buildChildEnvironment, type ChildEnvironmentOptions } from "./environment.ts";
export { describeExit, type ExitStatus, toExitStatus } from "./launch/exit-status.ts";
export { OutputBuffer } from "./launch/output-buffer.ts";
export { StartError, type StartErrorCode } from "./launch/start-error.ts";
export {
  type SpawnedOutput,
  type StartTaskProcessOptions,
  startTaskProcess,
} from "./launch/start-task-process.ts";
export type { StartedTask } from "./launch/started-task.ts";
export { type WaitForStreamsOptions, waitForStreams } from "./launch/wait-for-streams.ts";
export {
  type ConnectionEnds,
  type Endpoint,
  normalizeAddress,
  toEndpoint,
} from "./ownership/endpoint.ts";
export {
  createOwnershipChecker,
  isOwnedConnection,
  type OwnershipChecker,
  type OwnershipCheckerOptions,
  type OwnershipCheckOptions,
  type RootProcess,
} from "./ownership/ownership-checker.ts";
