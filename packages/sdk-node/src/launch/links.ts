import { connect, isIP, type Socket } from "node:net";
import { isMainThread } from "node:worker_threads";
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
export const launchArguments: LaunchArguments = isMainThread
  ? parseLaunchArguments(process.argv)
  : { mode: "none", problem: "this is a worker thread" };

/**
 * Dialled while this module loads, before any other work: the coordinator's start-up time-out
 * runs, and what a process prints before it connected is lost on stock Airflow.
 */
export const links: Links | undefined =
  launchArguments.mode === "task"
    ? { comm: dial(launchArguments.comm), logs: dial(launchArguments.logs) }
    : undefined;

function dial({ host, port }: Address): Socket {
  const family = isIP(host);
  // For a plain address Node puts the connect off to the next tick, which comes only after the
  // whole program was loaded. A look-up that answers at once makes it connect within this call.
  const socket =
    family === 0
      ? connect({ host, port })
      : connect({
          host: "coordinator",
          port,
          autoSelectFamily: false,
          lookup: (_host, _options, done) => done(null, host, family),
        });
  socket.setNoDelay(true);
  socket.on("error", () => {}); // whoever uses the link looks at "close"; it must never be uncaught
  socket.unref(); // until serve(): a program that never calls it must be able to end
  return socket;
}
