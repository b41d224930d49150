import type { ConnectChanges, DatabaseOptions } from "../database/options.ts";
import { ResultsError } from "../errors.ts";
import type { ResultsUrl } from "../url/results-url.ts";
import type { Secrets } from "./secrets.ts";

/** What a driver is made from. */
export interface DriverConfig {
  readonly url: ResultsUrl;
  readonly options: DatabaseOptions;
  readonly secrets: Secrets;
}

/** Where and as whom to connect, with what the hook said. */
export interface ConnectDetails {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly ssl: ConnectChanges["ssl"];
}

/**
 * Asks the hook before a connect; without one, what the URL says. What the hook throws passes
 * unchanged: it is the caller's own error.
 */
export async function connectDetails(
  { url, options, secrets }: DriverConfig,
  address: { readonly host: string | undefined; readonly port: number | undefined },
): Promise<ConnectDetails> {
  const { dialect, user, database } = url;
  const changes = await options.beforeConnect?.({ dialect, user, database, ...address });
  if (changes !== undefined && (typeof changes !== "object" || changes === null)) {
    throw new ResultsError(
      "bad-option",
      `The hook beforeConnect gave a ${typeof changes}; it gives an object { user?, password?, ssl? } or nothing.`,
      { facts: { field: "beforeConnect" } },
    );
  }
  secrets.add(changes?.password);
  return {
    user: changes?.user ?? user,
    password: changes?.password ?? url.password,
    ssl: changes?.ssl,
  };
}

/** A parameter of the URL, the last one where it is given twice. */
export function parameter(url: ResultsUrl, ...names: readonly string[]): string | undefined {
  return url.parameters.findLast(([name]) => names.includes(name))?.[1];
}

/** A parameter in seconds, as milliseconds. */
export function secondsParameter(url: ResultsUrl, name: string): number | undefined {
  const seconds = Number(parameter(url, name) ?? Number.NaN);
  return seconds > 0 ? Math.round(seconds * 1000) : undefined;
}

/** How long a connect may take where nothing else is said. */
export const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;

/** How long a proper goodbye may take before the socket is just dropped. */
export const CLOSE_TIMEOUT_MS = 1_000;
