import type { ProgramBuild, ReadBytes } from "./executable.ts";

const MACHINES: { readonly [machine: number]: string } = {
  2: "sparc",
  3: "ia32",
  20: "ppc",
  22: "s390x",
  40: "arm",
  43: "sparc64",
  62: "x64",
  183: "arm64",
  243: "riscv64",
  258: "loong64",
};
const MIPS = 8;
const PPC64 = 21;

const PLATFORMS: { readonly [osAbi: number]: string } = {
  2: "netbsd",
  6: "sunos",
  9: "freebsd",
  12: "openbsd",
};

/** Loaders of systems whose programs carry no mark of their own. */
const LOADER_PLATFORMS: readonly (readonly [RegExp, string])[] = [
  [/^\/system\/bin\/linker/, "android"],
  [/^\/libexec\/ld-elf/, "freebsd"],
  [/^\/usr\/libexec\/ld\.so$/, "openbsd"],
  [/^\/(usr\/)?libexec\/ld\.elf_so/, "netbsd"],
];

const SEGMENT_INTERPRETER = 3;
const MAX_SEGMENTS = 512;
const MAX_LOADER_BYTES = 4096;

/** Reads the header of an ELF file; undefined for one whose header makes no sense. */
export function readElf(read: ReadBytes): ProgramBuild | undefined {
  const head = read(0, 64);
  if (head.length < 52 || head.readUInt32BE(0) !== 0x7f454c46) return undefined;
  const bits = head[4] === 1 ? 32 : head[4] === 2 ? 64 : undefined;
  const isLittle = head[5] === 1;
  if (bits === undefined || (!isLittle && head[5] !== 2)) return undefined;
  if (bits === 64 && head.length < 64) return undefined;
  const numbers = numbersOf(isLittle);
  const loader = loaderOf(read, head, bits, numbers);
  const type = numbers.u16(head, 16);
  const entry = bits === 64 ? numbers.u64(head, 24) : numbers.u32(head, 24);
  const kind = kindOf(type, entry, loader);
  if (kind === undefined) return undefined;
  return {
    platform: platformOf(head[7] as number, loader),
    arch: archOf(numbers.u16(head, 18), bits, isLittle),
    bits,
    loader,
    kind,
    signature: null,
  };
}

function kindOf(
  type: number,
  entry: number,
  loader: string | null,
): ProgramBuild["kind"] | undefined {
  if (type === 1) return "object";
  if (type === 4) return "core";
  if (type === 2) return "program";
  if (type !== 3) return undefined;
  // a position-independent program has a loader, or is static and has a place to start at
  return loader === null && entry === 0 ? "library" : "program";
}

function archOf(machine: number, bits: 32 | 64, isLittle: boolean): string {
  if (machine === MIPS) return `mips${bits === 64 ? "64" : ""}${isLittle ? "el" : ""}`;
  if (machine === PPC64) return isLittle ? "ppc64le" : "ppc64";
  if (machine === 243 && bits === 32) return "riscv32";
  return MACHINES[machine] ?? `unknown (0x${machine.toString(16)})`;
}

function platformOf(osAbi: number, loader: string | null): string {
  const byAbi = PLATFORMS[osAbi];
  if (byAbi !== undefined) return byAbi;
  const [, byLoader] = LOADER_PLATFORMS.find(([pattern]) => pattern.test(loader ?? "")) ?? [];
  return byLoader ?? (osAbi === 0 || osAbi === 3 ? "linux" : "unknown");
}

function loaderOf(
  read: ReadBytes,
  head: Buffer,
  bits: 32 | 64,
  { u16, u32, u64 }: Numbers,
): string | null {
  const is64 = bits === 64;
  const tableAt = is64 ? u64(head, 32) : u32(head, 28);
  const size = u16(head, is64 ? 54 : 42);
  const count = Math.min(u16(head, is64 ? 56 : 44), MAX_SEGMENTS);
  if (size < (is64 ? 56 : 32)) return null;
  const table = read(tableAt, size * count);
  for (let at = 0; at + size <= table.length; at += size) {
    if (u32(table, at) !== SEGMENT_INTERPRETER) continue;
    const offset = is64 ? u64(table, at + 8) : u32(table, at + 4);
    const length = is64 ? u64(table, at + 32) : u32(table, at + 16);
    const name = read(offset, Math.min(length, MAX_LOADER_BYTES)).toString("latin1");
    return name.replace(/\0.*$/s, "");
  }
  return null;
}

interface Numbers {
  u16(bytes: Buffer, at: number): number;
  u32(bytes: Buffer, at: number): number;
  u64(bytes: Buffer, at: number): number;
}

function numbersOf(isLittle: boolean): Numbers {
  return isLittle
    ? {
        u16: (bytes, at) => bytes.readUInt16LE(at),
        u32: (bytes, at) => bytes.readUInt32LE(at),
        u64: (bytes, at) => Number(bytes.readBigUInt64LE(at)),
      }
    : {
        u16: (bytes, at) => bytes.readUInt16BE(at),
        u32: (bytes, at) => bytes.readUInt32BE(at),
        u64: (bytes, at) => Number(bytes.readBigUInt64BE(at)),
      };
}
