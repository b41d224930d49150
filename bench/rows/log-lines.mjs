import { once } from "node:events";
import { createWriteStream, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { SecretMasker } from "../../packages/coordinator/dist/index.js";
import { LogPump } from "../../packages/coordinator/dist/logs/log-pump.js";
import { interleave } from "../lib/interleave.mjs";
import { takeFile } from "../lib/log-streams.mjs";
import { temporaryFolder } from "../lib/temporary-folder.mjs";

const LINES = 200_000;
const BATCH_CHARACTERS = 65_536;
/** What may wait for the disk before the task has to. */
const WAITING_BYTES = 2 ** 20;

/**
 * From another process over a socket into a file, as the coordinator does it: lines are split and
 * read as records, those below info dropped, secrets masked, the rest written as JSON again.
 */
export const row = {
  name: "log-lines",
  what: "split, parse, filter, mask, write; lines a second",
  against: "a raw pipe to a file",
  must: 0.25,
  aim: 0.5,
  better: "higher",
  unit: "1/s",
  async measure() {
    const folder = temporaryFolder();
    const source = join(folder, "lines");
    const target = join(folder, "target");
    writeFileSync(source, Array.from({ length: LINES }, (_, at) => line(at)).join(""));
    const perSecond = (ms) => (LINES * 1000) / ms;
    return interleave({
      rounds: 11,
      warmUps: 3,
      ours: async () => perSecond(await takeFile(source, (socket) => supervise(socket, target))),
      limit: async () => {
        const copy = (socket) => pipeline(socket, createWriteStream(target));
        const ms = await takeFile(source, copy);
        if (statSync(target).size !== statSync(source).size) throw new Error("bytes were lost");
        return perSecond(ms);
      },
    });
  },
};

/** About 200 bytes; every fourth one is of level debug, every tenth one holds a secret. */
function line(number) {
  const secret = number % 10 === 0 ? "s3cr3t-passphrase" : "the pool's own name";
  const record = {
    timestamp: new Date(1_781_568_000_000 + number).toISOString().replace("Z", "000Z"),
    level: number % 4 === 0 ? "debug" : "info",
    logger: "sales_pipeline.extract",
    event: `fetched page ${number} of the orders, connection opened with ${secret}`,
    rows: number,
    host: "worker",
  };
  return `${JSON.stringify(record)}\n`;
}

async function supervise(socket, target) {
  const file = createWriteStream(target, { highWaterMark: WAITING_BYTES });
  const sink = new FileSink(file);
  const masker = new SecretMasker();
  for (const secret of ["s3cr3t-passphrase", "another-password", "api-key-0123456789"]) {
    masker.add(secret);
  }
  const pump = new LogPump({ sink, masker, maxLineBytes: 2 ** 26, now: () => new Date() });
  await pump.attach("logs", socket);
  await pump.flush();
  file.end(sink.rest());
  await once(file, "finish");
  if (sink.written !== LINES - LINES / 4) throw new Error(`${sink.written} records were written`);
}

/** Writes records at info and above as lines of JSON, many at a time; waits for a full file. */
class FileSink {
  written = 0;
  #file;
  #text = "";

  constructor(file) {
    this.#file = file;
  }

  write(record) {
    if (record.level === "debug") return;
    this.#text += `${JSON.stringify(record)}\n`;
    this.written++;
    if (this.#text.length < BATCH_CHARACTERS) return;
    if (!this.#file.write(this.rest())) return once(this.#file, "drain");
  }

  rest() {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}
