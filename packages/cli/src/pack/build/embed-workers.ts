import type { ModuleUrl } from "./module-urls.ts";

/** The function at a program's end that gives a class of workers whose programs are in the bundle. */
const WORKER_FUNCTION = "__parlanceWorker";

/** A worker thread of the program. */
export interface EmbeddedWorker {
  readonly url: ModuleUrl;
  /** CommonJS. */
  readonly program: string;
}

/**
 * Puts the programs of worker threads into the program that starts them:
 * `new Worker(new URL("./a.ts", import.meta.url), options)` becomes
 * `new (__parlanceWorker(Worker))(0, options)`. Nothing behind it moves, so the source map stays right.
 */
export function embedWorkers(program: string, workers: readonly EmbeddedWorker[]): string {
  if (workers.length === 0) return program;
  let text = "";
  let at = 0;
  for (const [index, { url }] of workers.entries()) {
    const call = `new (${WORKER_FUNCTION}(${url.workerClass}))(${index}`;
    text += program.slice(at, url.start) + call.padEnd(url.end - url.start);
    at = url.end;
  }
  const programs = workers.map((worker) => JSON.stringify(worker.program)).join(",\n");
  return `${text}${program.slice(at)}${workerFunction(programs)}`;
}

function workerFunction(programs: string): string {
  return (
    `function ${WORKER_FUNCTION}(Base){return class Worker extends Base{constructor(index,options){` +
    `super([${programs}][index],{...options,eval:true})}}}\n`
  );
}
