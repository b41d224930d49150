import { randomBytes } from "node:crypto";
import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { findPeer } from "../peers/find-peer.ts";
import { GuardedProgram } from "../processes/guarded-program.ts";
import { programUser, reachableProgram } from "../processes/program-user.ts";
import { DatabaseServer, type Engine } from "./database-server.ts";
import { freePort } from "./free-port.ts";

/** What an engine is made from. */
export interface Surroundings {
  readonly program: GuardedProgram;
  /** The peer's executable, where the server's user can run it. */
  readonly executable: string;
  readonly port: number;
  readonly password: string;
}

const INITIALISE_LIMIT_MS = 60_000;

/** Makes a server's files and starts it; whatever fails on the way leaves nothing. */
export async function startServer(
  peerName: "postgresql" | "mariadb",
  prepare: (surroundings: Surroundings) => Promise<Engine>,
): Promise<DatabaseServer> {
  const peer = findPeer(peerName);
  if ("missing" in peer) throw new Error(`${peerName}: ${peer.missing}`);
  const program = new GuardedProgram(peerName);
  try {
    const executable = reachableProgram(peer.path, program.folder, programUser());
    const port = await freePort();
    const password = randomBytes(18).toString("hex");
    const engine = await prepare({ program, executable, port, password });
    const server = new DatabaseServer(engine, program, port, password);
    await server.start();
    return server;
  } catch (error) {
    await program.close();
    throw error;
  }
}

/** Runs the program that lays out the data folder. */
export async function initialise(
  program: GuardedProgram,
  start: Parameters<GuardedProgram["start"]>[0],
): Promise<void> {
  await program.start(start);
  const { code, signal } = await program.ended(INITIALISE_LIMIT_MS);
  if (code === 0) return;
  const how = `ended with ${signal ?? code}`;
  throw new Error(`${start.command} ${how}:\n${program.logTail()}`);
}

/** A file for the server's user alone. */
export function writeSecretFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  giveToServer(path);
}

/** An empty folder for the server's user alone. */
export function makeServerFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  giveToServer(path);
}

function giveToServer(path: string): void {
  const user = programUser();
  if ("uid" in user) chownSync(path, user.uid, user.gid);
}
