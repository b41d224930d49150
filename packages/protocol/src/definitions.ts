export type {
  Definition,
  Definitions,
  MigrationChange,
  MigrationStep,
  MigrationVersion,
} from "./definitions/definition.ts";
export { definitionsOf, referredName, resolveDefinition } from "./definitions/definitions-of.ts";
export { MIGRATIONS } from "./definitions/generated/migrations.ts";
