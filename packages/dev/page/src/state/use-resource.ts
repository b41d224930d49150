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
  const refresher = useRef<() => void>(() => {});

  useEffect(() => {
    setShown({ path, data: undefined, error: undefined });
    if (path === undefined) return;
    const abort = new AbortController();
    let isBusy = false;
    let isStale = false;
    const load = async (): Promise<void> => {
      if (isBusy) {
        isStale = true;
        return;
      }
      isBusy = true;
      isStale = false;
      try {
        const data = await getJson<T>(path, abort.signal);
        setShown({ path, data, error: undefined });
      } catch (thrown) {
        if (abort.signal.aborted) return;
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        setShown((before) => ({ ...before, error }));
      }
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      isBusy = false;
      if (isStale && !abort.signal.aborted) void load();
    };
    refresher.current = () => void load();
    void load();
    const stop = onEvent((event) => {
      if (event.type === "hello" || event.type === "resync") {
        void load();
        return;
      }
      setShown((before) => {
        if (before.data === undefined) {
          void load();
          return before;
        }
        const next = reaction.current(event, before.data);
        if (next === "refresh") void load();
        return next === undefined || next === "refresh" ? before : { ...before, data: next };
      });
    });
    return () => {
      abort.abort();
      stop();
    };
  }, [path]);

  const refresh = useCallback(() => refresher.current(), []);
  const replace = useCallback((change: (data: T) => T) => {
    setShown((before) =>
      before.data === undefined ? before : { ...before, data: change(before.data) },
    );
  }, []);
  // Between a new path and the effect above, what is there belongs to the old one.
  const isOld = shown.path !== path;
  return {
    data: isOld ? undefined : shown.data,
    error: isOld ? undefined : shown.error,
    refresh,
    replace,
  };
}
