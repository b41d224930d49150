import { type Signal, signal } from "@preact/signals";

/** What a screen reader is told next, without an interruption. */
export const announcement: Signal<string> = signal("");

/** A note at the bottom of the window that goes away by itself. */
export interface Note {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

/** The notes that are there. */
export const notes: Signal<readonly Note[]> = signal([]);

const NOTE_MS = 6_000;
let nextId = 1;

/** Tells a screen reader. */
export function announce(text: string): void {
  announcement.value = text;
}

/** Tells everybody. An error stays until it is closed. */
export function note(text: string, { isError = false }: { isError?: boolean } = {}): void {
  const id = nextId++;
  notes.value = [...notes.value.slice(-2), { id, text, isError }];
  announce(text);
  if (!isError) setTimeout(() => dismiss(id), NOTE_MS);
}

/** Takes a note away. */
export function dismiss(id: number): void {
  notes.value = notes.value.filter((one) => one.id !== id);
}

/** As {@link note}, of whatever was thrown. */
export function noteError(error: unknown): void {
  note(error instanceof Error ? error.message : String(error), { isError: true });
}
