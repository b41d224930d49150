export {
  type AirflowLink,
  type AirflowLinkOptions,
  openAirflowLink,
} from "./airflow/open-airflow-link.ts";
export {
  runAirflowStack,
  type StackOptions,
  type StackResult,
  type StackRun,
  type StackTask,
} from "./airflow/run-airflow-stack.ts";
export type { AirflowVersion } from "./airflow/run-harness.ts";
export {
  type BatchResult,
  type ParseOptions,
  type ParseResult,
  parseDagFiles,
  superviseBatch,
  superviseTasks,
} from "./airflow/supervise-tasks.ts";
export type {
  AirflowError,
  ApiCall,
  HarnessFrame,
  HarnessLogRecord,
  HarnessStore,
  Launch,
  SuperviseOptions,
  SuperviseResult,
  SuperviseSettings,
  SuperviseTask,
  XComRow,
} from "./airflow/supervise-types.ts";
export { startWarmRunner, WarmRunner, type WarmRunnerOptions } from "./airflow/warm-runner.ts";
export { bytesEqual, fromHex, toHex } from "./bytes.ts";
export { CeleryPeer, type CeleryPeerOptions, startCeleryPeer } from "./celery/celery-peer.ts";
export type {
  CeleryDump,
  CeleryGroup,
  CeleryOptions,
  CeleryOutcome,
  CelerySchema,
  CelerySend,
  CeleryTask,
  CeleryWrite,
  PeerError,
  PeerValue,
} from "./celery/celery-types.ts";
export {
  CeleryWorker,
  type CeleryWorkerOptions,
  startCeleryWorker,
} from "./celery/celery-worker.ts";
export { cpuMs } from "./cpu-ms.ts";
export { DatabaseServer, type Row } from "./databases/database-server.ts";
export { startMariadb } from "./databases/mariadb.ts";
export { startPostgresql } from "./databases/postgresql.ts";
export { isLongRun, load } from "./load.ts";
export { findPeer, type Peer, type PeerName } from "./peers/find-peer.ts";
export { requirePeer } from "./peers/require-peer.ts";
export { openFolder, type ProgramUser, programUser } from "./processes/program-user.ts";
export { rejects, throws } from "./rejects.ts";
export { askGenuineRetry } from "./retry/ask-genuine-retry.ts";
export {
  compareRetryAnswer,
  type GenuineAnswer,
  type OurAnswer,
} from "./retry/compare-retry-answer.ts";
export { skip } from "./skip.ts";
export { temporaryFolder } from "./temporary-folder.ts";
