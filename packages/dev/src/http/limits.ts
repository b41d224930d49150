/** What one client may cost the server. */
export const LIMITS = {
  /** Of a request's body: `conf` of a run is the largest. */
  bodyBytes: 1_048_576,
  /** Of all headers of a request. */
  headerBytes: 16_384,
  /** Connections at once; a browser opens six to one server. */
  connections: 256,
  /** From the connection to the end of the headers. */
  headersMs: 10_000,
  /** From there to the end of the body. */
  requestMs: 20_000,
  /** Between two requests. */
  keepAliveMs: 10_000,
  /** Without a byte in either direction. */
  idleMs: 60_000,
  /** How often the times above are looked at. */
  checkMs: 1_000,
  /** Of one id in a path, as it is encoded. */
  paramCharacters: 4_096,
} as const;
