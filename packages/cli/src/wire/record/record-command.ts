import { connect, type Socket } from "node:net";
import { constants } from "node:os";
import {
  type SpawnedOutput,
  StartError,
  type StartedTask,
  startTaskProcess,
} from "@parlance/coordinator";
import { CliError, ExitCode } from "../../errors.ts";
import type { CommandIo } from "../../io.ts";
import { escapeControls } from "../../terminal-text.ts";
import { type ChannelAddress, readCoordinatorCommand } from "./channel-addresses.ts";
import { dieBySignal, passSignals } from "./pass-signals.ts";
import { END_DELAY_MS, PassThrough } from "./pass-through.ts";
import { Transcript } from "./transcript.ts";

/** How long what the runtime left may hold its connections open and say nothing, in milliseconds. */
const LEFT_OPEN_MS = 2_000;

/** How often that is looked at. */
const LOOK_MS = 100;

/** How long a signal to ourselves may take, in milliseconds. */
const SIGNAL_MS = 1_000;

/** The options of `parlance wire record`. */
export interface RecordOptions {
  readonly out: string;
  readonly maxFrameBytes: number;
  readonly keepVariables?: boolean;
}

/**
 * `parlance wire record`: started by a coordinator in place of a runtime, starts the runtime and
 * passes everything on, both ways and unchanged; a transcript is kept of it. Ends as the runtime
 * does, with its exit code or by its signal.
 */
export async function recordCommand(
  words: readonly string[],
  options: RecordOptions,
  io: CommandIo,
): Promise<void> {
  const { argv, comm, logs } = readCoordinatorCommand(words);
  const transcript = new Transcript({
    path: options.out,
    cwd: io.cwd,
    argv,
    maxFrameBytes: options.maxFrameBytes,
    keepPlainVariables: options.keepVariables === true,
    onError: ({ message }) => {
      io.stderr.write(`parlance: warning: the transcript: ${escapeControls(message)}\n`);
    },
  });
  const exitCode = await new Recording(transcript, io).run(argv, { comm, logs });
  await transcript.end(exitCode);
  if (exitCode >= 0) return io.setExitCode(exitCode);
  const signal = Object.entries(constants.signals).find(([, number]) => number === -exitCode)?.[0];
  if (signal !== undefined) {
    dieBySignal(signal as NodeJS.Signals);
    await new Promise((resolve) => setTimeout(resolve, SIGNAL_MS));
  }
  io.setExitCode(128 - exitCode);
}

/** One runtime between a coordinator and its transcript. */
class Recording {
  readonly #transcript: Transcript;
  readonly #io: CommandIo;
  #pid: number | undefined;
  /** Signals that came before the runtime was there. */
  #early: NodeJS.Signals[] | undefined = [];
  #outputs: PassThrough[] = [];

  constructor(transcript: Transcript, io: CommandIo) {
    this.#transcript = transcript;
    this.#io = io;
  }

