import { TaskStoppedError } from "../errors.ts";

/** Something outside the handler that ends the task. */
export interface Fault {
  readonly kind: "uncaught-exception" | "unhandled-rejection" | "exit-called" | "never-served";
  readonly error: unknown;
}

/**
 * Hears what would end the process behind the runtime's back: uncaught errors, unhandled
 * rejections, `process.exit` in user code and the end of the event loop. Until the task's end was
 * confirmed, the exit code is never 0: a silent exit 0 looks like success to a supervisor.
 */
export class ProcessMonitor {
  readonly #process: NodeJS.Process;
  readonly #exit: (code?: number) => never;
  readonly #onExit: () => void;
  #listener: ((fault: Fault) => void) | undefined;
  readonly #early: Fault[] = [];
  #confirmed = false;

  /** @param onExit - last words; must be synchronous */
  constructor(target: NodeJS.Process, onExit: () => void) {
    this.#process = target;
    this.#exit = target.exit.bind(target);
    this.#onExit = onExit;
  }

  /** Starts to listen; changes `process.exit` and `process.exitCode`. */
  install(): void {
    const target = this.#process;
    target.exitCode = 1;
    target.on("uncaughtException", (error) => this.tell({ kind: "uncaught-exception", error }));
    target.on("unhandledRejection", (reason) =>
      this.tell({ kind: "unhandled-rejection", error: reason }),
    );
    target.exit = (code) => {
      const message = `the program called process.exit(${code ?? ""}); a handler ends by returning or throwing`;
      const error = new TaskStoppedError("exit-called", message);
      this.tell({ kind: "exit-called", error });
      throw error; // so that the code behind the call does not run
    };
    target.on("exit", () => {
      if (!this.#confirmed && (target.exitCode ?? 0) === 0) target.exitCode = 1;
      this.#onExit();
    });
  }

  /** Gets each fault, those of before included. */
  onFault(listener: (fault: Fault) => void): void {
    this.#listener = listener;
    for (const fault of this.#early.splice(0)) listener(fault);
  }

  /** Calls back on each SIGTERM and SIGINT, which no longer end the process by themselves. */
  onSignal(listener: (name: string) => void): void {
    for (const name of ["SIGTERM", "SIGINT"] as const) {
      this.#process.on(name, () => listener(name));
    }
  }

  /** Ends the process. Every socket stays open until then. */
  exit(code: number): never {
    this.#confirmed = code === 0;
    return this.#exit(code);
  }

  /** Passes a fault on, or keeps it for the first listener. */
  tell(fault: Fault): void {
    if (this.#listener === undefined) this.#early.push(fault);
    else this.#listener(fault);
  }
}
