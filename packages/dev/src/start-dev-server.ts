import { SecretMasker, type SubprocessCoordinatorOptions } from "@parlance/coordinator";
import type { DagRunnerApi, RunHistory } from "@parlance/coordinator/dag-run";
import { HistoryBackend } from "./backend/history-backend.ts";
import { type ServeOptions, serveBackend } from "./http/serve-backend.ts";
import type { DevProject } from "./project/dev-project.ts";
import { ProjectCoordinator } from "./project/project-coordinator.ts";

/** What a server for a project needs. */
export interface DevServerOptions extends Omit<ServeOptions, "backend"> {
  readonly project: DevProject;
  readonly history: RunHistory;
  /** On the same store as the history. */
  readonly runner: DagRunnerApi;
  /** Teaches a masker the secrets that the store has. */
  readonly teachSecrets: (masker: SecretMasker) => Promise<void>;
  /** Waits of runs are multiplied by this, 0 to 1000. Default 1. */
  readonly timeScale?: number;
  /** How tasks are started. */
  readonly tasks?: SubprocessCoordinatorOptions;
}

/** A server that is running. Runs go on when it is closed: they are the runner's. */
export interface DevServer {
  /** The address with its token: it opens the page once, within 10 minutes. */
  readonly url: string;
  readonly port: number;
  /** A new address; the one before it is no longer valid. Sessions go on. */
  freshUrl(): string;
  /** Ends all connections; can be called again. */
  close(): Promise<void>;
}

/**
 * Shows a project, its runs and what they left, and starts runs of it, on a loopback address.
 *
 * @throws the system's error where the port is taken (`EADDRINUSE`) or the address is not there
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { project, history, runner, timeScale = 1 } = options;
  const onFault = options.onFault ?? (() => {});
  const masker = new SecretMasker();
  await options.teachSecrets(masker);
  const coordinator = new ProjectCoordinator(project, masker, options.tasks ?? {});
  const backend = new HistoryBackend({
    project,
    history,
    runner,
    coordinator,
    masker,
    timeScale,
    onFault,
  });
  try {
    const server = await serveBackend({ ...options, backend, onFault });
    const close = async () => {
      await server.close();
      backend.close();
    };
    return { url: server.url, port: server.port, freshUrl: server.freshUrl, close };
  } catch (error) {
    backend.close();
    throw error;
  }
}
