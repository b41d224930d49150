import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What `scripts/peers.mjs` installs. */
export type PeerName =
  | "airflow-3.3.2"
  | "airflow-3.4.0b2"
  | "celery-5.7.0"
  | "postgresql"
  | "mariadb"
  /** A `go` that builds examples/runtimes/go without the network. */
  | "go"
  /** A `mvn` that builds examples/runtimes/java without the network. */
  | "maven"
  | "busybox"
  /** A `chromium` that takes Chromium's own arguments. */
  | "chromium"
  | "node-22"
  | "node-24";

/** The peer's executable (Python of the environment, Node, the server), or why there is none. */
export type Peer = { readonly path: string } | { readonly missing: string };

const SCRIPT = fileURLToPath(new URL("../../../../scripts/peers.mjs", import.meta.url));

/**
 * Looks for a peer in the ignored folder `.peers/` of the checkout. Installs nothing, reads no
 * network; takes about 50 ms.
 */
export function findPeer(name: PeerName): Peer {
  const { stdout, stderr, error } = spawnSync(process.execPath, [SCRIPT, "--check", name], {
    encoding: "utf8",
  });
  try {
    const peer = (JSON.parse(stdout) as Partial<Record<PeerName, Peer>>)[name];
    if (peer !== undefined) return peer;
  } catch {
    // said below, with what the script wrote
  }
  return { missing: `scripts/peers.mjs gave no answer: ${error?.message ?? stderr.trim()}` };
}
