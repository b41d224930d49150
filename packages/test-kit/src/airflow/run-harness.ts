import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPeer } from "../peers/find-peer.ts";

/** The stock Airflow versions that the repository has frozen. */
export type AirflowVersion = "3.3.2" | "3.4.0b2";

/** One run of a Python harness. */
export interface HarnessRun {
  readonly version: AirflowVersion;
  /** A file of `packages/test-kit/peers/airflow`. */
  readonly script: "supervise.py" | "airflow_stack.py";
  /** Written as JSON to a file that only this user can read. */
  readonly plan: object;
  readonly args?: readonly string[];
  readonly deadlineMs: number;
}

const FOLDER = fileURLToPath(new URL("../../peers/airflow/", import.meta.url));
// The harness's own guard ends all it started within 25 s; this is for the guard itself.
const STOP_GRACE_MS = 30_000;
const MAX_TEXT = 4_000;

/**
 * Runs one of the Python harnesses and gives the JSON document it prints.
 *
 * The harness is tied to this process by its stdin: when this process ends, however it does, the
 * harness stops everything it started. The same happens at the deadline.
 *
 * @throws Error when the peer is missing, the deadline passed, or no document came; the message
 *   carries the end of the harness's stderr
 */
export async function runHarness(run: HarnessRun): Promise<object> {
  const peer = findPeer(`airflow-${run.version}`);
  if ("missing" in peer) throw new Error(`${run.script}: ${peer.missing}`);
  const folder = mkdtempSync(join(tmpdir(), "parlance-plan-"));
  try {
    const planFile = join(folder, "plan.json");
    writeFileSync(planFile, JSON.stringify(run.plan), { mode: 0o600 });
    const args = [join(FOLDER, run.script), "--tied-to-stdin", ...(run.args ?? []), planFile];
    const outcome = await runProcess(peer.path, args, run.deadlineMs);
    return readDocument(run, outcome);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly late: boolean;
}

function runProcess(command: string, args: string[], deadlineMs: number): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // A session of its own: a SIGKILL to the group of the test file must not reach the guard,
    // which is what cleans up then.
    const child = spawn(command, args, { detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        text[name] += chunk;
      });
    }
    child.stdin.on("error", () => {}); // the harness ended first
    let late = false;
    let killTimer: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      late = true;
      child.stdin.end();
      killTimer = setTimeout(() => killGroup(child.pid), STOP_GRACE_MS);
    }, deadlineMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      resolve({ code, signal, late, ...text });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // already gone
  }
}

function readDocument(run: HarnessRun, outcome: Outcome): object {
  const { stdout, stderr, code, signal, late } = outcome;
  const what = `${run.script} on Airflow ${run.version}`;
  const tail = `\nstderr: ${stderr.slice(-MAX_TEXT)}`;
  if (late) throw new Error(`${what} was stopped after ${run.deadlineMs} ms${tail}`);
  try {
    const document: unknown = JSON.parse(stdout);
    if (typeof document === "object" && document !== null) return document;
  } catch {
    // said below
  }
  const end = signal ?? `exit code ${code}`;
  throw new Error(`${what} ended with ${end} and no document${tail}${stdout.slice(-MAX_TEXT)}`);
}
