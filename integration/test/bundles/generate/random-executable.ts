import { createHash } from "node:crypto";
import type { Random } from "../../airflow/support/random.ts";
import { MUTATIONS, randomBytes } from "./mutate.ts";
import { randomYaml } from "./random-yaml.ts";

/** A generated file, and how it was made. */
export interface GeneratedFile {
  readonly kind: string;
  readonly bytes: Buffer;
  /** Dags that it was meant to have. */
  readonly dagIds: readonly string[];
}

/** The regions of an AFBNDL01 file, and what its footer says where that is not the truth. */
export interface ExecutableParts {
  readonly executable: Buffer;
  readonly source: Buffer;
  readonly metadata: Buffer;
  readonly sourceLength?: number;
  readonly metadataLength?: number;
  readonly version?: number;
  readonly reserved?: Buffer;
  readonly sha256?: Buffer;
  readonly magic?: string;
}

/** Writes the format by itself, so that a fault of our packer would show. */
export function assemble(parts: ExecutableParts): Buffer {
  const { executable, source, metadata } = parts;
  const footer = Buffer.alloc(64);
  footer.writeUInt32LE((parts.sourceLength ?? source.length) >>> 0, 0);
  footer.writeUInt32LE((parts.metadataLength ?? metadata.length) >>> 0, 4);
  footer.writeUInt32LE(parts.version ?? 1, 8);
  (parts.sha256 ?? createHash("sha256").update(executable).digest()).copy(footer, 12);
  parts.reserved?.copy(footer, 44);
  footer.write(parts.magic ?? "AFBNDL01", 56, "latin1");
  return Buffer.concat([executable, source, metadata, footer]);
}

/** A bundle: as it should be, with a footer that is not, or damaged afterwards. */
export function randomExecutable(random: Random): GeneratedFile {
  const { text, dagIds } = randomYaml(random);
  const metadata = random.chance(0.05)
    ? Buffer.concat([Buffer.from(text), randomBytes(random, 2)]) // mostly no UTF-8
    : Buffer.from(text);
  const parts = {
    executable: randomBytes(random, random.pick([1, 8, 64, 200, 1000]) + random.below(20)),
    source: randomBytes(random, random.pick([0, 0, 5, 100])),
    metadata,
  };
  const kind = random.next();
  if (kind < 0.55) return { kind: "whole", dagIds, bytes: assemble(parts) };
  if (kind < 0.67)
    return { kind: "footer", dagIds, bytes: assemble({ ...parts, ...oddFooter(random, parts) }) };
  const name = random.pick(Object.keys(MUTATIONS));
  return {
    kind: name,
    dagIds,
    bytes: MUTATIONS[name]?.(random, assemble(parts)) ?? Buffer.alloc(0),
  };
}

function oddFooter(random: Random, { executable, source, metadata }: ExecutableParts) {
  const size = executable.length + source.length + metadata.length;
  const length = (right: number): number =>
    random.pick([
      0,
      1,
      right - 1,
      right + 1,
      size - 1,
      size,
      size + 1,
      0xffff_ffff,
      random.below(size),
    ]);
  return random.pick<Partial<ExecutableParts>>([
    { sourceLength: length(source.length) },
    { metadataLength: length(metadata.length) },
    { sourceLength: metadata.length, metadataLength: source.length },
    { sourceLength: size - metadata.length },
    { metadataLength: size - source.length - 1 },
    { version: random.pick([0, 2, 256, 0x0100_0000]) },
    { reserved: Buffer.alloc(12).fill(random.below(2), random.below(12)) },
    { sha256: randomBytes(random, 32) },
    { magic: random.pick(["AFBNDL02", "afbndl01", "AFBNDL0\0", "AFBNDL1 "]) },
    { metadataLength: metadata.length - 1, sourceLength: source.length + 1 },
  ]);
}
