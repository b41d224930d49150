import type { ProgramBuild, ProgramSignature, ReadBytes } from "./executable.ts";

const CPU_TYPES: { readonly [type: number]: string } = {
  7: "ia32",
  12: "arm",
  18: "ppc",
  16777223: "x64",
  16777228: "arm64",
  16777234: "ppc64",
};

const FAT_MAGIC = 0xcafebabe;
const FAT_MAGIC_64 = 0xcafebabf;
/** Java classes begin with the same four bytes; where a fat file counts, they have their version (45 up). */
const MAX_FAT_BUILDS = 30;
const MAX_COMMANDS_BYTES = 1 << 20;

const LOAD_DYLINKER = 0xe;
const CODE_SIGNATURE = 0x1d;
const SUPER_BLOB = 0xfade0cc0;
const CMS_BLOB = 0xfade0b01;

/** Reads the headers of a Mach-O file, thin or fat; undefined when it is none. */
export function readMachO(read: ReadBytes): readonly ProgramBuild[] | undefined {
  const head = read(0, 8);
  if (head.length < 8) return undefined;
  const magic = head.readUInt32BE(0);
  if (magic !== FAT_MAGIC && magic !== FAT_MAGIC_64) {
    const build = readThin(read);
    return build === undefined ? undefined : [build];
  }
  const count = head.readUInt32BE(4);
  if (count === 0 || count > MAX_FAT_BUILDS) return undefined;
  const size = magic === FAT_MAGIC ? 20 : 32;
  const table = read(8, count * size);
  const builds: ProgramBuild[] = [];
  for (let at = 0; at + size <= table.length; at += size) {
    const offset =
      magic === FAT_MAGIC ? table.readUInt32BE(at + 8) : Number(table.readBigUInt64BE(at + 8));
    const build = readThin((place, length) => read(offset + place, length));
    if (build === undefined) return undefined;
    builds.push(build);
  }
  return builds.length === count ? builds : undefined;
}

function readThin(read: ReadBytes): ProgramBuild | undefined {
  const head = read(0, 32);
  if (head.length < 28) return undefined;
  const magic = head.readUInt32LE(0);
  const isSwapped = magic === 0xcefaedfe || magic === 0xcffaedfe;
  const plain = isSwapped ? head.readUInt32BE(0) : magic;
  if (plain !== 0xfeedface && plain !== 0xfeedfacf) return undefined;
  const u32 = (bytes: Buffer, at: number): number =>
    isSwapped ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  const bits = plain === 0xfeedfacf ? 64 : 32;
  const cpu = u32(head, 4);
  const kind = kindOf(u32(head, 12));
  if (kind === undefined) return undefined;
  const commands = read(bits === 64 ? 32 : 28, Math.min(u32(head, 20), MAX_COMMANDS_BYTES));
  let loader: string | null = null;
  let signature: ProgramSignature | null = null;
  for (let at = 0; at + 8 <= commands.length; ) {
    const size = u32(commands, at + 4);
    if (size < 8) break;
    const command = commands.subarray(at, at + size);
    const type = u32(command, 0);
    if (type === LOAD_DYLINKER && command.length >= 12) {
      loader = command.toString("latin1", u32(command, 8)).replace(/\0.*$/s, "");
    } else if (type === CODE_SIGNATURE && command.length >= 16) {
      signature = readSignature(read(u32(command, 8), Math.min(u32(command, 12), 1 << 20)));
    }
    at += size;
  }
  const arch = CPU_TYPES[cpu] ?? `unknown (0x${cpu.toString(16)})`;
  return { platform: "darwin", arch, bits, loader, kind, signature };
}

function kindOf(type: number): ProgramBuild["kind"] | undefined {
  if (type === 2) return "program";
  if (type === 1) return "object";
  if (type === 4) return "core";
  return type >= 3 && type <= 12 ? "library" : undefined;
}

/** A signature with a certificate holds a CMS blob that is more than its own head. */
function readSignature(blob: Buffer): ProgramSignature {
  const signature = { scheme: "Mach-O code signature", adHoc: true } as const;
  if (blob.length < 12 || blob.readUInt32BE(0) !== SUPER_BLOB) return signature;
  const count = Math.min(blob.readUInt32BE(8), 64);
  for (let entry = 12; entry < 12 + count * 8 && entry + 8 <= blob.length; entry += 8) {
    const at = blob.readUInt32BE(entry + 4);
    if (at + 8 > blob.length || blob.readUInt32BE(at) !== CMS_BLOB) continue;
    if (blob.readUInt32BE(at + 4) > 8) return { ...signature, adHoc: false };
  }
  return signature;
}
