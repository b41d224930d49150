export { type MigrateOptions, type Migration, migrateBody } from "./migrate/migrate-body.ts";
