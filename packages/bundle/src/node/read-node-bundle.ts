import { readExactly } from "../hash-region.ts";
import type { OpenFile } from "../open-file.ts";
import type { BundleReport, ReadOptions } from "../read-bundle.ts";

const LAYOUT_PREFIX = "//# airflowBundle=";

/** Whether a file starts as a Node bundle of Airflow 3.4 does. */
export function isNodeBundle({ fd, size }: OpenFile): boolean {
  if (size < LAYOUT_PREFIX.length) return false;
  return readExactly(fd, 0, LAYOUT_PREFIX.length).toString("latin1") === LAYOUT_PREFIX;
}

export async function readNodeBundle(
  path: string,
  _file: OpenFile,
  _options: ReadOptions,
): Promise<BundleReport> {
  const message = "This is a Node bundle of Airflow 3.4; it is not read yet.";
  return {
    path,
    format: "node",
    footer: null,
    regions: null,
    metadata: null,
    sources: null,
    verified: false,
    problems: [{ code: "unsupported-format", message, fault: true }],
  };
}
