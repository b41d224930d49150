import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../../../../packages/", import.meta.url));

/** Makes a project of one file that finds the SDK, and gives the file. */
export function makeProject(folder: string, main: string): string {
  mkdirSync(join(folder, "node_modules/@parlance"), { recursive: true });
  symlinkSync(join(PACKAGES, "sdk-node"), join(folder, "node_modules/@parlance/sdk-node"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "main.ts"), main);
  return join(folder, "main.ts");
}

/** The real `parlance dev`, ended with the test. */
export class DevCommand implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts it, and gives it when it has printed its address. */
  static async start(entry: string, ...flags: readonly string[]): Promise<DevCommand> {
    const words = [join(PACKAGES, "cli/bin/parlance.js"), "dev", entry, "--json", ...flags];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    const url = await new Promise<string>((resolve, reject) => {
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        if (text.includes("\n")) resolve((JSON.parse(text) as { url: string }).url);
      });
      child.on("close", (code) => reject(new Error(`parlance dev ended with ${code}`)));
    });
    return new DevCommand(child, url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.on("close", resolve));
    this.#child.kill("SIGTERM");
    await ended;
  }
}
