import type { BaseCoordinator } from "./base-coordinator.ts";
import { ExecutableCoordinator } from "./executable-coordinator.ts";

/** Makes a coordinator of the `kwargs` of its entry, under the keys Airflow uses. */
export type CoordinatorFactory = (kwargs: { readonly [key: string]: unknown }) => BaseCoordinator;

/** What a {@link CoordinatorManager} is made of. */
export interface CoordinatorManagerOptions {
  /** Airflow's `[sdk] coordinators`, as JSON text or parsed: `{name: {classpath, kwargs}}`. */
  readonly coordinators: unknown;
  /** Airflow's `[sdk] queue_to_coordinator`, as JSON text or parsed: `{queue: name}`. */
  readonly queueToCoordinator: unknown;
  /** Factories by class path, besides Airflow's own ExecutableCoordinator. */
  readonly factories?: { readonly [classpath: string]: CoordinatorFactory };
}

/** Why a configuration can't be used. */
export type CoordinatorConfigErrorCode =
  | "bad-config"
  | "unknown-class"
  | "unknown-coordinator"
  | "unmapped-queue";

/**
 * A configuration can't be used. Codes: `bad-config` (not the shape Airflow reads), `unknown-class`
 * (`name` is the coordinator), `unknown-coordinator` (a queue names one that is not there),
 * `unmapped-queue` (Airflow would run its Python there).
 */
export class CoordinatorConfigError extends Error {
  readonly code: CoordinatorConfigErrorCode;
  readonly entry: string | undefined;

  constructor(code: CoordinatorConfigErrorCode, message: string, entry?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.entry = entry;
  }
}

Object.defineProperty(CoordinatorConfigError.prototype, "name", {
  value: "CoordinatorConfigError",
});

const BUILT_IN: { readonly [classpath: string]: CoordinatorFactory } = {
  "airflow.sdk.coordinators.executable.ExecutableCoordinator": executableCoordinator,
};

interface Entry {
  readonly classpath: string;
  readonly kwargs: { readonly [key: string]: unknown };
}

/** Finds the coordinator of a queue, from the two settings Airflow has for it. Each is made once, on first use. */
export class CoordinatorManager {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #queues: ReadonlyMap<string, string>;
  readonly #factories: { readonly [classpath: string]: CoordinatorFactory };
  readonly #made = new Map<string, BaseCoordinator>();

  /** @throws CoordinatorConfigError `bad-config`, `unknown-coordinator` */
  constructor(options: CoordinatorManagerOptions) {
    const coordinators = readMap(options.coordinators, "coordinators");
    this.#entries = new Map(
      Object.entries(coordinators).map(([name, value]) => [name, readEntry(name, value)]),
    );
    const queues = Object.entries(readMap(options.queueToCoordinator, "queue_to_coordinator"));
    for (const [queue, name] of queues) {
      if (typeof name !== "string") throw bad(`queue_to_coordinator: ${queue} is no text`);
      if (this.#entries.has(name)) continue;
      const known = [...this.#entries.keys()].join(", ");
      throw new CoordinatorConfigError(
        "unknown-coordinator",
        `queue_to_coordinator: the queue ${queue} names ${name}, which is not among the coordinators (${known})`,
        queue,
      );
    }
    this.#queues = new Map(queues as [string, string][]);
    this.#factories = { ...BUILT_IN, ...options.factories };
  }

  /** @throws CoordinatorConfigError `unmapped-queue`, `unknown-class`, `bad-config` */
  forQueue(queue: string): BaseCoordinator {
    const name = this.#queues.get(queue);
    if (name === undefined) {
      throw new CoordinatorConfigError(
        "unmapped-queue",
        `the queue ${queue} has no coordinator: queue_to_coordinator knows ${[...this.#queues.keys()].join(", ")}`,
        queue,
      );
    }
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const made = this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  #make(name: string): BaseCoordinator {
    const { classpath, kwargs } = this.#entries.get(name) as Entry;
    const factory = Object.hasOwn(this.#factories, classpath)
      ? this.#factories[classpath]
      : undefined;
    if (factory === undefined) {
      throw new CoordinatorConfigError(
        "unknown-class",
        `coordinators: ${name} is a ${classpath}, which is not known here: ${Object.keys(this.#factories).join(", ")}`,
        name,
      );
    }
    try {
      return factory(kwargs);
    } catch (cause) {
      if (cause instanceof CoordinatorConfigError) throw cause;
      throw bad(`coordinators: ${name} can't be made: ${cause}`, name, cause);
    }
  }
}

const EXECUTABLE_KWARGS = ["executables_root", "task_startup_timeout"];

function executableCoordinator(kwargs: { readonly [key: string]: unknown }): BaseCoordinator {
  const unknown = Object.keys(kwargs).find((key) => !EXECUTABLE_KWARGS.includes(key));
  if (unknown !== undefined) {
    throw bad(`kwargs.${unknown} is not known: ${EXECUTABLE_KWARGS.join(", ")}`);
  }
  const root = kwargs["executables_root"];
  const seconds = kwargs["task_startup_timeout"] ?? 10;
  const roots = typeof root === "string" ? [root] : root;
  if (!Array.isArray(roots) || roots.length === 0 || roots.some((one) => typeof one !== "string")) {
    throw bad("kwargs.executables_root is neither a path nor a list of paths");
  }
  if (typeof seconds !== "number" || !(seconds > 0)) {
    throw bad("kwargs.task_startup_timeout is no number of seconds");
  }
  return new ExecutableCoordinator({ executablesRoot: roots, startupTimeoutMs: seconds * 1000 });
}

function readEntry(name: string, value: unknown): Entry {
  const entry = readMap(value, `coordinators: ${name}`);
  const classpath = entry["classpath"];
  if (typeof classpath !== "string") throw bad(`coordinators: ${name} has no classpath`, name);
  const kwargs = readMap(entry["kwargs"] ?? {}, `coordinators: ${name}.kwargs`);
  return { classpath, kwargs };
}

function readMap(value: unknown, what: string): { readonly [key: string]: unknown } {
  let parsed = value;
  if (typeof value === "string") {
    try {
      parsed = JSON.parse(value);
    } catch (cause) {
      throw bad(`${what} is no JSON`, undefined, cause);
    }
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw bad(`${what} is no JSON object`);
  }
  return parsed as { readonly [key: string]: unknown };
}

function bad(message: string, entry?: string, cause?: unknown): CoordinatorConfigError {
  return new CoordinatorConfigError("bad-config", message, entry, cause);
}
