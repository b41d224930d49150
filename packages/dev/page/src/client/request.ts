import type { ErrorAnswer } from "../../../src/api/types.ts";

/** A request that the server refused or did not get. */
export class RequestError extends Error {
  /** 0: no answer at all. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The path of the API with each part written as an address wants it. */
export function apiPath(...parts: readonly string[]): string {
  return `/api/dev/${parts.map(encodeURIComponent).join("/")}`;
}

/** @throws RequestError */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return await request<T>(path, signal === undefined ? {} : { signal });
}

/** @throws RequestError */
export async function postJson<T>(path: string, body: unknown): Promise<T> {
  return await request<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RequestError(0, "The server does not answer: is `parlance dev` still running?");
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body as T;
  const told = (body as Partial<ErrorAnswer> | undefined)?.error?.message;
  throw new RequestError(response.status, told ?? `The server answered with ${response.status}.`);
}
