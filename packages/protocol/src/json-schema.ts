export { findSchemaProblem, type Schema } from "./json-schema/find-schema-problem.ts";
