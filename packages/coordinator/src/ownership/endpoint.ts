import { isIPv6 } from "node:net";

/** One end of a TCP connection. */
export interface Endpoint {
  /** IP address as text in normal form ({@link normalizeAddress}), or a host name. */
  readonly address: string;
  /** 0..65535 */
  readonly port: number;
}

/** A TCP connection as the accepting side sees it. */
export interface ConnectionEnds {
  /** The connecting side. */
  readonly peer: Endpoint;
  /** Our side: the listener's address. */
  readonly local: Endpoint;
}

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
const COMPATIBLE = /^::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

/**
 * Gives the normal form of an IP address, so that two spellings of one address compare equal.
 *
 * IPv4-mapped (`::ffff:127.0.0.1`, what a dual-stack client shows) and IPv4-compatible
 * (`::127.0.0.1`, seen on macOS) addresses become IPv4; `::1` and `::` stay what they are.
 * Other IPv6 text is lower-cased and shortened; anything else comes back unchanged.
 */
export function normalizeAddress(address: string): string {
  if (!isIPv6(address) || address.includes("%")) return address;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  if (short === "::1" || short === "::") return short;
  const match = MAPPED.exec(short) ?? COMPATIBLE.exec(short);
  if (match === null) return short;
  const high = Number.parseInt(match[1] ?? "0", 16);
  const low = Number.parseInt(match[2] ?? "0", 16);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/**
 * Reads an endpoint out of `[address, port, …]` (the form of other runtimes; further items are
 * flow info and scope) or `{ address, port }`, in normal form; null when it is neither, as for the
 * path of a Unix socket.
 */
export function toEndpoint(value: unknown): Endpoint | null {
  const [address, port] = Array.isArray(value)
    ? (value as readonly unknown[])
    : typeof value === "object" && value !== null
      ? [(value as Partial<Endpoint>).address, (value as Partial<Endpoint>).port]
      : [];
  if (typeof address !== "string" || !Number.isInteger(port)) return null;
  return { address: normalizeAddress(address), port: port as number };
}

/** Whether two endpoints in normal form are the same. */
export function sameEndpoint(one: Endpoint, other: Endpoint): boolean {
  return one.port === other.port && one.address === other.address;
}
