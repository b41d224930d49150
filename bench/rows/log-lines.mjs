import { once } from "node:events";
import { createWriteStream, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { SecretMasker } from "../../packages/coordinator/dist/index.js";
import { LogPump } from "../../packages/coordinator/dist/logs/log-pump.js";
import { interleave } from "../lib/interleave.mjs";
import { sendFile, takeFile } from "../lib/log-streams.mjs";
import { stockPeer } from "../lib/stock-process.mjs";
import { temporaryFolder } from "../lib/temporary-folder.mjs";

const LINES = 200_000;
/** It would take half a minute for all. */
const STOCK_LINES = 10_000;
const SECRETS = ["s3cr3t-passphrase", "another-password", "api-key-0123456789"];
const BATCH_CHARACTERS = 65_536;
/** What may wait for the disk before the task has to. */
const WAITING_BYTES = 2 ** 20;

/**
 * From another process over a socket into a file, as the coordinator does it: lines are split and
 * read as records, those below info dropped, secrets masked, the rest written as JSON again. Stock
 * Airflow's supervisor drops none.
 */
export const row = {
  name: "log-lines",
  what: "split, parse, filter, mask, write; lines a second",
  against: "a raw pipe to a file",
  must: 0.25,
  aim: 0.5,
  better: "higher",
  unit: "1/s",
  peer: "airflow-3.3.2",
  async measure({ peers }) {
    const folder = temporaryFolder();
    const source = join(folder, "lines");
    const target = join(folder, "target");
    const stockSource = join(folder, "stock-lines");
    for (const [path, length] of [
      [source, LINES],
      [stockSource, STOCK_LINES],
    ]) {
      writeFileSync(path, Array.from({ length }, (_, at) => line(at)).join(""));
    }
    const perSecond = (ms) => (LINES * 1000) / ms;
    const stock = stockPeer(peers[row.peer], "stock-supervisor.py");
    const figures = await interleave({
      rounds: 11,
      warmUps: 3,
      ours: async () => perSecond(await takeFile(source, (socket) => supervise(socket, target))),
      limit: async () => {
        const copy = (socket) => pipeline(socket, createWriteStream(target));
        const ms = await takeFile(source, copy);
        if (statSync(target).size !== statSync(source).size) throw new Error("bytes were lost");
        return perSecond(ms);
      },
      peer:
        stock && (async () => (STOCK_LINES * 1000) / (await superviseByStock(stock, stockSource))),
    });
    stock?.end();
    return figures;
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
  for (const secret of SECRETS) masker.add(secret);
  const pump = new LogPump({ sink, masker, maxLineBytes: 2 ** 26, now: () => new Date() });
  await pump.attach("logs", socket);
  await pump.flush();
  file.end(sink.rest());
  await once(file, "finish");
  if (sink.written !== LINES - LINES / 4) throw new Error(`${sink.written} records were written`);
}

async function superviseByStock(peer, source) {
  const { stock, hello } = await peer.start();
  stock.tell({ secrets: SECRETS });
  const comm = connect(hello.comm, "127.0.0.1").resume();
  await once(comm, "connect");
  await sendFile(hello.logs, source);
  comm.end();
  const { ms } = await stock.read();
  return ms;
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
