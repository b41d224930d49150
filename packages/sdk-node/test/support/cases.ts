import { readdirSync, readFileSync } from "node:fs";

/** The copied cases whose file name starts so, in order. */
export function readCases<Case>(prefix: string): Case[] {
  const folder = new URL("../../test/cases/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Case);
}
