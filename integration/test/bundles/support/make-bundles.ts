import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeFooter } from "@parlance/bundle";

/** What is not as it is in a good bundle. */
export interface BundleParts {
  readonly executable?: string | Buffer;
  /** The metadata's text. */
  readonly metadata?: string;
  readonly dags?: readonly string[];
  readonly schemaVersion?: string;
  /** What the digest in the footer is of; default the executable. */
  readonly digestOf?: string;
  readonly mode?: number;
  /** Changes the finished bytes. */
  readonly change?: (bytes: Buffer) => Buffer;
  /** Seconds since 1970 at which it was last changed. */
  readonly changedAt?: number;
}

export const SCRIPT = "#!/bin/sh\nexit 0\n";

/** The bytes of an executable bundle. */
export function bundleBytes(parts: BundleParts = {}): Buffer {
  const { executable = SCRIPT, dags = ["d1"], schemaVersion = '"2026-06-16"' } = parts;
  const list = dags.map((dagId) => `${dagId}: {tasks: [t]}`).join(", ");
  const metadata =
    parts.metadata ??
    `airflow_bundle_metadata_version: "1.0"\nsdk: {language: go, version: "1", supervisor_schema_version: ${schemaVersion}}\ndags: {${list}}\n`;
  const text = Buffer.from(metadata);
  const binarySha256 = createHash("sha256")
    .update(parts.digestOf ?? executable)
    .digest("hex");
  const footer = encodeFooter({ sourceLength: 0, metadataLength: text.length, binarySha256 });
  const bytes = Buffer.concat([Buffer.from(executable), text, footer]);
  return parts.change?.(bytes) ?? bytes;
}

/** Writes an executable bundle into a folder that is made for it. */
export function writeBundle(root: string, name: string, parts: BundleParts = {}): void {
  place(root, name, bundleBytes(parts), parts);
}

/** What is not as it is in a good Node bundle. */
export interface NodeParts {
  readonly dags?: readonly string[];
  readonly schemaVersion?: unknown;
  readonly metadataVersion?: unknown;
  readonly code?: string;
  readonly change?: (bytes: Buffer) => Buffer;
  readonly changedAt?: number;
}

/** The bytes of a Node bundle of Airflow 3.4, without sources. */
export function nodeBundleBytes(parts: NodeParts = {}): Buffer {
  const { dags = ["d1"], schemaVersion = "2026-06-16", metadataVersion = "1.0" } = parts;
  const code = parts.code ?? "export {};\n";
  const handlers = Object.fromEntries(dags.map((dagId) => [dagId, { tasks: ["t"] }]));
  const metadata = JSON.stringify({
    airflow_bundle_metadata_version: metadataVersion,
    sdk: { language: "typescript", version: "1", supervisor_schema_version: schemaVersion },
    task_handlers: handlers,
  });
  const section = (start: number, text: string) => ({
    start: start.toString(16).padStart(16, "0"),
    end: (start + Buffer.byteLength(text)).toString(16).padStart(16, "0"),
    sha256: createHash("sha256").update(text).digest("hex"),
  });
  const layout = (metadataStart: number, codeStart: number): string =>
    `//# airflowBundle=${JSON.stringify({ metadata: section(metadataStart, metadata), sources: [], code: section(codeStart, code) })}\n`;
  const metadataStart = layout(0, 0).length + "//# airflowMetadata=".length;
  const codeStart = metadataStart + Buffer.byteLength(metadata) + 1;
  const bytes = Buffer.from(
    `${layout(metadataStart, codeStart)}//# airflowMetadata=${metadata}\n${code}`,
  );
  return parts.change?.(bytes) ?? bytes;
}

/** Writes a Node bundle into a folder that is made for it. */
export function writeNodeBundle(root: string, name: string, parts: NodeParts = {}): void {
  place(root, name, nodeBundleBytes(parts), parts);
}

function place(
  root: string,
  name: string,
  bytes: Buffer,
  { mode = 0o755, changedAt }: { readonly mode?: number; readonly changedAt?: number },
): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  chmodSync(path, mode);
  if (changedAt !== undefined) utimesSync(path, changedAt, changedAt);
}
