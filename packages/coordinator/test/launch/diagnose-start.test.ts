import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildChildEnvironment,
  type StartError,
  type StartTaskProcessOptions,
  startTaskProcess,
} from "@parlance/coordinator";
import { rejects, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
// Internal: the other systems' formats can't be provoked by a start on this one.
import { readExecutableKind } from "../../dist/launch/executable-header.js";

const folder = temporaryFolder("parlance-diagnose");

function file(name: string, content: string | Buffer, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

async function failure(
  argv: readonly string[],
  options: Partial<StartTaskProcessOptions> = {},
): Promise<StartError> {
  const env = { ...buildChildEnvironment(), PATH: "/usr/bin:/bin" };
  return (await rejects(startTaskProcess({ argv, env, ...options }))) as StartError;
}

/** The head of a 64-bit little-endian ELF file that wants `loader`. */
function elf(machine: number, loader: string): Buffer {
  const head = Buffer.alloc(512);
  head.write("\x7fELF\x02\x01\x01", "latin1");
  head.writeUInt16LE(2, 16);
  head.writeUInt16LE(machine, 18);
  head.writeUInt32LE(1, 20);
  head.writeBigUInt64LE(64n, 32); // program headers
  head.writeUInt16LE(64, 52);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(1, 56);
  head.writeUInt32LE(3, 64); // PT_INTERP
  head.writeBigUInt64LE(200n, 64 + 8);
  head.writeBigUInt64LE(BigInt(loader.length + 1), 64 + 32);
  head.write(`${loader}\0`, 200, "latin1");
  return head;
}

const HERE = process.arch === "arm64" ? 183 : 62;
const ELSEWHERE = process.arch === "arm64" ? 62 : 183;
const LOADER =
  process.arch === "arm64" ? "/lib/ld-linux-aarch64.so.1" : "/lib64/ld-linux-x86-64.so.2";

const TABLE: readonly (readonly [string, () => readonly string[], string | undefined, RegExp])[] = [
  ["a missing file", () => [`${folder}/none`], "ENOENT", /none does not exist$/],
  ["a name not in PATH", () => ["no-such-name"], "ENOENT", /no executable file "no-such-name"/],
  ["no program at all", () => [], undefined, /starting ""/],
  [
    "a missing interpreter",
    () => [file("interpreter", "#! /no/such/sh -e\n")],
    "ENOENT",
    /asks for the interpreter \/no\/such\/sh, which does not exist/,
  ],
  [
    "a missing loader",
    () => [file("musl", elf(HERE, "/lib/ld-musl-none.so.1"))],
    "ENOENT",
    /needs the loader \/lib\/ld-musl-none\.so\.1.*another C library/,
  ],
  ["a folder", () => [folder], "EACCES", /is a folder$/],
  ["no execute bit", () => [file("plain", "#!/bin/sh\n", 0o644)], "EACCES", /chmod \+x/],
  ["a name that is a path through a file", () => ["/etc/passwd/x"], "ENOTDIR", /ENOTDIR/],
  ["arguments too large", () => ["/bin/true", "x".repeat(3_000_000)], "E2BIG", /are too large/],
];

for (const [name, argv, errno, message] of TABLE) {
  test(`spawn-failed: ${name}`, async () => {
    const error = await failure(argv());
    assert.is(error.code, "spawn-failed");
    if (errno !== undefined) assert.is(error.errno, errno);
    assert.match(error.message, message);
    assert.ok(error.cause instanceof Error);
  });
}

test("spawn-failed: the working folder is missing", async () => {
  const error = await failure(["/bin/true"], { cwd: `${folder}/gone` });
  assert.is(error.errno, "ENOENT");
  assert.match(error.message, /the working folder .*gone does not exist/);
});

test("a relative program is looked for in the working folder", async () => {
  mkdirSync(join(folder, "work"));
  file("work/cr.sh", "#!/bin/sh\r\nexit 0\r\n");
  const error = await failure(["./cr.sh"], { cwd: join(folder, "work") });
  assert.match(error.message, /work\/cr\.sh has CR LF line ends/);
});

test("a program for another machine is named, although the system's shell tried to read it", async () => {
  const error = await failure([file("other", elf(ELSEWHERE, LOADER))]);
  assert.match(error.message, /other was built for (?:arm64|x64), this machine is /);
});

test("a program for another system is named", async () => {
  const error = await failure([file("tasks.exe", Buffer.from("MZ\x90\0\x03\0\0\0", "latin1"))]);
  assert.match(error.message, /built for Windows/);
  assert.equal(readExecutableKind(Buffer.from("cffaedfe07000001", "hex")), { kind: "macos" });
});

test("heads that are short, damaged or foreign are no error", () => {
  for (const hex of ["", "23", "2321", "7f454c46", "7f454c460201010000000000000000000200ffff"]) {
    readExecutableKind(Buffer.from(hex, "hex"));
  }
  const cut = elf(HERE, LOADER).subarray(0, 70);
  assert.equal(readExecutableKind(cut), {
    kind: "elf",
    architecture: HERE === 62 ? "x64" : "arm64",
    loader: undefined,
  });
  const damaged = elf(HERE, LOADER);
  damaged.writeBigUInt64LE(2n ** 63n, 32);
  assert.is(readExecutableKind(damaged).kind, "elf");
});

test.run();
