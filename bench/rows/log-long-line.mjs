import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SecretMasker } from "../../packages/coordinator/dist/index.js";
import { LogPump } from "../../packages/coordinator/dist/logs/log-pump.js";
import { interleave } from "../lib/interleave.mjs";
import { takeFile } from "../lib/log-streams.mjs";
import { temporaryFolder } from "../lib/temporary-folder.mjs";

const MEBIBYTE = 2 ** 20;

/**
 * One record in one line, from another process over a socket, until the sink has it: its time must
 * grow with its length, not faster. (What is held in a cache at 1 MB and not at 16 counts as well.)
 */
export const row = {
  name: "log-long-line",
  what: "a 16 MB line",
  against: "a 1 MB line",
  must: 20,
  aim: 16,
  better: "lower",
  unit: "ms",
  measure() {
    const folder = temporaryFolder();
    const makeLine = (bytes) => {
      const text = "all is well ".repeat(bytes / 12 + 1).slice(0, bytes);
      const path = join(folder, String(bytes));
      writeFileSync(path, `{"level":"info","event":"${text}"}\n`);
      return path;
    };
    const [long, short] = [makeLine(16 * MEBIBYTE), makeLine(MEBIBYTE)];
    return interleave({
      rounds: 21,
      warmUps: 5,
      ours: () => takeFile(long, takeRecord),
      limit: () => takeFile(short, takeRecord),
    });
  },
};

async function takeRecord(socket) {
  let records = 0;
  const masker = new SecretMasker();
  masker.add("s3cr3t-passphrase");
  const pump = new LogPump({
    sink: { write: () => void records++ },
    masker,
    maxLineBytes: 2 ** 26,
    now: () => new Date(),
  });
  await pump.attach("logs", socket);
  await pump.flush();
  if (records !== 1) throw new Error(`${records} records came out of one line`);
}
