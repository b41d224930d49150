import { useEffect, useRef, useState } from "preact/hooks";
import type { DevEvent } from "../../../src/api/types.ts";
import { onEvent } from "../client/events.ts";
import { getJson } from "../client/request.ts";

/** A part of a list that only grows, as the API gives it. */
interface Part {
  readonly nextOffset: number;
  readonly hasMore: boolean;
  readonly isFinished: boolean;
}

/** All that has come of a list that grows. The array is the same all the time: `version` counts its changes. */
export interface GrowingList<E> {
  readonly entries: readonly E[];
  readonly version: number;
  readonly isFinished: boolean;
  readonly error: Error | undefined;
}

const PART_SIZE = 2_000;

/**
 * Fetches a log or frames to their end, and what is added when an event says so.
 *
 * @param path - without its query; undefined for nothing
 */
export function usePages<E, P extends Part>(
  path: string | undefined,
  entriesOf: (part: P) => readonly E[],
  concerns: (event: DevEvent) => boolean,
): GrowingList<E> {
  const list = useRef<{ path: string | undefined; entries: E[] }>({ path: undefined, entries: [] });
  const [shown, setShown] = useState({ version: 0, isFinished: false });
  const [error, setError] = useState<Error>();
  const functions = useRef({ entriesOf, concerns });
  functions.current = { entriesOf, concerns };
  if (list.current.path !== path) list.current = { path, entries: [] };

  useEffect(() => {
    const { entries } = list.current;
    setShown(({ version }) => ({ version: version + 1, isFinished: false }));
    setError(undefined);
    if (path === undefined) return;
    const abort = new AbortController();
    let offset = 0;
    let isBusy = false;
    let isAsked = false;
    const load = async (): Promise<void> => {
      isAsked = true;
      if (isBusy) return;
      isBusy = true;
      try {
        while (isAsked && !abort.signal.aborted) {
          isAsked = false;
          const part = await getJson<P>(
            `${path}?offset=${offset}&limit=${PART_SIZE}`,
            abort.signal,
          );
          offset = part.nextOffset;
          const added = functions.current.entriesOf(part);
          for (const entry of added) entries.push(entry);
          isAsked ||= part.hasMore;
          const isFinished = part.isFinished && !part.hasMore;
          if (added.length > 0 || isFinished) {
            setShown(({ version }) => ({ version: version + 1, isFinished }));
          }
          setError(undefined);
        }
      } catch (thrown) {
        if (!abort.signal.aborted) setError(thrown as Error);
      }
      isBusy = false;
    };
    void load();
    const stop = onEvent((event) => {
      const isNews = event.type === "hello" || event.type === "resync";
      if (isNews || functions.current.concerns(event)) void load();
    });
    return () => {
      abort.abort();
      stop();
    };
  }, [path]);
  return { entries: list.current.entries, ...shown, error };
}
