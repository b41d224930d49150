import { once } from "node:events";
import { join, resolve } from "node:path";
import type { SqliteTaskStore } from "@parlance/coordinator";
import { DagRunner, openRunHistory } from "@parlance/coordinator/dag-run";
import { type DevServer, startDevServer } from "@parlance/dev";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { findEntry } from "../pack/build/project-folder.ts";
import { openStore } from "../run/open-store.ts";
import { makeWorkFolder } from "../work-folder.ts";
import type { DevOptions } from "./dev-options.ts";
import { hasScreen, openBrowser } from "./open-browser.ts";
import { addressKey, endRuns } from "./session-end.ts";
import { devTerminal } from "./terminal.ts";
import { WatchedProject } from "./watched-project.ts";

/**
 * `parlance dev`: serves the page for a project until it is told to stop, and leaves nothing behind.
 *
 * @throws CliError `cannot-read` (65) for a missing entry; `port-taken` (69); those of the store
 */
export async function devCommand(path: string, options: DevOptions, io: CommandIo): Promise<void> {
  await findEntry(path, io.cwd);
  const folder = await makeWorkFolder("dev");
  const terminal = devTerminal(io);
  try {
    const store = await openDevStore(options, folder.path, io);
    try {
      const runner = new DagRunner(store, {
        ...(options.parallel !== undefined && { parallel: options.parallel }),
      });
      const target = { schemaVersion: undefined, inspectBrk: false };
      const project = new WatchedProject(path, target, io, terminal);
      let server: DevServer | undefined;
      try {
        server = await startDevServer({
          project,
          history: openRunHistory(store),
          runner,
          teachSecrets: (masker) => store.teachSecrets(masker),
          port: options.port,
          host: options.host,
          timeScale: options.timeScale,
          tasks: { inheritEnv: options.inheritEnv, sourceEnv: io.env },
          onFault: terminal.fault,
        }).catch((error: unknown) => {
          throw explained(error, options);
        });
        await serveUntilTold(server, project, folder.path, options, io);
      } finally {
        // First nobody can start anything, then what runs is ended, then what it was made from goes.
        await server?.close();
        await endRuns(runner, io);
        await project.close();
      }
    } finally {
      await store.close();
    }
  } finally {
    await folder.remove();
  }
}

async function serveUntilTold(
  server: DevServer,
  project: WatchedProject,
  folder: string,
  options: DevOptions,
  io: CommandIo,
): Promise<void> {
  if (options.json) await writeJson(io.stdout, { url: server.url });
  else await write(io.stdout, `${project.name}: ${server.url}\n`);
  const isTerminal = (io.stdout as { isTTY?: boolean }).isTTY === true && !options.json;
  const mayOpen = options.open ?? (isTerminal && hasScreen(io.env, process.platform));
  if (mayOpen && !options.json) await openBrowser(server.url, folder);
  const stopKey = isTerminal ? addressKey(io, server) : () => {};
  try {
    void project.load();
    if (!io.signal.aborted) await once(io.signal, "abort");
  } finally {
    stopKey();
  }
}

/** Runs are kept in a SQLite file in any case: that of the user, or one that goes with this process. */
async function openDevStore(
  { store, seedStore }: DevOptions,
  folder: string,
  io: CommandIo,
): Promise<SqliteTaskStore> {
  const given = store?.replace(/^sqlite:/, "");
  const file = given === undefined ? join(folder, "runs.db") : resolve(io.cwd, given);
  const opened = await openStore(
    { store: `sqlite:${file}`, seedStore, dagId: "seed", runId: "seed" },
    io.cwd,
  );
  return opened as SqliteTaskStore;
}

function explained(error: unknown, { port, host }: DevOptions): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") return error;
  return new CliError(
    code === "EADDRINUSE" ? "port-taken" : "cannot-listen",
    `Cannot serve at ${host}, port ${port}: ${message}. Without --port any free one is taken.`,
    ExitCode.unavailable,
    { port, host },
    { cause: error },
  );
}
