/** Tracing headers by their lower-case name. */
export type Carrier = { readonly [key: string]: string };

/** What this file uses of the objects that `@opentelemetry/api` 1.x registers. */
interface Registered {
  readonly context?: {
    active(): unknown;
    with<Result>(context: unknown, call: () => Result): Result;
  };
  readonly propagation?: {
    extract(context: unknown, carrier: Carrier, getter: object): unknown;
    inject(context: unknown, carrier: Record<string, string>, setter: object): void;
  };
  readonly trace?: { getDelegate?(): Flushable } & Flushable;
}

interface Flushable {
  forceFlush?(): Promise<unknown>;
}

/**
 * Where every copy of `@opentelemetry/api` 1.x keeps what the program has registered, so that
 * copies work together. Looked up, not imported: who has not set up tracing pays nothing.
 */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

const GETTER = {
  keys: (carrier: Carrier): string[] => Object.keys(carrier),
  get: (carrier: Carrier, key: string): string | undefined => carrier[key],
};
const SETTER = {
  set: (carrier: Record<string, string>, key: string, value: string): void => {
    carrier[key] = value;
  },
};

/** Calls with the trace of Airflow's task as the active one, when the program has set up tracing. */
export function runInTrace<Result>(carrier: Carrier | null, call: () => Result): Result {
  const { context, propagation } = registered();
  if (carrier === null || context === undefined || propagation === undefined) return call();
  let found: unknown;
  try {
    found = propagation.extract(context.active(), carrier, GETTER);
  } catch {
    return call(); // tracing never ends a task
  }
  return context.with(found, call);
}

/** Headers of the span that is active here, or those given when there is none. */
export function activeCarrier(fallback: Carrier | null): Carrier | null {
  const { context, propagation } = registered();
  if (context === undefined || propagation === undefined) return fallback;
  try {
    const carrier: Record<string, string> = {};
    propagation.inject(context.active(), carrier, SETTER);
    return carrier["traceparent"] === undefined ? fallback : { ...fallback, ...carrier };
  } catch {
    return fallback; // tracing never ends a task
  }
}

/** Has spans exported before the process ends; gives up after `limitMs`. Never rejects. */
export async function flushSpans(limitMs: number): Promise<void> {
  const { trace } = registered();
  if (trace === undefined) return;
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, limitMs).unref();
  });
  try {
    const provider = trace.getDelegate?.() ?? trace;
    await Promise.race([provider.forceFlush?.(), limit]);
  } catch {
    // An exporter that fails has told so itself.
  }
}

function registered(): Registered {
  return ((globalThis as { [REGISTRY]?: Registered })[REGISTRY] ?? {}) as Registered;
}