  /** Gives the runtime's exit code, negative for a signal. */
  async run(
    argv: readonly string[],
    addresses: { readonly comm: ChannelAddress; readonly logs: ChannelAddress },
  ): Promise<number> {
    const stopPassing = passSignals((name) => this.#passOn(name));
    let task: StartedTask | undefined;
    const upstream: Socket[] = [];
    try {
      task = await this.#start(argv);
      const [comm, logs] = await Promise.all([dial(addresses.comm), dial(addresses.logs)]);
      upstream.push(comm, logs);
      const streams = this.#connect(task, comm, logs);
      const { exitCode } = await task.exited;
      this.#pid = undefined;
      await finished([...streams, ...this.#outputs]);
      await Promise.all([flushed(comm), flushed(logs)]);
      return exitCode;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      await finished(this.#outputs);
      if (error.exitCode !== undefined) return error.exitCode; // it has said itself what was wrong
      throw new CliError(error.code, `wire record: ${error.message}`, ExitCode.failed);
    } finally {
      await task?.close();
      stopPassing();
      // They are open until the process ends: a supervisor notices its end sooner that way.
      for (const socket of upstream) socket.unref();
    }
  }

  #start(argv: readonly string[]): Promise<StartedTask> {
    const env = Object.entries(this.#io.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return startTaskProcess({
      argv,
      env: Object.fromEntries(env),
      cwd: this.#io.cwd,
      startupTimeoutMs: Number.POSITIVE_INFINITY, // the coordinator has one
      onSpawn: (output) => this.#onSpawn(output),
      onForeignConnection: ({ channel, peer }) =>
        this.#transcript.refused(channel, `${peer.address}:${peer.port}`),
    });
  }

  #onSpawn({ pid, stdout, stderr }: SpawnedOutput): void {
    this.#pid = pid;
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const name of early) this.#passOn(name);
    for (const [source, from, to] of [
      ["stdout", stdout, this.#io.stdout],
      ["stderr", stderr, this.#io.stderr],
    ] as const) {
      this.#outputs.push(
        new PassThrough(from, to as NodeJS.WriteStream, {
          onData: (chunk) => this.#transcript.lines(source, chunk),
          onEnd: () => this.#transcript.endLines(source),
          room: this.#room,
        }),
      );
    }
  }

  /** Gives the streams that end with the task. */
  #connect(task: StartedTask, comm: Socket, logs: Socket): PassThrough[] {
    const transcript = this.#transcript;
    const nothing = (): void => {};
    new PassThrough(comm, task.comm, {
      onData: (chunk) => transcript.comm("to-task", chunk),
      onEnd: () => transcript.endComm("to-task"),
      room: this.#room,
      endAfterMs: 0,
    });
    new PassThrough(logs, task.logs, {
      onData: nothing,
      onEnd: nothing,
      room: nothing as () => undefined,
      endAfterMs: 0,
    });
    return [
      new PassThrough(task.comm, comm, {
        onData: (chunk) => transcript.comm("to-supervisor", chunk),
        onEnd: () => transcript.endComm("to-supervisor"),
        room: this.#room,
        endAfterMs: END_DELAY_MS,
      }),
      new PassThrough(task.logs, logs, {
        onData: (chunk) => transcript.lines("log", chunk),
        onEnd: () => transcript.endLines("log"),
        room: this.#room,
        endAfterMs: END_DELAY_MS,
      }),
    ];
  }

  readonly #room = (): Promise<void> | undefined =>
    this.#transcript.isFull ? this.#transcript.room() : undefined;

  /** To the launched process alone, as the one that came. */
  #passOn(name: NodeJS.Signals): void {
    this.#early?.push(name);
    if (this.#pid === undefined) return;
    this.#transcript.signal(name);
    try {
      process.kill(this.#pid, name);
    } catch {
      // it has just ended
    }
  }
}

/** @throws CliError 69 `cannot-connect` */
async function dial({ host, port }: ChannelAddress): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", (cause) => {
      const message = `wire record: the coordinator at ${host}:${port} can't be reached: ${cause.message}`;
      reject(new CliError("cannot-connect", message, ExitCode.unavailable, {}, { cause }));
    });
  });
  socket.on("error", () => {}); // who passes bytes on learns of it by "close"
  return socket;
}

function flushed(socket: Socket): Promise<void> {
  if (socket.destroyed || socket.writableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once("close", resolve);
    socket.write("", () => resolve());
  });
}

/**
 * Waits for the ends of these streams. One that something holds open and says nothing on is given
 * up; one whose reader is slow is not.
 */
async function finished(streams: readonly PassThrough[]): Promise<void> {
  let isDone = false;
  const done = Promise.all(streams.map((stream) => stream.done)).then(() => {
    isDone = true;
  });
  while (!isDone && !streams.every((stream) => stream.isIdle(LEFT_OPEN_MS))) {
    let timer: NodeJS.Timeout | undefined;
    const look = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LOOK_MS);
    });
    await Promise.race([done, look]);
    clearTimeout(timer);
  }
}
