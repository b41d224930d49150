import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { StoreInput } from "@parlance/results";
import * as assert from "uvu/assert";
import type { TestDatabase } from "./databases.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/store-many.js", import.meta.url));
const TEXT = "0123456789".repeat(20);

/** What is stored for number `i`: something in every column that can tear. */
export function bodyOf(i: number): StoreInput {
  return {
    state: "SUCCESS",
    result: { i, text: TEXT },
    children: [`child-${i}`],
    request: { task: "proj.t", args: [i], kwargs: {}, hostname: "w", retries: 0, routingKey: "q" },
  };
}

/** A process that stores, and the numbers it said were acknowledged. */
export interface Writer {
  readonly process: ChildProcess;
  readonly acknowledged: Set<number>;
  /** Those of them that were not there already. */
  readonly written: Set<number>;
  /** Resolves when that many were acknowledged, or the process has ended. */
  until(count: number): Promise<void>;
  /** Resolves when the process ended, with its exit code. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts `fixtures/store-many.ts` for the numbers from `first` up to `end`. It stores four at a time,
 * with a pause after each.
 */
export function startWriter(
  url: string,
  first: number,
  end: number,
  { prefix = "r", pauseMs = 0 }: { readonly prefix?: string; readonly pauseMs?: number } = {},
): Writer {
  const settings = JSON.stringify({ url, prefix, first, end, pauseMs });
  const child = spawn(process.execPath, [FIXTURE], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, STORE_MANY: settings },
  });
  const acknowledged = new Set<number>();
  const written = new Set<number>();
  let check = () => {};
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [number, isWritten] = line.split(" ");
    acknowledged.add(Number(number));
    if (isWritten === "true") written.add(Number(number));
    check();
  });
  // `close`: what it wrote before it was killed has been read.
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    acknowledged,
    written,
    ended,
    async until(count) {
      const enough = new Promise<void>((resolve) => {
        check = () => {
          if (acknowledged.size >= count) resolve();
        };
        check();
      });
      await Promise.race([enough, ended]);
    },
  };
}

/**
 * All numbers that were acknowledged stand there as stored, and no row of another shape than the two
 * that are stored for a task is there. Gives the number of finished rows.
 */
export async function checkRows(
  database: TestDatabase,
  acknowledged: ReadonlySet<number>,
  prefix = "r",
): Promise<number> {
  const rows = await database.query(
    "SELECT task_id, status, result, date_done, children, name, args, kwargs, worker, retries, " +
      "queue, traceback FROM celery_taskmeta",
  );
  const finished = new Set<number>();
  for (const row of rows) {
    const { task_id: id, status, date_done: when } = row;
    if (!String(id).startsWith(prefix)) continue;
    const i = Number(String(id).slice(prefix.length));
    const bytes = ["result", "children", "args", "kwargs"].map((name) => text(row[name]));
    const others = ["name", "worker", "retries", "queue", "traceback"].map((name) => row[name]);
    if (status === "SUCCESS") {
      finished.add(i);
      assert.equal(bytes, [
        `{"i": ${i}, "text": "${TEXT}"}`,
        `[[["child-${i}", null], null]]`,
        `[${i}]`,
        "{}",
      ]);
      assert.equal(others, ["proj.t", "w", 0, "q", null]);
      assert.ok(when !== null, String(id));
    } else {
      assert.is(status, "STARTED");
      assert.match(bytes[0] ?? "", /^\{"pid": \d+\}$/);
      assert.equal([...bytes.slice(1), ...others], Array(8).fill(null));
    }
  }
  const lost = [...acknowledged].filter((i) => !finished.has(i));
  assert.equal(lost, [], "acknowledged, and not there");
  return finished.size;
}

function text(value: unknown): string | null {
  return value === null || value === undefined ? null : (value as Buffer).toString("utf8");
}
