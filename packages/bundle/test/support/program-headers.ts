/** Headers of programs that need not exist: enough of them to be recognised. */

/** What an ELF header says. */
export interface ElfParts {
  readonly bits?: 32 | 64;
  readonly isBig?: boolean;
  readonly machine?: number;
  readonly osAbi?: number;
  readonly type?: number;
  readonly entry?: number;
  readonly loader?: string;
}

export function elf(parts: ElfParts = {}): Buffer {
  const { bits = 64, isBig = false, machine = 62, osAbi = 0, type = 2, entry = 0x1000 } = parts;
  const is64 = bits === 64;
  const bytes = Buffer.alloc(512);
  const u16 = (at: number, value: number) =>
    isBig ? bytes.writeUInt16BE(value, at) : bytes.writeUInt16LE(value, at);
  const u32 = (at: number, value: number) =>
    isBig ? bytes.writeUInt32BE(value, at) : bytes.writeUInt32LE(value, at);
  const word = (at: number, value: number) => u32(is64 && isBig ? at + 4 : at, value);
  bytes.write("\x7fELF", "latin1");
  bytes[4] = is64 ? 2 : 1;
  bytes[5] = isBig ? 2 : 1;
  bytes[6] = 1;
  bytes[7] = osAbi;
  u16(16, type);
  u16(18, machine);
  word(24, entry);
  if (parts.loader === undefined) return bytes;
  const [table, size] = is64 ? [64, 56] : [52, 32];
  word(is64 ? 32 : 28, table);
  u16(is64 ? 54 : 42, size);
  u16(is64 ? 56 : 44, 1);
  u32(table, 3);
  word(table + (is64 ? 8 : 4), 300);
  word(table + (is64 ? 32 : 16), parts.loader.length + 1);
  bytes.write(`${parts.loader}\0`, 300, "latin1");
  return bytes;
}

/** A 64-bit Mach-O program, with the blob of a signature behind its commands. */
export function machO({
  cpu = 0x0100000c,
  fileType = 2,
  signature,
}: {
  readonly cpu?: number;
  readonly fileType?: number;
  readonly signature?: "ad-hoc" | "certificate";
} = {}): Buffer {
  const bytes = Buffer.alloc(512);
  const at = (place: number, ...values: number[]) => {
    for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, place + index * 4);
  };
  const hasSignature = signature !== undefined;
  at(0, 0xfeedfacf, cpu, 0, fileType, hasSignature ? 2 : 1, hasSignature ? 48 : 32, 0, 0);
  at(32, 0xe, 32, 12);
  bytes.write("/usr/lib/dyld\0", 44, "latin1");
  if (!hasSignature) return bytes;
  at(64, 0x1d, 16, 200, 100);
  const big = [0xfade0cc0, 100, 1, 0x10000, 20, 0xfade0b01, signature === "ad-hoc" ? 8 : 60];
  for (const [index, value] of big.entries()) bytes.writeUInt32BE(value, 200 + index * 4);
  return bytes;
}

export function fatMachO(...builds: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(1024);
  head.writeUInt32BE(0xcafebabe, 0);
  head.writeUInt32BE(builds.length, 4);
  for (const [index, build] of builds.entries()) {
    head.writeUInt32BE(1024 + index * 512, 8 + index * 20 + 8);
    head.writeUInt32BE(build.length, 8 + index * 20 + 12);
  }
  return Buffer.concat([head, ...builds]);
}

export function pe({ machine = 0x8664, isSigned = false, isLibrary = false } = {}): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write("MZ", "latin1");
  bytes.writeUInt32LE(128, 60);
  bytes.write("PE\0\0", 128, "latin1");
  bytes.writeUInt16LE(machine, 132);
  bytes.writeUInt16LE(240, 148);
  bytes.writeUInt16LE(isLibrary ? 0x2022 : 0x22, 150);
  bytes.writeUInt16LE(0x20b, 152);
  bytes.writeUInt32LE(16, 152 + 108);
  if (isSigned) {
    bytes.writeUInt32LE(0x400, 152 + 112 + 32);
    bytes.writeUInt32LE(0x80, 152 + 112 + 36);
  }
  return bytes;
}
