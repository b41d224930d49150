import { encodeChildren, type TaskMeta } from "@parlance/results";
import { isoDateDone } from "./text/iso-date-done.ts";

/**
 * What `get` and `wait` print of a task. A failure's result is the object that Celery stores for
 * it, children are Celery's tuples: both can be given to `put` as they are.
 */
export function metaDocument(meta: TaskMeta): Readonly<Record<string, unknown>> {
  return {
    taskId: meta.taskId,
    state: meta.state,
    result: meta.result,
    dateDone: isoDateDone(meta.dateDone, meta.dateDoneText),
    traceback: meta.traceback,
    children: meta.children === null ? null : encodeChildren(meta.children),
    name: meta.name ?? null,
    args: meta.args ?? null,
    kwargs: meta.kwargs ?? null,
    worker: meta.worker ?? null,
    retries: meta.retries ?? null,
    queue: meta.queue ?? null,
    stamps: meta.stamps ?? null,
    stampedHeaders: meta.stampedHeaders ?? null,
    ...(meta.undecodable !== undefined && {
      undecodable: meta.undecodable.map(({ column, bytes, error: { code, message } }) => ({
        column,
        bytes,
        error: { code, message },
      })),
    }),
  };
}
