import type { LogRecord, LogSink } from "./log-record.ts";

/**
 * One sink that gives each record to all of these, e.g. a file and a terminal. It takes the next one
 * when the slowest of them does. One that fails leaves the others as they are: the first error of a
 * record is told when all have had it.
 */
export function combineSinks(...sinks: readonly LogSink[]): LogSink {
  return {
    write: (record: LogRecord) => all(sinks, (sink) => sink.write(record)),
    flush: () => all(sinks, (sink) => sink.flush?.()),
  };
}

function all(
  sinks: readonly LogSink[],
  call: (sink: LogSink) => void | Promise<void>,
): void | Promise<void> {
  const pending: Promise<void>[] = [];
  const errors: unknown[] = [];
  for (const sink of sinks) {
    try {
      const promise = call(sink);
      if (promise !== undefined) pending.push(promise);
    } catch (error) {
      errors.push(error);
    }
  }
  if (pending.length === 0) {
    if (errors.length > 0) throw errors[0];
    return undefined; // a promise would cost a turn for each record
  }
  return Promise.allSettled(pending).then((outcomes) => {
    for (const outcome of outcomes) if (outcome.status === "rejected") errors.push(outcome.reason);
    if (errors.length > 0) throw errors[0];
  });
}
