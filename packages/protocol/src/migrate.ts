export { type MigrateOptions, type Migration, migrateBody } from "./migrate/migrate-body.ts";
export { isServerModel } from "./migrate/stock-models.ts";
