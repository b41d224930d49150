import { writeFileSync } from "node:fs";

/** Writes a jar (a zip file) that holds a manifest alone, or none; stored, without a checksum. */
export function makeJar(path: string, manifest?: string): void {
  const name = Buffer.from(manifest === undefined ? "nothing.txt" : "META-INF/MANIFEST.MF");
  const data = Buffer.from(manifest ?? "nothing");
  // flags, method, time, date, checksum, both sizes, lengths of name and extra field
  const common = Buffer.alloc(24);
  common.writeUInt32LE(data.length, 12);
  common.writeUInt32LE(data.length, 16);
  common.writeUInt16LE(name.length, 20);
  const version = Buffer.from([20, 0]);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), version, common, name, data]);
  const central = Buffer.concat([
    Buffer.from("PK\x01\x02"),
    version,
    version,
    common,
    Buffer.alloc(14),
    name,
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  writeFileSync(path, Buffer.concat([local, central, end]));
}
