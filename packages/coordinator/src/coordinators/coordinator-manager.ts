import type { BaseCoordinator } from "./base-coordinator.ts";
import { builtInFactories, type CoordinatorFactory } from "./built-in-factories.ts";
import { badConfig, CoordinatorConfigError } from "./coordinator-config-error.ts";
import { readDagBundles } from "./read-dag-bundles.ts";
import { readMap } from "./read-map.ts";

/** What a {@link CoordinatorManager} is made of. */
export interface CoordinatorManagerOptions {
  /** Airflow's `[sdk] coordinators`, as JSON text or parsed: `{name: {classpath, kwargs, extra}}`. */
  readonly coordinators: unknown;
  /** Airflow's `[sdk] queue_to_coordinator`, as JSON text or parsed: `{queue: name}`. */
  readonly queueToCoordinator: unknown;
  /**
   * Airflow's `[dag_processor] dag_bundle_config_list`, as JSON text or parsed, which 3.4 needs: the
   * `task_handler_bundle_name` of a coordinator is one of its names. Only a bundle that has a
   * `kwargs.path` (a LocalDagBundle) can be looked into here.
   */
  readonly dagBundles?: unknown;
  /** Factories by class path, besides Airflow's own coordinators, or in their place. */
  readonly factories?: { readonly [classpath: string]: CoordinatorFactory };
}

interface Entry {
  readonly classpath: string;
  readonly kwargs: { readonly [key: string]: unknown };
  readonly extra: { readonly [key: string]: unknown } | null;
}

/**
 * Finds the coordinator of a queue, from the settings Airflow has for it. Each is made on first use,
 * and once.
 */
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
      if (typeof name !== "string") throw badConfig(`queue_to_coordinator: ${queue} is no text`);
      if (this.#entries.has(name)) continue;
      const known = [...this.#entries.keys()].join(", ");
      throw new CoordinatorConfigError(
        "unknown-coordinator",
        `queue_to_coordinator: the queue ${queue} names ${name}, which is not among the coordinators (${known})`,
        queue,
      );
    }
    this.#queues = new Map(queues as [string, string][]);
    const dagBundles = readDagBundles(options.dagBundles ?? []);
    this.#factories = { ...builtInFactories(dagBundles), ...options.factories };
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

  /**
   * The `extra` of the queue's coordinator, which other tools read (a pod template, say); null where
   * the queue has no coordinator, or that one no `extra`. Makes no coordinator.
   */
  extraForQueue(queue: string): { readonly [key: string]: unknown } | null {
    const name = this.#queues.get(queue);
    return name === undefined ? null : (this.#entries.get(name)?.extra ?? null);
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
      throw badConfig(`coordinators: ${name} can't be made: ${cause}`, name, cause);
    }
  }
}

function readEntry(name: string, value: unknown): Entry {
  const entry = readMap(value, `coordinators: ${name}`);
  const classpath = entry["classpath"];
  if (typeof classpath !== "string")
    throw badConfig(`coordinators: ${name} has no classpath`, name);
  const kwargs = readMap(entry["kwargs"] ?? {}, `coordinators: ${name}.kwargs`);
  const extra = entry["extra"] ?? null;
  return {
    classpath,
    kwargs,
    extra: extra === null ? null : readMap(extra, `coordinators: ${name}.extra`),
  };
}
