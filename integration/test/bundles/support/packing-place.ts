import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packBundle } from "@parlance/bundle";
import { temporaryFolder } from "@parlance/test-kit";
import * as assert from "uvu/assert";

const FOREVER = fileURLToPath(new URL("pack-forever.js", import.meta.url));

/** A folder with a bundle that is made again and again of one of two executables. */
export class PackingPlace {
  readonly folder: string = temporaryFolder("parlance-packing");
  readonly executables: readonly [string, string];
  readonly out: string;
  readonly #whole = new Set<string>();

  private constructor() {
    const tools = temporaryFolder("parlance-executables");
    this.executables = [join(tools, "one"), join(tools, "other")];
    this.out = join(this.folder, "bundle");
  }

  /** @param bytes - of each executable */
  static async make(bytes: number): Promise<PackingPlace> {
    const place = new PackingPlace();
    for (const [at, executable] of place.executables.entries()) {
      writeFileSync(executable, Buffer.alloc(bytes + at, at + 1), { mode: 0o755 });
      await packBundle({ executable, metadata: { dags: {} }, out: place.out });
      place.#whole.add(digest(place.out));
    }
    return place;
  }

  /** Packs both in turns, `times` times or until it is killed; resolves when the first is in place. */
  async startPacking(times?: number): Promise<ChildProcess> {
    const args = [
      FOREVER,
      ...this.executables,
      this.out,
      ...(times === undefined ? [] : [`${times}`]),
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.stdout.resume();
    return child;
  }

  /** Old or new, never half. */
  assertWhole(): void {
    assert.ok(this.#whole.has(digest(this.out)), "neither the old bundle nor the new one");
  }

  assertNothingElse(): void {
    assert.equal(readdirSync(this.folder), ["bundle"]);
  }
}

function digest(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
