import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type ConnectionEnds, type Endpoint, normalizeAddress, sameEndpoint } from "./endpoint.ts";
import type { OwnershipChecker, RootProcess } from "./ownership-checker.ts";
import { type ProcessTable, PsListProcessTable } from "./process-table.ts";
import { descendantsOf, groupByParent } from "./process-tree.ts";

/** How long `lsof` may take, in milliseconds: it hangs on some dead network file systems. */
const LSOF_TIMEOUT_MS = 2_000;

/** A socket as lsof lists it. */
export interface LsofSocket {
  readonly pid: number;
  readonly local: Endpoint;
  readonly remote: Endpoint;
}

/**
 * Ownership where there is no /proc (macOS and other Unix): the holder of a connection by the
 * `lsof` command, the tree by the process list. Tens to hundreds of milliseconds a check. The start
 * time of the root is not compared (its unit is /proc's): the number is ours until the exit event.
 */
export class LsofOwnershipChecker implements OwnershipChecker {
  readonly #lsof: string;
  readonly #processes: ProcessTable;

  constructor(options: { readonly lsofPath: string; readonly processes?: ProcessTable }) {
    this.#lsof = options.lsofPath;
    this.#processes = options.processes ?? new PsListProcessTable();
  }

  /** Undefined when there is no `lsof`, or no process list, on this machine. */
  static async find(
    path: string = process.env["PATH"] ?? "",
  ): Promise<LsofOwnershipChecker | undefined> {
    if (process.platform === "win32") return undefined;
    for (const folder of [...path.split(delimiter), "/usr/sbin", "/usr/bin"]) {
      if (folder === "") continue;
      const lsofPath = join(folder, "lsof");
      try {
        await access(lsofPath, constants.X_OK);
        await new PsListProcessTable().list();
        return new LsofOwnershipChecker({ lsofPath });
      } catch {
        // not here, or `ps` can't be run
      }
    }
    return undefined;
  }

  async check(root: RootProcess, connections: readonly ConnectionEnds[]): Promise<boolean[]> {
    const ports = [...new Set(connections.map(({ peer }) => peer.port))];
    const [sockets, entries] = await Promise.all([this.#list(ports), this.#entries()]);
    if (!entries.some(({ pid }) => pid === root.pid)) return connections.map(() => false);
    const tree = new Set([root.pid, ...descendantsOf(root.pid, groupByParent(entries))]);
    return connections.map(({ peer, local }) => {
      const from = { address: normalizeAddress(peer.address), port: peer.port };
      const to = { address: normalizeAddress(local.address), port: local.port };
      return sockets.some(
        (socket) =>
          tree.has(socket.pid) &&
          sameEndpoint(socket.local, from) &&
          sameEndpoint(socket.remote, to),
      );
    });
  }

  async #entries(): ReturnType<ProcessTable["list"]> {
    return await this.#processes.list().catch(() => []);
  }

  #list(ports: readonly number[]): Promise<LsofSocket[]> {
    const select = `-iTCP:${ports.join(",")}`;
    return new Promise((resolve) => {
      // It exits with 1 when one of the ports is not found, and complains about folders that it
      // may not see: what it printed counts.
      execFile(
        this.#lsof,
        ["-nP", "-w", "-a", select, "-sTCP:ESTABLISHED", "-Fpn"],
        { timeout: LSOF_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 },
        (_error, stdout) => resolve(parseLsofSockets(stdout)),
      );
    });
  }
}

/** Parses `lsof -Fpn`: a line `pPID` opens a process, `n127.0.0.1:1->127.0.0.1:2` is a connection. */
export function parseLsofSockets(output: string): LsofSocket[] {
  const sockets: LsofSocket[] = [];
  let pid = 0;
  for (const line of output.split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    if (!line.startsWith("n")) continue;
    const [from, to] = line.slice(1).split("->");
    const local = parseLsofEndpoint(from);
    const remote = parseLsofEndpoint(to);
    if (local !== undefined && remote !== undefined) sockets.push({ pid, local, remote });
  }
  return sockets;
}

function parseLsofEndpoint(text: string | undefined): Endpoint | undefined {
  const match = /^\[?([^\]]+?)\]?:(\d+)$/.exec(text ?? "");
  if (match === null) return undefined;
  return { address: normalizeAddress(match[1] as string), port: Number(match[2]) };
}
