import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { openResultStore, type ResultStore, type ResultStoreOptions } from "@parlance/results";
import { temporaryFolder } from "@parlance/test-kit";
import Libsql from "libsql";

export interface OpenStore {
  readonly store: ResultStore;
  readonly file: string;
  readonly url: string;
  /** Straight to the file, past our code. */
  query(sql: string, values?: readonly unknown[]): Record<string, unknown>[];
  run(sql: string, values?: readonly unknown[]): void;
}

const folder = temporaryFolder("parlance-results");
let files = 0;
let template: Promise<string> | undefined;

/** A file with the tables. Making them waits for the disk a dozen times, copying them not once. */
async function makeTemplate(): Promise<string> {
  const file = join(folder, "template.sqlite");
  await (await openResultStore(`db+sqlite:///${file}`)).close();
  return file;
}

/** A store on a new SQLite file. */
export async function openStore(options: ResultStoreOptions = {}): Promise<OpenStore> {
  template ??= makeTemplate();
  const file = join(folder, `results-${++files}.sqlite`);
  copyFileSync(await template, file);
  const url = `db+sqlite:///${file}`;
  const store = await openResultStore(url, options);
  const raw = new Libsql(file, { timeout: 5000 });
  return {
    store,
    file,
    url,
    query: (sql, values = []) => raw.prepare(sql).all([...values]) as Record<string, unknown>[],
    run: (sql, values = []) => void raw.prepare(sql).run([...values]),
  };
}

/** A clock that stands still; sleeping moves it. */
export class FakeClock {
  nowMs: number;
  readonly sleeps: number[] = [];

  constructor(iso: string) {
    this.nowMs = Date.parse(iso);
  }

  now(): Date {
    return new Date(this.nowMs);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) throw signal.reason;
    this.sleeps.push(ms);
    this.nowMs += ms;
  }
}
