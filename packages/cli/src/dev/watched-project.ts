import { basename, resolve } from "node:path";
import type { DevProject, LoadedProgram, ProjectState } from "@parlance/dev";
import { CliError } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import type { RunTarget, TargetOptions } from "../run/resolve-target.ts";
import { FolderWatcher } from "./folder-watcher.ts";
import { loadProgram } from "./load-program.ts";

/** Programs that stay on the disk: a process that was started a moment ago still reads its own. */
const KEPT_TARGETS = 3;

/** Told of each load, for the terminal. */
export interface LoadObserver {
  loaded(program: LoadedProgram, problems: readonly string[], durationMs: number): void;
  failed(message: string): void;
  notWatched(error: Error): void;
}

/**
 * An entry or a bundle that is loaded again whenever its files change. Code that does not load leaves
 * the one before it in use.
 */
export class WatchedProject implements DevProject {
  readonly name: string;
  readonly #path: string;
  readonly #options: TargetOptions;
  readonly #io: CommandIo;
  readonly #observer: LoadObserver;
  readonly #watcher: FolderWatcher;
  readonly #listeners = new Set<() => void>();
  readonly #targets: RunTarget[] = [];
  #state: ProjectState = { revision: 0, program: null, error: null };
  #fingerprint: string | undefined;
  #loading: Promise<void> | undefined;
  #isStale = false;
  #isClosed = false;

  constructor(path: string, options: TargetOptions, io: CommandIo, observer: LoadObserver) {
    this.name = basename(path);
    this.#path = path;
    this.#options = options;
    this.#io = io;
    this.#observer = observer;
    this.#watcher = new FolderWatcher(
      () => void this.load(),
      (error) => observer.notWatched(error),
    );
  }

  current(): ProjectState {
    return this.#state;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads the code as it is now. What changes while it loads is loaded after it. Never rejects. */
  load(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isStale = true;
    this.#loading ??= this.#loadWhileStale().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Loads nothing more, and removes what was built. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watcher.close();
    await this.#loading;
    await Promise.all(this.#targets.splice(0).map((target) => target.close()));
  }

  async #loadWhileStale(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      await this.#loadOnce();
    }
  }

  async #loadOnce(): Promise<void> {
    const startedAt = performance.now();
    // Before it is built: a change meanwhile must not be missed.
    this.#watch([]);
    try {
      const known = this.#state.error === null ? this.#fingerprint : undefined;
      const loaded = await loadProgram(this.#path, this.#options, this.#io, known);
      if (loaded === undefined) return;
      const { program, problems, target } = loaded;
      this.#fingerprint = loaded.fingerprint;
      this.#targets.push(target);
      if (this.#targets.length > KEPT_TARGETS) await this.#targets.shift()?.close();
      this.#watch(target.sources);
      const isEmpty = program.dags.length === 0 && program.plainTasks.size === 0;
      this.#change(
        isEmpty ? this.#state.program : program,
        problems.length === 0 ? null : errorOf("import", problems.join("\n\n")),
      );
      this.#observer.loaded(program, problems, performance.now() - startedAt);
    } catch (error) {
      if (this.#isClosed || this.#io.signal.aborted) return;
      const code = error instanceof CliError ? error.code : "internal";
      const message = error instanceof Error ? error.message : String(error);
      this.#change(
        this.#state.program,
        errorOf(code.startsWith("cannot-") ? "build" : "parse", message),
      );
      this.#observer.failed(message);
    }
  }

  #watch(sources: readonly string[]): void {
    const known = sources.length > 0 ? sources : this.#targets.flatMap((target) => target.sources);
    this.#watcher.watch([resolve(this.#io.cwd, this.#path), ...known]);
  }

  #change(program: LoadedProgram | null, error: ProjectState["error"]): void {
    this.#state = { revision: this.#state.revision + 1, program, error };
    for (const listener of this.#listeners) listener();
  }
}

function errorOf(
  kind: "build" | "parse" | "import",
  text: string,
): NonNullable<ProjectState["error"]> {
  return { kind, text, at: new Date().toISOString() };
}
