import type { ProgramBuild, ReadBytes } from "./executable.ts";

const MACHINES: { readonly [machine: number]: readonly [string, 32 | 64] } = {
  332: ["ia32", 32],
  452: ["arm", 32],
  34404: ["x64", 64],
  43620: ["arm64", 64],
};
const IS_LIBRARY = 0x2000;
const CERTIFICATES = 4;

/** Reads the headers of a Windows program; undefined when it is none. */
export function readPe(read: ReadBytes): ProgramBuild | undefined {
  const dos = read(0, 64);
  if (dos.length < 64 || dos.toString("latin1", 0, 2) !== "MZ") return undefined;
  const at = dos.readUInt32LE(60);
  const head = read(at, 24);
  if (head.length < 24 || head.toString("latin1", 0, 4) !== "PE\0\0") return undefined;
  const machine = head.readUInt16LE(4);
  const optional = read(at + 24, head.readUInt16LE(20));
  const isPlus = optional.length >= 2 && optional.readUInt16LE(0) === 0x20b;
  const [arch, bits] = MACHINES[machine] ?? [`unknown (0x${machine.toString(16)})`, undefined];
  return {
    platform: "win32",
    arch,
    bits: bits ?? (isPlus ? 64 : 32),
    loader: null,
    kind: (head.readUInt16LE(22) & IS_LIBRARY) === 0 ? "program" : "library",
    signature: isSigned(optional, isPlus) ? { scheme: "Authenticode", adHoc: false } : null,
  };
}

function isSigned(optional: Buffer, isPlus: boolean): boolean {
  const counts = isPlus ? 108 : 92;
  const entry = counts + 4 + CERTIFICATES * 8;
  if (optional.length < entry + 8 || optional.readUInt32LE(counts) <= CERTIFICATES) return false;
  return optional.readUInt32LE(entry) !== 0 && optional.readUInt32LE(entry + 4) !== 0;
}
