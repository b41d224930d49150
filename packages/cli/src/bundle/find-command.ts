import { resolve } from "node:path";
import { findBundle, findNodeBundle } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol/schema-version";
import { ExitCode } from "../errors.ts";
import { type CommandIo, writeJson } from "../io.ts";
import { withBundleErrors } from "./with-bundle-errors.ts";

/** Prints `{"path","schemaVersion","rejected"}`; exit code 1 when no bundle runs the Dag. */
export async function findCommand(
  options: {
    readonly root: readonly string[];
    readonly dag: string;
    readonly format: "executable" | "node";
  },
  io: CommandIo,
): Promise<void> {
  const find = options.format === "node" ? findNodeBundle : findBundle;
  const { path, schemaVersion, rejected } = await withBundleErrors(io, () =>
    find({
      roots: options.root.map((root) => resolve(io.cwd, root)),
      dagId: options.dag,
      knownSchemaVersions: SCHEMA_VERSIONS,
      signal: io.signal,
    }),
  );
  await writeJson(io.stdout, { path, schemaVersion, rejected });
  if (path === null) io.setExitCode(ExitCode.failed);
}
