import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { SupervisorChannel, Timestamp, type WireMap } from "@parlance/framing";

export interface LogRecord {
  readonly level: string;
  readonly logger: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** What the fake answers: a body, an error for the error slot, or nothing at all. */
export type Answer = { body?: unknown; error?: unknown } | "silence";

/** Handles on a running child. */
export interface Live {
  readonly child: ChildProcess;
  readonly comm: Socket;
  readonly logs: Socket;
  readonly channel: SupervisorChannel;
}

export interface RunOptions {
  readonly fixture: string;
  readonly taskId?: string;
  /** Over the defaults of `ti_context`. */
  readonly context?: WireMap;
  /** Over the defaults of `ti`. */
  readonly taskInstance?: WireMap;
  /** The first body; null sends nothing. */
  readonly first?: WireMap | null;
  readonly answer?: (body: WireMap, live: Live) => Answer | undefined;
  /** Called once both links are there. */
  readonly onConnected?: (live: Live) => void;
  /** Called for each log line. */
  readonly onLog?: (record: LogRecord, live: Live) => void;
  readonly onStdout?: (text: string, live: Live) => void;
  readonly env?: NodeJS.ProcessEnv;
  /** Node's own arguments, before the program. */
  readonly nodeArguments?: readonly string[];
  /** Connects to the log listener in the child's place, for a child that cannot. */
  readonly standInForLogs?: boolean;
  /** Reads nothing from the log link before this many milliseconds. */
  readonly stallLogsMs?: number;
  /** Reads the log link in place of the fake, which then knows no lines and no records. */
  readonly readLogs?: (socket: Socket) => void;
}

export interface Run {
  readonly bodies: readonly WireMap[];
  readonly terminal: readonly WireMap[];
  readonly carriers: readonly unknown[];
  readonly lines: readonly string[];
  readonly logs: readonly LogRecord[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** The process was gone before its stdout ended: something else still held it. */
  readonly stdoutOutlivedIt: boolean;
}

const TERMINAL = [
  ...["SucceedTask", "RetryTask", "TaskState"],
  ...["RescheduleTask", "DeferTask", "AwaitInputTask"],
];

/** Path of a program under `test/fixtures`. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));
}

export function startupDetails(options: Partial<RunOptions> = {}): WireMap {
  const date = new Timestamp(1_781_571_723n, 123_456_000);
  return {
    type: "StartupDetails",
    ti: {
      id: "01a229d4-f37f-7d3f-86ca-4781063d5c26",
      task_id: options.taskId ?? "t",
      dag_id: "d",
      run_id: "manual__1",
      try_number: 1,
      dag_version_id: "01a229d4-c27e-79cc-bd2d-86723a7f0564",
      map_index: -1,
      hostname: "",
      context_carrier: null,
      queue: "ts",
      ...options.taskInstance,
    },
    dag_rel_path: "d.py",
    bundle_info: { name: "dags-folder", version: null, version_data: null },
    start_date: date,
    ti_context: {
      dag_run: {
        dag_id: "d",
        run_id: "manual__1",
        logical_date: null,
        data_interval_start: null,
        data_interval_end: null,
        run_after: date,
        start_date: date,
        end_date: null,
        run_type: "manual",
        state: "running",
        conf: null,
        consumed_asset_events: [],
      },
      max_tries: 1,
      should_retry: false,
      xcom_keys_to_clear: [],
      multi_team: false,
      ...options.context,
    },
    sentry_integration: "",
  };
}

/** Runs a program as a supervisor would, in a real process over real sockets, to its end. */
export async function run(options: RunOptions): Promise<Run> {
  const [comm, logs] = [await listen(), await listen()];
  const started = performance.now();
  const argv = [...(options.nodeArguments ?? []), fixturePath(options.fixture)];
  const flags = [`--comm=127.0.0.1:${portOf(comm)}`, `--logs=127.0.0.1:${portOf(logs)}`];
  const child = spawn(process.execPath, [...argv, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...options.env },
  });
  const found = { bodies: [] as WireMap[], carriers: [] as unknown[], lines: [] as string[] };
  const texts = { stdout: "", stderr: "" };
  const sockets = new Set<Socket>();
  let live: Live | undefined;
  const text = (name: "stdout" | "stderr") => (data: string) => {
    texts[name] += data;
    if (name === "stdout" && live !== undefined) options.onStdout?.(data, live);
  };
  child.stdout.setEncoding("utf8").on("data", text("stdout"));
  child.stderr.setEncoding("utf8").on("data", text("stderr"));

  if (options.standInForLogs === true)
    connect(portOf(logs), "127.0.0.1")
      .on("error", () => {})
      .end();
  const linked = Promise.all([once(comm, "connection"), once(logs, "connection")]).then(
    ([[commSocket], [logsSocket]]) => {
      sockets.add(commSocket).add(logsSocket);
      const channel: SupervisorChannel = new SupervisorChannel(commSocket, {
        onEnd: () => {},
        onFrame: ({ id, body, carrier }) => {
          found.bodies.push(body ?? {});
          found.carriers.push(carrier);
          const answer = live && options.answer?.(body ?? {}, live);
          if (answer !== "silence") channel.send({ id, ...(answer ?? { body: null }) });
        },
      });
      live = { child, comm: commSocket, logs: logsSocket, channel };
      if (options.readLogs !== undefined) options.readLogs(logsSocket.on("error", () => {}));
      else {
        readLines(logsSocket, options.stallLogsMs ?? 0, (line) => {
          found.lines.push(line);
          if (live !== undefined) options.onLog?.(JSON.parse(line), live);
        });
      }
      const first = options.first === undefined ? startupDetails(options) : options.first;
      if (first !== null) channel.send({ id: 0, body: first });
      options.onConnected?.(live);
    },
  );
  let hasExited = false;
  let stdoutOutlivedIt = false;
  child.once("exit", () => {
    hasExited = true;
  });
  child.stdout.once("end", () => {
    stdoutOutlivedIt = hasExited;
  });
  const [exitCode, signal] = await once(child, "close");
  const durationMs = performance.now() - started;
  await Promise.race([linked, new Promise((resolve) => setTimeout(resolve, 50))]);
  await Promise.all([...sockets].map(ended));
  for (const server of [comm, logs]) server.close();
  const terminal = found.bodies.filter((body) => TERMINAL.includes(String(body["type"])));
  const records = found.lines.map((line) => JSON.parse(line) as LogRecord);
  return {
    ...found,
    logs: records,
    terminal,
    ...texts,
    exitCode,
    signal,
    durationMs,
    stdoutOutlivedIt,
  };
}

function readLines(socket: Socket, stallMs: number, onLine: (line: string) => void): void {
  socket.on("error", () => {}); // tests reset this link on purpose
  let rest = "";
  const start = (): void => {
    socket.setEncoding("utf8").on("data", (data: string) => {
      const parts = (rest + data).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) onLine(part);
    });
    socket.on("end", () => {
      if (rest !== "") onLine(rest);
    });
  };
  if (stallMs > 0) setTimeout(start, stallMs);
  else start();
}

async function ended(socket: Socket): Promise<void> {
  if (!socket.destroyed && !socket.readableEnded) await once(socket, "close");
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port;
}
