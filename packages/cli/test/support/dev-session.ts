import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DevEvent, RunState } from "@parlance/dev";
import { PACKAGE } from "./cli.ts";

/** A project of one file that finds the SDK. */
export function makeProject(folder: string, main: string): string {
  mkdirSync(join(folder, "node_modules/@parlance"), { recursive: true });
  symlinkSync(join(PACKAGE, "../sdk-node"), join(folder, "node_modules/@parlance/sdk-node"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "main.ts"), main);
  return join(folder, "main.ts");
}

/** `parlance dev` in a process of its own, and a browser that is signed in. */
export class DevSession {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly events: DevEvent[] = [];
  readonly #cookie: string;
  readonly #mark: string;
  readonly #stderr: () => string;
  readonly #exit: Promise<number | null>;
  readonly #wake = new Set<() => void>();
  readonly #stream = new AbortController();

  static readonly #started = new Set<ChildProcess>();

  private constructor(parts: {
    readonly child: ChildProcess;
    readonly origin: string;
    readonly cookie: string;
    readonly mark: string;
    readonly stderr: () => string;
    readonly exit: Promise<number | null>;
  }) {
    this.child = parts.child;
    this.origin = parts.origin;
    this.#cookie = parts.cookie;
    this.#mark = parts.mark;
    this.#stderr = parts.stderr;
    this.#exit = parts.exit;
  }

  /** Ends those that a failed test has left. */
  static endAll(): void {
    for (const child of DevSession.#started) child.kill("SIGKILL");
  }

  /** Starts it and waits for the project to be loaded, or to fail to. */
  static async start(entry: string, ...flags: string[]): Promise<DevSession> {
    const mark = randomUUID();
    const words = [`${PACKAGE}bin/parlance.js`, "dev", entry, "--json", ...flags];
    const child = spawn(process.execPath, words, {
      env: { ...process.env, AIRFLOW_VAR_MARK: mark },
      stdio: ["ignore", "pipe", "pipe"],
    });
    DevSession.#started.add(child);
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    const exit = new Promise<number | null>((resolve) => child.on("exit", resolve));
    const line = await new Promise<string>((resolve, reject) => {
      let stdout = "";
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk;
        if (stdout.includes("\n")) resolve(stdout);
      });
      exit.then((code) => reject(new Error(`parlance dev ended with ${code}: ${stderr}`)), reject);
    });
    const { url } = JSON.parse(line) as { url: string };
    const signedIn = await fetch(url, { redirect: "manual" });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const { origin } = new URL(url);
    const session = new DevSession({ child, origin, cookie, mark, exit, stderr: () => stderr });
    await session.#listen();
    for (;;) {
      const seen = session.events.length;
      const { status } = (await session.get("/api/dev/project")) as { status: string };
      if (status !== "loading") return session;
      await session.news(seen);
    }
  }

  async text(path: string): Promise<string> {
    const answer = await fetch(this.origin + path, { headers: { cookie: this.#cookie } });
    return await answer.text();
  }

  async get(path: string): Promise<unknown> {
    return JSON.parse(await this.text(path)) as unknown;
  }

  async post(path: string, body: unknown = {}): Promise<unknown> {
    const headers = {
      cookie: this.#cookie,
      origin: this.origin,
      "content-type": "application/json",
    };
    const answer = await fetch(this.origin + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status !== 202) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as unknown;
  }

  /** Starts a run and gives the path of its part of the API. */
  async run(dagId: string, body: unknown = {}): Promise<string> {
    const path = `/api/dev/dags/${dagId}/runs`;
    const { runId } = (await this.post(path, body)) as { runId: string };
    return `${path}/${encodeURIComponent(runId)}`;
  }

  /** Waits for what an event tells of; looks again after each. */
  async until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    for (;;) {
      const seen = this.events.length;
      const found = await look();
      if (found !== undefined) return found;
      await this.news(seen);
    }
  }

  /** Waits for a run to be in this state. */
  async untilState(runPath: string, wanted: RunState): Promise<void> {
    await this.until(async () => {
      const { state } = (await this.get(runPath)) as { state: RunState };
      if (state === wanted) return true;
      if (state === "running" || state === "queued") return undefined;
      throw new Error(`the run is ${state}, not ${wanted}: ${await this.text(runPath)}`);
    });
  }

  /** Resolves once there are more events than that. */
  async news(seen: number): Promise<void> {
    while (this.events.length <= seen) {
      await new Promise<void>((resolve) => this.#wake.add(resolve));
    }
  }

  stderr(): string {
    return this.#stderr();
  }

  /** Ends it by a signal; gives its exit code. */
  async end(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    this.#stream.abort();
    this.child.kill(signal);
    return await this.#exit;
  }

  /** Processes that it has started, its own included, that still run. */
  left(): number[] {
    return readdirSync("/proc").flatMap((pid) => {
      if (!/^\d+$/.test(pid)) return [];
      try {
        const isDead = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
        const isOurs = readFileSync(`/proc/${pid}/environ`, "latin1").includes(this.#mark);
        return isOurs && !isDead ? [Number(pid)] : [];
      } catch {
        return []; // ended meanwhile, or of another user
      }
    });
  }

  async #listen(): Promise<void> {
    const answer = await fetch(`${this.origin}/api/dev/events`, {
      headers: { cookie: this.#cookie },
      signal: this.#stream.signal,
    });
    void this.#read(answer.body as unknown as AsyncIterable<Uint8Array>).catch(() => {});
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data: ")) this.events.push(JSON.parse(line.slice(6)) as DevEvent);
      }
      for (const wake of this.#wake) wake();
      this.#wake.clear();
    }
  }
}
