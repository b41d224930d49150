import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import Database from "libsql";
import { type CliOptions, type CliRun, parlance } from "./cli.ts";

/** JSON of any shape, for tests to look into. */
export type Json = { readonly [key: string]: unknown } & Iterable<Json>;

/** A result store of a test's own in a SQLite file, through the command line and past it. */
export class TestStore {
  readonly file: string;
  readonly url: string;

  constructor(name = "results.db") {
    this.file = join(temporaryFolder(), name);
    this.url = `db+sqlite:///${this.file}`;
  }

  /** Runs `parlance results …` on it. */
  run(words: readonly string[], options: CliOptions = {}): Promise<CliRun> {
    const env = { PARLANCE_RESULTS_URL: this.url, ...options.env };
    return parlance(["results", ...words], { ...options, env });
  }

  /** The parsed JSON of a command that has to end well. */
  async json(...words: readonly string[]): Promise<Json> {
    const run = await this.run([...words, "--json"]);
    if (run.code !== 0) throw new Error(`exit code ${run.code}: ${run.stderr}`);
    return JSON.parse(run.stdout) as Json;
  }

  /** Text columns as text, binary ones as UTF-8. */
  row(taskId: string): Record<string, unknown> {
    const database = new Database(this.file);
    try {
      const select = database.prepare("SELECT * FROM celery_taskmeta WHERE task_id = ?");
      const row = select.get([taskId]) as Json;
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, readable(value)]),
      );
    } finally {
      database.close();
    }
  }

  /** Runs statements on the file. */
  execute(sql: string): void {
    const database = new Database(this.file);
    database.exec(sql);
    database.close();
  }
}

function readable(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    return Buffer.from(value as Uint8Array).toString();
  }
  return value;
}
