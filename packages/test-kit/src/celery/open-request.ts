import type { CeleryOptions } from "./celery-types.ts";

/** The fields of `backend_peer.application.PeerOptions`, and the operation's name. */
export function openRequest(
  url: string,
  options: CeleryOptions,
  brokerFolder: string | undefined,
): Readonly<Record<string, unknown>> {
  return { op: "open", ...peerOptions(url, options, brokerFolder) };
}

/** The fields of `backend_peer.application.PeerOptions`. */
export function peerOptions(
  url: string,
  options: CeleryOptions,
  brokerFolder: string | undefined,
): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {
    url,
    serializer: options.serializer,
    accept: options.accept,
    extended: options.extended,
    timezone: options.timezone,
    enable_utc: options.enableUtc,
    pooled: options.pooled,
    tables: options.tables,
    schemas: options.schemas,
    broker_folder: brokerFolder,
    conf: options.conf,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
