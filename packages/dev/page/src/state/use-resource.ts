import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { DevEvent } from "../../../src/api/types.ts";
import { onEvent } from "../client/events.ts";
import { getJson } from "../client/request.ts";

/** Something of the server that is shown, kept new by events. */
export interface Resource<T> {
  readonly data: T | undefined;
  /** Why it could not be fetched; what was there before stays in `data`. */
  readonly error: Error | undefined;
  readonly refresh: () => void;
  readonly replace: (change: (data: T) => T) => void;
}

/**
 * What an event means for what is shown: `refresh` to fetch it again, another value to show instead, undefined for
 * nothing.
 */
export type Reaction<T> = (event: DevEvent, data: T) => T | "refresh" | undefined;

const QUIET_MS = 150;

interface Shown<T> {
  readonly path: string | undefined;
  readonly data: T | undefined;
  readonly error: Error | undefined;
}

/**
 * Fetches `path` (undefined: nothing), and again when events want it: one request at a time, a short pause
 * between two.
 */
export function useResource<T>(path: string | undefined, react: Reaction<T>): Resource<T> {
  const [shown, setShown] = useState<Shown<T>>({ path, data: undefined, error: undefined });
  const reaction = useRef(react);
  reaction.current = react;
  const controls = useRef<Controls<T>>({ refresh: () => {}, replace: () => {} });

  useEffect(() => {
    let current: Shown<T> = { path, data: undefined, error: undefined };
    const show = (change: Partial<Shown<T>>): void => {
      current = { ...current, ...change };
      setShown(current);
    };
    show({});
    if (path === undefined) return;
    const abort = new AbortController();
    const load = oneAtATime(abort.signal, async () => {
      try {
        show({ data: await getJson<T>(path, abort.signal), error: undefined });
      } catch (thrown) {
        if (abort.signal.aborted) return;
        show({ error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
      }
    });
    controls.current = {
      refresh: load,
      replace: (change) => {
        if (current.data !== undefined) show({ data: change(current.data) });
      },
    };
    load();
    const stop = onEvent((event) => {
      if (event.type === "hello" || event.type === "resync" || current.data === undefined) {
        load();
        return;
      }
      const next = reaction.current(event, current.data);
      if (next === "refresh") load();
      else if (next !== undefined) show({ data: next });
    });
    return () => {
      abort.abort();
      stop();
    };
  }, [path]);

  const refresh = useCallback(() => controls.current.refresh(), []);
  const replace = useCallback((change: (data: T) => T) => controls.current.replace(change), []);
  // Between a new path and the effect above, what is there belongs to the old one.
  const isOld = shown.path !== path;
  return {
    data: isOld ? undefined : shown.data,
    error: isOld ? undefined : shown.error,
    refresh,
    replace,
  };
}

interface Controls<T> {
  readonly refresh: () => void;
  readonly replace: (change: (data: T) => T) => void;
}

/** What is asked for during the work is done once more after it and a pause. */
function oneAtATime(signal: AbortSignal, work: () => Promise<void>): () => void {
  let isBusy = false;
  let isStale = false;
  const start = async (): Promise<void> => {
    isBusy = true;
    do {
      isStale = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    } while (isStale && !signal.aborted);
    isBusy = false;
  };
  return () => {
    isStale = true;
    if (!isBusy) void start();
  };
}
