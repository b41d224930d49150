import { type Entry, open, type ZipFile } from "yauzl";

/** The entries of a jar's manifest that Airflow reads; null where one is absent or empty. */
export interface JarManifest {
  readonly mainClass: string | null;
  readonly schemaVersion: string | null;
}

const MANIFEST = "META-INF/MANIFEST.MF";
/** A manifest is some lines; with the digests of every class it may be long. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/**
 * Reads `Main-Class` and `Airflow-Supervisor-Schema-Version` from the main section of a jar's
 * manifest. Lines that go on in the next one (a manifest is wrapped at 72 bytes) are joined, where
 * Airflow keeps the line end inside the name.
 *
 * @returns undefined for a jar without a manifest
 * @throws for what is no zip file
 */
export async function readJarManifest(path: string): Promise<JarManifest | undefined> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, file) =>
      error === null ? resolve(file) : reject(error),
    );
  });
  try {
    const entry = await findManifest(zip);
    return entry === undefined ? undefined : parseManifest(await readEntry(zip, entry));
  } finally {
    zip.close();
  }
}

function findManifest(zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      if (entry.fileName === MANIFEST) resolve(entry);
      else zip.readEntry();
    });
    zip.once("end", () => resolve(undefined));
    zip.once("error", reject);
    zip.readEntry();
  });
}

function readEntry(zip: ZipFile, entry: Entry): Promise<string> {
  return new Promise((resolve, reject) => {
    if (entry.uncompressedSize > MAX_MANIFEST_BYTES) {
      reject(new RangeError(`its manifest is longer than ${MAX_MANIFEST_BYTES} bytes`));
      return;
    }
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) {
        reject(error);
        return;
      }
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("error", reject);
      stream.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
  });
}

function parseManifest(text: string): JarManifest {
  const [main = ""] = text.replace(/\r\n?/g, "\n").split("\n\n");
  const lines = main.replaceAll("\n ", "").split("\n");
  const entry = (name: string): string | null => {
    const prefix = `${name.toLowerCase()}:`;
    const line = lines.find((one) => one.toLowerCase().startsWith(prefix));
    return line?.slice(prefix.length).trim() || null;
  };
  return {
    mainClass: entry("Main-Class"),
    schemaVersion: entry("Airflow-Supervisor-Schema-Version"),
  };
}
