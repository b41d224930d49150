import type { LogRecord, SecretMasker } from "@parlance/coordinator";
import type { FilePage, RunHistory, StoredFrame } from "@parlance/coordinator/dag-run";
import type { FrameEntry, FramePage, LogEntry, LogPage } from "../api/types.ts";
import { cutValue } from "../views/cut-value.ts";
import { masked } from "../views/mask.ts";
import type { PageRequest } from "./dev-backend.ts";

/** Where attempts are read from, and what must not be shown. */
export interface AttemptSource {
  readonly history: Pick<RunHistory, "log" | "frames">;
  readonly masker: SecretMasker;
}

/** Characters of JSON in one page; a single entry may be larger. */
const MAX_PAGE_CHARACTERS = 2_000_000;

/** A part of an attempt's log; undefined where there is no such attempt. */
export async function readLog(
  { history, masker }: AttemptSource,
  attemptId: string,
  page: PageRequest,
): Promise<LogPage | undefined> {
  const read = (request: ReadRequest) => history.log(request.id, request);
  const show = (record: LogRecord) => cutValue(masked(masker, record)) as LogEntry;
  const found = await readPage(attemptId, page, read, show);
  if (found === undefined) return undefined;
  const { entries, ...rest } = found;
  return { records: entries, ...rest };
}

/** A part of an attempt's frames; undefined where there is no such attempt. */
export async function readFrames(
  { history, masker }: AttemptSource,
  attemptId: string,
  page: PageRequest,
): Promise<FramePage | undefined> {
  const read = (request: ReadRequest) => history.frames(request.id, request);
  const show = (frame: StoredFrame): FrameEntry => ({
    number: frame.number,
    at: frame.at,
    direction: frame.direction,
    id: frame.id,
    type: frame.type,
    body: cutValue(masked(masker, frame.body)),
    third: cutValue(masked(masker, frame.third)),
    redacted: frame.redacted,
    isCut: frame.isCut,
    lost: frame.lost ?? 0,
  });
  const found = await readPage(attemptId, page, read, show);
  if (found === undefined) return undefined;
  const { entries, ...rest } = found;
  return { frames: entries, ...rest };
}

interface ReadRequest {
  readonly id: number;
  readonly from: number;
  readonly limit: number;
}

interface ShownPage<Entry> {
  readonly entries: readonly Entry[];
  readonly nextOffset: number;
  readonly hasMore: boolean;
  readonly isFinished: boolean;
}

/** Reads again with fewer entries where they are too many characters: only the reader knows where each ends. */
async function readPage<Stored, Entry>(
  attemptId: string,
  { offset, limit }: PageRequest,
  read: (request: ReadRequest) => Promise<FilePage<Stored> | undefined>,
  show: (stored: Stored) => Entry,
): Promise<ShownPage<Entry> | undefined> {
  if (!/^\d{1,15}$/.test(attemptId)) return undefined;
  for (let most = limit; ; ) {
    const page = await read({ id: Number(attemptId), from: offset, limit: most });
    if (page === undefined) return undefined;
    const entries = page.entries.map(show);
    const fitting = howManyFit(entries);
    if (fitting === entries.length) {
      return {
        entries,
        nextOffset: page.next,
        hasMore: page.hasMore,
        isFinished: page.isFinished,
      };
    }
    most = fitting;
  }
}

/** At least one. */
function howManyFit(entries: readonly unknown[]): number {
  let characters = 0;
  for (const [at, entry] of entries.entries()) {
    characters += JSON.stringify(entry).length;
    if (characters > MAX_PAGE_CHARACTERS) return Math.max(1, at);
  }
  return entries.length;
}
