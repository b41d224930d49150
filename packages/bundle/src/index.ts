export type { BundleReport, ReadOptions } from "./bundle-report.ts";
export type {
  AirflowLine,
  CoordinatorName,
  DoctorCode,
  DoctorDag,
  DoctorProblem,
  DoctorReport,
} from "./doctor/doctor-report.ts";
export { type DoctorOptions, examineRoots } from "./doctor/examine-roots.ts";
export { shellQuote } from "./doctor/shell-quote.ts";
export { BundleError, type BundleErrorCode } from "./errors.ts";
export {
  checkExecutable,
  describeBuilds,
  type ExecutableFinding,
  type ExecutableTarget,
} from "./executable/check-executable.ts";
export type {
  Executable,
  ExecutableFormat,
  InterpreterLine,
  ProgramBuild,
  ProgramSignature,
} from "./executable/executable.ts";
export { readExecutable } from "./executable/read-executable.ts";
export { BundleCache } from "./find/bundle-cache.ts";
export {
  type FindOptions,
  type FoundBundle,
  findBundle,
  type NoBundle,
  type RejectedCandidate,
} from "./find/find-bundle.ts";
export { type FindNodeOptions, findNodeBundle, NodeBundleCache } from "./find/find-node-bundle.ts";
export { type FilePath, type WalkItem, walkFiles } from "./find/walk-files.ts";
export {
  type BundleFooter,
  type BundleRegion,
  type BundleRegions,
  decodeFooter,
  encodeFooter,
  FOOTER_MAGIC,
  FOOTER_SIZE,
  FOOTER_VERSION,
  MAX_REGION_BYTES,
} from "./footer.ts";
export {
  type BundleProblem,
  checkMetadata,
  dagIdsOf,
  schemaVersionOf,
} from "./metadata/check-metadata.ts";
export {
  type BundleSource,
  createMetadata,
  createSourceIndex,
  type DagTasks,
  joinSources,
  type MetadataOptions,
} from "./metadata/create-metadata.ts";
export { formatMetadata, type MetadataInput } from "./metadata/format-metadata.ts";
export { metadataToJson } from "./metadata/metadata-to-json.ts";
export { type MeantMetadata, parseAsMeant } from "./metadata/parse-as-meant.ts";
export {
  MAX_METADATA_BYTES,
  parseMetadata,
  parseMetadataText,
} from "./metadata/parse-metadata.ts";
export { parseSourceIndex, type SourceRegion } from "./metadata/source-index.ts";
export {
  isMetadataMap,
  type MetadataMap,
  type MetadataValue,
  SurrogateText,
  YamlDate,
  YamlDateTime,
  YamlFloat,
  YamlSet,
} from "./metadata/values.ts";
export {
  type FormattedNodeBundle,
  formatNodeBundle,
  type NodeBundleParts,
} from "./node/format-node-bundle.ts";
export type { NodeLayout, NodeSection } from "./node/node-layout.ts";
export { type PackNodeOptions, packNodeBundle } from "./node/pack-node-bundle.ts";
export { type PackedBundle, type PackOptions, packBundle } from "./pack-bundle.ts";
export { readBundle } from "./read-bundle.ts";
export {
  createSourceStream,
  type EmbeddedSource,
  MAX_HELD_SOURCE_BYTES,
  readSources,
} from "./read-sources.ts";
export {
  type Put,
  type ReplaceOptions,
  replaceFile,
  type Sync,
  type WriteBytes,
} from "./replace-file.ts";
export { verifyBundle } from "./verify-bundle.ts";
