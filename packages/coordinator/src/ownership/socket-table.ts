// One row of /proc/net/tcp and tcp6 (Linux Documentation/networking/proc_net_tcp.txt):
//
//   sl: local_address:port remote_address:port st tx:rx tr:when retrnsmt uid timeout inode …
//
// Addresses are hexadecimal, each 32-bit word in the byte order of the machine; ports are
// hexadecimal in reading order; a connection that no process holds any more (TIME_WAIT), or that
// none has accepted yet, has inode 0.
import { closeSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";
import { type ConnectionEnds, type Endpoint, normalizeAddress, sameEndpoint } from "./endpoint.ts";
import { isShortOfDescriptors, TimeSlice } from "./proc-reader.ts";

/** A connection in a socket table, in normal form. */
interface SocketRow {
  readonly local: Endpoint;
  readonly remote: Endpoint;
  /** 0: no process holds it. */
  readonly inode: number;
}

/** Parses one row; undefined for the heading or a damaged line. */
function parseSocketRow(line: string): SocketRow | undefined {
  const fields = line.trim().split(/ +/, 10);
  const local = parseHexEndpoint(fields[1]);
  const remote = parseHexEndpoint(fields[2]);
  const inode = Number(fields[9]);
  if (local === undefined || remote === undefined || !Number.isInteger(inode)) return undefined;
  return { local, remote, inode };
}

/**
 * Finds the sockets of connecting sides: for each connection the inode of the socket whose local
 * end is `peer` and whose remote end is `local` (at most one, the kernel keeps the four values
 * unique over both tables), undefined when there is none (any more). Stops reading when all are
 * found. The state is not asked for: a runtime that half-closes at once (FIN_WAIT) still holds its
 * socket, and only what is held has an inode.
 */
export async function findPeerInodes(
  tables: readonly string[],
  connections: readonly ConnectionEnds[],
  slice: TimeSlice = new TimeSlice(),
): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = connections.map(() => undefined);
  // Only rows that show a wanted peer port as the local one are worth parsing.
  const needles = connections.map(({ peer }) =>
    Buffer.from(`:${peer.port.toString(16).toUpperCase().padStart(4, "0")} `),
  );
  const consider = (chunk: Buffer): void => {
    for (const [index, ends] of connections.entries()) {
      if (found[index] !== undefined) continue;
      const needle = needles[index] as Buffer;
      for (let at = chunk.indexOf(needle); at >= 0; at = chunk.indexOf(needle, at + 1)) {
        const start = chunk.lastIndexOf(10, at) + 1;
        const end = chunk.indexOf(10, at);
        const row = parseSocketRow(chunk.toString("latin1", start, end < 0 ? chunk.length : end));
        if (row === undefined || row.inode === 0) continue;
        if (!sameEndpoint(row.local, ends.peer) || !sameEndpoint(row.remote, ends.local)) continue;
        found[index] = row.inode;
      }
    }
  };
  for (const table of tables) {
    for (const chunk of tableChunks(table)) {
      consider(chunk);
      if (!found.includes(undefined)) return found;
      if (slice.isSpent) await slice.giveWay();
    }
  }
  return found;
}

/** Whole rows in pieces: the kernel gives about a page a read, however large the buffer is. */
function* tableChunks(path: string): Generator<Buffer> {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    if (isShortOfDescriptors(error)) throw error;
    return; // no IPv6, or not ours to see
  }
  try {
    const buffer = Buffer.allocUnsafe(32 * 1024);
    let kept = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, kept, buffer.length - kept, null);
      if (read === 0) break;
      const filled = kept + read;
      if (filled < buffer.length - 4096) {
        kept = filled;
        continue;
      }
      const whole = buffer.lastIndexOf(10, filled - 1) + 1;
      yield buffer.subarray(0, whole);
      buffer.copyWithin(0, whole, filled);
      kept = filled - whole;
    }
    if (kept > 0) yield buffer.subarray(0, kept);
  } finally {
    closeSync(descriptor);
  }
}

function parseHexEndpoint(text: string | undefined): Endpoint | undefined {
  const match = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(text ?? "");
  if (match === null) return undefined;
  const bytes = Buffer.from(match[1] as string, "hex");
  if (endianness() === "LE") bytes.swap32();
  const address =
    bytes.length === 4
      ? bytes.join(".")
      : Array.from({ length: 8 }, (_, word) => bytes.readUInt16BE(word * 2).toString(16)).join(":");
  return { address: normalizeAddress(address), port: Number.parseInt(match[2] as string, 16) };
}
