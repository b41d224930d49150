import { type Signal, signal } from "@preact/signals";
import type { DevEvent } from "../../../src/api/types.ts";
import { apiPath, getJson, RequestError } from "./request.ts";

/** `ended`: the session is over, the address that was printed must be opened again. */
export type Connection = "connecting" | "live" | "lost" | "ended";

/** Whether events come. */
export const connection: Signal<Connection> = signal("connecting");

type Listener = (event: DevEvent) => void;
const listeners = new Set<Listener>();
const RETRY_MS = 1_500;

/** Calls the listener with each event until the returned function is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the stream of events and keeps it open. */
export function connectEvents(): void {
  const source = new EventSource(apiPath("events"));
  source.onopen = () => {
    connection.value = "live";
  };
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as DevEvent;
    for (const listener of listeners) listener(event);
  };
  source.onerror = () => {
    if (connection.value !== "connecting") connection.value = "lost";
    // A browser tries again by itself after a broken line, but not after a refusal.
    if (source.readyState !== EventSource.CLOSED) return;
    void reconnect();
  };
}

async function reconnect(): Promise<void> {
  try {
    await getJson(apiPath("project"));
  } catch (error) {
    if (error instanceof RequestError && error.status === 401) {
      connection.value = "ended";
      return;
    }
  }
  connection.value = "lost";
  setTimeout(connectEvents, RETRY_MS);
}
