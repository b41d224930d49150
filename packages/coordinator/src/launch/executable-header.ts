// What the first bytes of a program say about where it can run.
//
//   "#!"        text, with the interpreter's path up to the line end
//   7F "ELF"    Linux: byte 4 class (1 = 32, 2 = 64 bit), byte 5 order (1 = little), u16 at 18 machine
//   "MZ"        Windows
//   CF FA ED FE / CE FA ED FE / CA FE BA BE   macOS

/** What a file is. */
export type ExecutableKind =
  | { readonly kind: "script"; readonly interpreter: string; readonly hasCarriageReturn: boolean }
  | { readonly kind: "elf"; readonly architecture: string; readonly loader: string | undefined }
  | { readonly kind: "windows" | "macos" | "unknown" };

/** ELF e_machine to the name that Node gives (`process.arch`). */
const MACHINES: { readonly [machine: number]: string } = {
  3: "ia32",
  21: "ppc64",
  22: "s390x",
  40: "arm",
  62: "x64",
  183: "arm64",
  243: "riscv64",
  258: "loong64",
};

const PT_INTERP = 3;

/** Reads the kind from the first bytes of a file (4 KiB are plenty). */
export function readExecutableKind(head: Buffer): ExecutableKind {
  if (head.subarray(0, 2).toString("latin1") === "#!") return readScript(head);
  if (head.length >= 20 && head.readUInt32BE(0) === 0x7f454c46) return readElf(head);
  if (head.subarray(0, 2).toString("latin1") === "MZ") return { kind: "windows" };
  const magic = head.length >= 4 ? head.readUInt32BE(0) : 0;
  if ([0xcffaedfe, 0xcefaedfe, 0xcafebabe].includes(magic)) return { kind: "macos" };
  return { kind: "unknown" };
}

function readScript(head: Buffer): ExecutableKind {
  const line = head.subarray(2).toString("utf8").split("\n", 1)[0] ?? "";
  const interpreter = line.trim().split(/[ \t]/, 1)[0] ?? "";
  return { kind: "script", interpreter, hasCarriageReturn: line.endsWith("\r") };
}

function readElf(head: Buffer): ExecutableKind {
  const isLittle = head[5] === 1;
  const u16 = (at: number): number => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at));
  const architecture = MACHINES[u16(18)] ?? `ELF machine ${u16(18)}`;
  let loader: string | undefined;
  try {
    if (head[4] === 2 && isLittle) loader = readLoader64(head);
  } catch {
    // headers beyond what we read
  }
  return { kind: "elf", architecture, loader };
}

/** The dynamic loader that the kernel has to find, from the program headers (64-bit, little). */
function readLoader64(head: Buffer): string | undefined {
  const table = Number(head.readBigUInt64LE(32));
  const size = head.readUInt16LE(54);
  const count = head.readUInt16LE(56);
  for (let index = 0; index < count; index += 1) {
    const at = table + index * size;
    if (head.readUInt32LE(at) !== PT_INTERP) continue;
    const offset = Number(head.readBigUInt64LE(at + 8));
    const length = Number(head.readBigUInt64LE(at + 32));
    return head
      .subarray(offset, offset + length)
      .toString("latin1")
      .split("\0", 1)[0];
  }
  return undefined;
}
