import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { findPeer } from "../peers/find-peer.ts";
import type { AirflowVersion } from "./run-harness.ts";

/** Which Airflow, and what is in its database. */
export interface AirflowLinkOptions {
  readonly version: AirflowVersion;
  /** That of the messages. */
  readonly schemaVersion: string;
  /** Holds Dag `d` with its task `t`. */
  readonly dagsFolder: string;
  /** Rows in the form of a seed; task `t` of run `r` has to be queued. */
  readonly dagRuns: readonly object[];
  readonly taskInstances: readonly object[];
}

/** The comm link of task `t` of run `r`; its first frame are the startup details. */
export interface AirflowLink {
  readonly link: Duplex;
  /** What Airflow said so far, for the message of a test that fails. */
  readonly complaints: () => string;
  /** Ends Airflow. */
  close(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL("../../peers/airflow/api_bridge.py", import.meta.url));

/**
 * Opens the comm link of a task to the supervisor of a real Airflow, which asks a real API server
 * over a new database; all in one process, which ends with this one. About 10 s of CPU time.
 *
 * @throws Error when the peer is missing
 */
export function openAirflowLink(options: AirflowLinkOptions): AirflowLink {
  const peer = findPeer(`airflow-${options.version}`);
  if ("missing" in peer) throw new Error(`openAirflowLink: ${peer.missing}`);
  const folder = mkdtempSync(join(tmpdir(), "parlance-link-"));
  const seed = join(folder, "seed.json");
  const { dagRuns: dag_runs, taskInstances: task_instances } = options;
  writeFileSync(seed, JSON.stringify({ dag_runs, task_instances }));
  const argv = [SCRIPT, options.dagsFolder, options.schemaVersion, seed];
  const child = spawn(peer.path, argv, { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4000);
  });
  const closed = once(child, "close");
  return {
    link: Duplex.from({ readable: child.stdout, writable: child.stdin }),
    complaints: () => said,
    close: async () => {
      child.stdin.end();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
