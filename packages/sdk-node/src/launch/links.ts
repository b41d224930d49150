import { Socket } from "node:net";
import { type Address, type LaunchArguments, parseLaunchArguments } from "./arguments.ts";

/** The two connections of a task's process, dialled and perhaps not open yet. */
export interface Links {
  readonly comm: Socket;
  readonly logs: Socket;
}

/**
 * Why this process was started. Worker threads are never started by a coordinator, whatever words
 * they were given.
 */
export const launchArguments: LaunchArguments = isWorkerThread()
  ? { mode: "none", problem: "this is a worker thread" }
  : parseLaunchArguments(process.argv);

/**
 * Dialled while this module loads, before any other work: the coordinator's start-up time-out
 * runs, and what a process prints before it connected is lost on stock Airflow.
 */
export const links: Links | undefined =
  launchArguments.mode === "task"
    ? { comm: dial(launchArguments.comm), logs: dial(launchArguments.logs) }
    : undefined;

/**
 * Some functions of `process` are marked where they cannot be called. (`isMainThread` says the same,
 * but to load `node:worker_threads` for it takes half a millisecond of every start.)
 */
function isWorkerThread(): boolean {
  return (process.chdir as { disabled?: boolean }).disabled === true;
}

function dial({ host, port }: Address): Socket {
  const socket = new Socket();
  socket.on("error", () => {}); // whoever uses the link looks at "close"; it must never be uncaught
  connectAtOnce(socket, host, port);
  socket.setNoDelay(true);
  socket.unref(); // until serve(): a program that never calls it must be able to end
  return socket;
}

/**
 * For a plain address, Node puts the connect itself off by `process.nextTick`, and that comes only
 * after the whole program was loaded. So the first tick asked for within this call is taken at once.
 * (A look-up that answers at once does the same, but it makes Node compile its expression for IPv6
 * addresses: 6 to 9 ms, a tenth of the start of a process.)
 */
function connectAtOnce(socket: Socket, host: string, port: number): void {
  const { nextTick } = process;
  process.nextTick = (call: (...args: never[]) => void, ...args: never[]): void => {
    process.nextTick = nextTick;
    call(...args);
  };
  try {
    socket.connect({ host, port });
  } finally {
    process.nextTick = nextTick;
  }
}
