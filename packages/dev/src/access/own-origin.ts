/** What a request says of where it goes to and comes from; header values as Node has them. */
export interface RequestOrigin {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/** Names of this machine that no name server answers for, so no foreign page can be served under them. */
const OWN_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** Whether the header `Host` names this server: another name is one that was bound to 127.0.0.1 by others. */
export function isOwnHost(host: string | undefined, port: number): boolean {
  return OWN_NAMES.some((name) => host?.toLowerCase() === `${name}:${port}`);
}

/**
 * Whether a request comes from a page of this very server, its port included, or from no page at all.
 * What changes something must say so; a browser always does.
 */
export function isFromOwnPage({ method, host, origin, fetchSite }: RequestOrigin): boolean {
  const isOwn = origin?.toLowerCase() === `http://${host?.toLowerCase()}`;
  if (origin !== undefined && !isOwn) return false;
  // `none`: typed in by the user. `same-site` is another port of this machine: foreign.
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") return false;
  return method === "GET" || method === "HEAD" || (isOwn && fetchSite !== "none");
}
