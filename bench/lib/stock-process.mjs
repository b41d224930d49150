import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./temporary-folder.mjs";

const PROGRAMS = fileURLToPath(new URL("../programs/", import.meta.url));

/**
 * Starts a Python program out of `bench/programs` that has stock Airflow in it and answers each
 * line of JSON with one. It ends with this process.
 *
 * @returns `tell` sends a question, `read` gives the next answer (some programs begin with one),
 *   `ask` does both
 */
export function startStock(python, program) {
  const child = spawn(python, [`${PROGRAMS}${program}`], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, AIRFLOW_HOME: temporaryFolder() },
  });
  let failure = "it ended early";
  child.on("error", ({ message }) => {
    failure = message;
  });
  child.stdin.on("error", () => {}); // reading tells
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const tell = (question) => void child.stdin.write(`${JSON.stringify(question)}\n`);
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program}: ${failure}`);
    return JSON.parse(value);
  };
  return {
    pid: child.pid,
    tell,
    read,
    ask(question) {
      tell(question);
      return read();
    },
    end: () => child.stdin.end(),
  };
}

/**
 * The same as a row's peer: started when it is first needed, which takes seconds.
 *
 * @param {string | undefined} python undefined: there is none
 * @returns {{ start: () => Promise<{ stock: object, hello: object }>, ask: (question: object) => Promise<object>,
 *   end: () => void } | undefined}
 */
export function stockPeer(python, program) {
  if (python === undefined) return undefined;
  let started;
  const start = () => {
    started ??= begin();
    return started;
  };
  const begin = async () => {
    const stock = startStock(python, program);
    return { stock, hello: await stock.read() };
  };
  return {
    start,
    ask: async (question) => (await start()).stock.ask(question),
    end: () => void started?.then(({ stock }) => stock.end()).catch(() => {}),
  };
}
