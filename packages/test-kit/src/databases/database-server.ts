import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { GuardedProgram } from "../processes/guarded-program.ts";

/** A row by its columns: numbers, text, Buffers; date-times as the database writes them. */
export type Row = Readonly<Record<string, unknown>>;

/** What differs between the kinds of server; what is here is for this folder only. */
export interface Engine {
  readonly kind: "postgresql" | "mariadb";
  /** Scheme of SQLAlchemy, and the drivers of `celery-5.7.0` with the usual one first. */
  readonly scheme: "postgresql" | "mysql";
  readonly celeryDrivers: readonly string[];
  readonly user: string;
  readonly adminDatabase: string;
  /** Ends it orderly, the way `systemctl restart` does. */
  readonly orderlyStop: NodeJS.Signals;
  start(): Promise<void>;
  /** One statement on a connection of its own. */
  query(database: string, sql: string, parameters: readonly unknown[]): Promise<readonly Row[]>;
}

const READY_LIMIT_MS = 30_000;
const READY_POLL_MS = 20;
const STOP_LIMIT_MS = 30_000;

/**
 * A database server of the test's own, on a loopback port, with a random password.
 *
 * What a commit answered survives a kill of the server, not a fall of the machine (nothing is
 * synced, which makes it quick). It ends with this process at the latest, however that ends, and
 * leaves no file.
 */
export class DatabaseServer {
  readonly host = "127.0.0.1";
  readonly port: number;
  readonly password: string;
  readonly #engine: Engine;
  readonly #program: GuardedProgram;

  /** Use `startPostgresql` or `startMariadb`. */
  constructor(engine: Engine, program: GuardedProgram, port: number, password: string) {
    this.#engine = engine;
    this.#program = program;
    this.port = port;
    this.password = password;
  }

  get kind(): "postgresql" | "mariadb" {
    return this.#engine.kind;
  }

  /** The administrator that all URLs name. */
  get user(): string {
    return this.#engine.user;
  }

  /** Where the server's files are, until `stop`. */
  get folder(): string {
    return this.#program.folder;
  }

  get isRunning(): boolean {
    return this.#program.isRunning;
  }

  /** `db+postgresql://…` or `db+mysql://…`; with a driver `db+mysql+pymysql://…`. */
  url(database: string, driver?: string): string {
    const { scheme } = this.#engine;
    const dialect = driver === undefined ? scheme : `${scheme}+${driver}`;
    return `db+${dialect}://${this.user}:${this.password}@${this.host}:${this.port}/${database}`;
  }

  /** The same for the real Celery, whose driver must be named: psycopg2 (or psycopg), pymysql. */
  celeryUrl(database: string, driver?: string): string {
    return this.url(database, driver ?? this.#engine.celeryDrivers[0]);
  }

  /** An empty database; without a name, of a new one. Gives the name. */
  async createDatabase(name = `t_${randomBytes(6).toString("hex")}`): Promise<string> {
    await this.query(this.#engine.adminDatabase, `CREATE DATABASE ${name}`);
    return name;
  }

  /** One statement, as administrator, on a connection of its own: 5 to 10 ms. */
  async query(
    database: string,
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return await this.#engine.query(database, sql, parameters);
  }

  /** Starts a server that was killed (or made, not started) and waits until it answers. */
  async start(): Promise<void> {
    await this.#engine.start();
    const deadline = Date.now() + READY_LIMIT_MS;
    for (;;) {
      try {
        await this.query(this.#engine.adminDatabase, "SELECT 1");
        return;
      } catch (error) {
        if (!this.isRunning || Date.now() > deadline) throw this.#startError(error);
      }
      await sleep(READY_POLL_MS);
    }
  }

  /** As a crash: SIGKILL to all its processes at once. It stays down until `start`. */
  async kill9(): Promise<void> {
    await this.#program.kill();
  }

  /**
   * Down and up again on the same port. `immediate`: by SIGKILL, else as an operator would, which
   * ends open connections and rolls back what they had begun.
   */
  async restart({ immediate = false }: { readonly immediate?: boolean } = {}): Promise<void> {
    if (immediate) await this.kill9();
    else {
      this.#program.signal(this.#engine.orderlyStop);
      await this.#program.ended(STOP_LIMIT_MS);
    }
    await this.start();
  }

  /** Ends the server and removes its files. May be called twice. */
  async stop(): Promise<void> {
    await this.#program.close();
  }

  #startError(cause: unknown): Error {
    const state = this.isRunning ? `did not answer within ${READY_LIMIT_MS} ms` : "ended";
    const message = `${this.kind} on port ${this.port} ${state}:\n${this.#program.logTail()}`;
    return new Error(message, { cause });
  }
}
