import { formatLogRecord, type ObservedFrame } from "@parlance/coordinator";
import type {
  AttemptSummary,
  InstanceSummary,
  RunEvent,
  WaitSummary,
} from "@parlance/coordinator/dag-run";
import type { CommandIo } from "../../io.ts";
import { escapeControls } from "../../terminal-text.ts";
import { formatDuration } from "../format-duration.ts";
import { formatFrame, frameJson, traceWidth } from "../format-frame.ts";
import { Progress } from "../progress.ts";
import type { RunOptions } from "../run-options.ts";
import { type Colors, colorsFor } from "../terminal-observer.ts";

/** Prints what happens in a run of a whole Dag, for a person, on stderr. */
export class WholeDagProgress {
  readonly #io: CommandIo;
  readonly #options: Pick<RunOptions, "trace" | "json">;
  readonly #colors: Colors;
  readonly #progress: Progress;

  constructor(io: CommandIo, options: Pick<RunOptions, "trace" | "json">) {
    this.#io = io;
    this.#options = options;
    this.#colors = colorsFor(io.stderr, io.env);
    this.#progress = new Progress(io.stderr, io.signal, { mayWait: !options.json });
    const stopping =
      "stopping: the running tasks have 5 s to clear up, and the run can be taken up again. Ctrl-C again ends them at once";
    io.signal.addEventListener("abort", () => void this.#print(this.#colors.yellow(stopping)), {
      once: true,
    });
  }

  /** Told of each event. A log record waits until there is room for it. */
  tell(event: RunEvent): void {
    const { dim, yellow } = this.#colors;
    switch (event.type) {
      case "attempt-started":
        void this.#print(`${this.#name(event.attempt)} starts${tryOf(event.attempt)}`);
        break;
      case "attempt-ended":
        void this.#print(`${this.#name(event.attempt)} ${this.#verdict(event.attempt)}`);
        break;
      case "wait":
        void this.#print(`${this.#name(event.wait)} ${yellow(waitText(event.wait))}`);
        break;
      case "instance":
        this.#instance(event.instance);
        break;
      case "expanded":
        void this.#print(`${this.#bold(event.taskId)} ${dim(`has ${instances(event.count)}`)}`);
        break;
      case "notice":
        void this.#print(yellow(escapeControls(event.message)));
        break;
    }
  }

  /** One record of an attempt. Settles when there is room for the next. */
  log(
    attempt: AttemptSummary,
    record: Parameters<typeof formatLogRecord>[0],
  ): void | Promise<void> {
    const { cwd } = this.#io;
    const text = formatLogRecord(record, { cwd, colors: this.#colors });
    return this.#print(`  ${this.#colors.dim(escapeControls(nameOf(attempt)))} ${text}`);
  }

  frame(attempt: AttemptSummary, frame: ObservedFrame): void {
    const { trace, json } = this.#options;
    if (json) return void this.#print(frameJson(frame, nameOf(attempt)));
    const width = trace === "full" ? undefined : traceWidth(this.#io.stderr, 2);
    const text = formatFrame(frame, width);
    void this.#print(`  ${this.#colors.dim(`${escapeControls(nameOf(attempt))} ${text}`)}`);
  }

  /** Only what no attempt has come to. */
  #instance(instance: InstanceSummary): void {
    const { state, note, tryNumber } = instance;
    const { yellow, red } = this.#colors;
    const isDecided = state === "skipped" || state === "upstream_failed" || state === "removed";
    if (!isDecided || (state === "skipped" && tryNumber > 0 && note === null)) return;
    const why = note === null ? "" : `: ${escapeControls(note)}`;
    const color = state === "upstream_failed" ? red : yellow;
    void this.#print(`${this.#name(instance)} ${color(`${state}${why}`)}`);
  }

  #verdict({ state, durationMs, exitCode, error }: AttemptSummary): string {
    const { green, red, yellow } = this.#colors;
    const isGood = state === "success" || state === "skipped";
    const color = isGood ? green : state === "failed" ? red : yellow;
    const exit = exitCode === null || exitCode === 0 ? "" : `, exit code ${exitCode}`;
    const why = error === null ? "" : `: ${escapeControls(error.message, { keepLineEnds: true })}`;
    return `${color(String(state))} in ${formatDuration(durationMs ?? 0)}${exit}${why}`;
  }

  #name(ref: Parameters<typeof nameOf>[0]): string {
    return this.#bold(nameOf(ref));
  }

  #bold(name: string): string {
    return this.#colors.bold(escapeControls(name));
  }

  #print(line: string): void | Promise<void> {
    return this.#progress.print(line);
  }
}

/** `invoice[3]`, or the task's id alone. */
export function nameOf({
  taskId,
  mapIndex,
}: {
  readonly taskId: string;
  readonly mapIndex: number;
}): string {
  return mapIndex < 0 ? taskId : `${taskId}[${mapIndex}]`;
}

function tryOf({ tryNumber }: AttemptSummary): string {
  return tryNumber > 1 ? ` (try ${tryNumber})` : "";
}

function instances(count: number): string {
  return count === 1 ? "1 instance" : `${count} instances`;
}

/** How long, out of what, until when, and why. */
function waitText(wait: WaitSummary): string {
  const { kind, delaySeconds, scaledSeconds, baseSeconds, jitterSeconds, cappedBy, dueAt } = wait;
  const parts = baseSeconds === null ? "" : ` (${baseSeconds} + ${jitterSeconds} jitter)`;
  const capped = cappedBy === null ? "" : `, capped by ${cappedBy}`;
  const until =
    scaledSeconds === delaySeconds
      ? `until ${clock(dueAt)}`
      : scaledSeconds === 0
        ? "not waited for here"
        : `here ${seconds(scaledSeconds)}, until ${clock(dueAt)}`;
  const then = kind === "retry" ? `try ${wait.afterTry + 1} follows` : "it goes on then";
  const why = wait.reason === null ? "" : `: ${escapeControls(wait.reason)}`;
  return `waits ${seconds(delaySeconds)}${parts}${capped}, ${until}; ${then}${why}`;
}

function seconds(value: number): string {
  return value < 120 ? `${Math.round(value * 1000) / 1000} s` : formatDuration(value * 1000);
}

function clock(iso: string | null): string {
  return iso === null ? "" : iso.slice(11, 19);
}
