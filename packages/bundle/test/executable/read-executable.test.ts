import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkExecutable, describeBuilds, type Executable, readExecutable } from "@parlance/bundle";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { recognise } from "../../dist/executable/read-executable.js";
import { elf, fatMachO, machO, pe } from "../support/program-headers.ts";

function read(given: Buffer | string): Executable {
  const bytes = Buffer.from(given);
  return recognise((offset, length) => bytes.subarray(offset, offset + length), bytes.length);
}

function builds(bytes: Buffer): string {
  return read(bytes)
    .builds.map(({ platform, arch, bits, loader }) => `${platform} ${arch} ${bits} ${loader}`)
    .join(", ");
}

const codes = (bytes: Buffer | string, target = {}): readonly string[] =>
  checkExecutable(read(bytes), target).map(({ code, weight }) => `${weight} ${code}`);

test("ELF tells platform, architecture, bitness and loader", () => {
  const glibc = "/lib64/ld-linux-x86-64.so.2";
  assert.is(builds(elf({ loader: glibc })), `linux x64 64 ${glibc}`);
  assert.is(builds(elf({ machine: 183 })), "linux arm64 64 null");
  assert.is(
    builds(elf({ bits: 32, machine: 3, loader: "/lib/ld-linux.so.2" })),
    "linux ia32 32 /lib/ld-linux.so.2",
  );
  assert.is(
    builds(elf({ bits: 32, machine: 8, isBig: true, loader: "/lib/ld.so.1" })),
    "linux mips 32 /lib/ld.so.1",
  );
  assert.is(
    builds(elf({ machine: 21, isBig: true, loader: "/lib64/ld64.so.1" })),
    "linux ppc64 64 /lib64/ld64.so.1",
  );
  assert.is(builds(elf({ machine: 21 })), "linux ppc64le 64 null");
  assert.is(builds(elf({ osAbi: 9 })), "freebsd x64 64 null");
  assert.is(
    builds(elf({ type: 3, loader: "/system/bin/linker64" })),
    "android x64 64 /system/bin/linker64",
  );
  assert.is(builds(elf({ machine: 0x1234 })), "linux unknown (0x1234) 64 null");
});

test("what can't be started is told from programs", () => {
  const kind = (bytes: Buffer) => read(bytes).builds[0]?.kind;
  assert.is(kind(elf({ type: 1 })), "object");
  assert.is(kind(elf({ type: 4 })), "core");
  assert.is(kind(elf({ type: 3, entry: 0 })), "library");
  assert.is(kind(elf({ type: 3 })), "program", "static, and at any address");
  assert.is(kind(machO({ fileType: 6 })), "library");
  assert.is(kind(pe({ isLibrary: true })), "library");
  assert.equal(codes(elf({ type: 1 })), ["refuse not-a-program"]);
});

test("Mach-O tells its builds and its signature; a Java class is none", () => {
  assert.is(builds(machO()), "darwin arm64 64 /usr/lib/dyld");
  const fat = fatMachO(machO({ cpu: 0x01000007 }), machO({ signature: "ad-hoc" }));
  assert.is(describeBuilds(read(fat).builds), "darwin x64 and darwin arm64");
  assert.equal(codes(fat), ["note ad-hoc-signature"]);
  assert.equal(codes(fat, { platform: "macos", arch: "aarch64" }), ["note ad-hoc-signature"]);
  assert.equal(codes(fat, { arch: "riscv64" }), [
    "refuse wrong-architecture",
    "note ad-hoc-signature",
  ]);
  assert.equal(codes(machO({ signature: "certificate" })), ["refuse signed-executable"]);
  assert.is(read(Buffer.from("cafebabe0000003700430a00", "hex")).format, "unknown");
});

test("PE tells its architecture and its Authenticode signature", () => {
  assert.is(builds(pe()), "win32 x64 64 null");
  assert.is(builds(pe({ machine: 0x14c })), "win32 ia32 32 null");
  assert.equal(codes(pe({ isSigned: true })), ["refuse signed-executable"]);
  assert.equal(codes(pe(), { platform: "linux" }), ["refuse wrong-platform"]);
});

test("compressed files are refused, and say of what they are", () => {
  const upx = elf();
  upx.write("UPX!", 230, "latin1");
  assert.is(read(upx).compression, "UPX");
  const tail = Buffer.concat([pe(), Buffer.alloc(8_192), Buffer.from("UPX!"), Buffer.alloc(32)]);
  assert.is(read(tail).compression, "UPX");
  assert.is(read("\x1f\x8b").format, "unknown", "as UTF-8 these are other bytes");
  for (const [hex, name] of [
    ["1f8b0800", "gzip"],
    ["504b0304", "zip"],
    ["28b52ffd", "zstd"],
  ] as const) {
    const bytes = Buffer.concat([Buffer.from(hex, "hex"), Buffer.alloc(100)]);
    assert.equal([read(bytes).format, read(bytes).compression], ["compressed", name]);
    assert.equal(codes(bytes), ["refuse compressed-executable"]);
  }
  assert.is(read("#!/bin/sh\necho UPX!\n").compression, null);
});

test("scripts tell their interpreter", () => {
  const line = (text: string) => read(text).interpreterLine;
  assert.equal(line("#!/usr/bin/env -S node --no-warnings \nx"), {
    text: "/usr/bin/env -S node --no-warnings",
    program: "/usr/bin/env",
    argument: "-S node --no-warnings",
    hasCr: false,
    bytes: 37,
  });
  assert.equal(line("#! /bin/sh"), {
    text: "/bin/sh",
    program: "/bin/sh",
    argument: null,
    hasCr: false,
    bytes: 10,
  });
  assert.equal([line("#!/bin/sh\r\n")?.hasCr, line("#!/bin/sh\r\n")?.text], [true, "/bin/sh"]);
  assert.equal(codes("#!/bin/sh\r\n"), ["refuse bad-interpreter-line"]);
  assert.equal(codes("#!\n"), ["refuse bad-interpreter-line"]);
  assert.equal(codes("#!/bin/sh\n", { platform: "linux", arch: "s390x" }), []);
});

test("a text without an interpreter line is refused, unless it may be run; data is told of", () => {
  assert.equal(codes("echo ü\n"), ["refuse no-interpreter-line"]);
  assert.equal(codes("echo ü\n", { hasExecuteBit: true }), ["note no-interpreter-line"]);
  assert.equal(codes(Buffer.from([1, 2, 3])), ["note unknown-executable"]);
});

test("of a bundle the executable region alone counts", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, elf({ loader: "/lib/ld.so" }));
  assert.is(readExecutable(file).builds[0]?.loader, "/lib/ld.so");
  assert.is(readExecutable(file, 200).builds[0]?.loader, "");
});

test("headers that are cut off anywhere, or garbled, are no fault of ours", () => {
  for (const whole of [
    elf({ loader: "/lib/ld.so" }),
    machO({ signature: "ad-hoc" }),
    fatMachO(machO()),
    pe({ isSigned: true }),
  ]) {
    for (let length = 0; length < 700; length += 7) read(whole.subarray(0, length));
    for (let at = 4; at < 320; at += 3) {
      const garbled = Buffer.from(whole);
      garbled.fill(0xff, at, at + 8);
      read(garbled);
    }
  }
});

test.run();
