import { writeSync } from "node:fs";
import type { Bundle } from "../bundle.ts";
import { SDK_VERSION } from "../version.ts";

/** What a program says about itself when it is asked to with `--describe` or `--describe-fd=N`. */
export interface BundleDescription {
  readonly sdk: {
    readonly name: string;
    readonly version: string;
    readonly language: "typescript";
  };
  readonly dags: { readonly [dagId: string]: { readonly tasks: readonly string[] } };
  /** The same in order of registration: an object puts ids that look like numbers first. */
  readonly order: readonly (readonly [dagId: string, taskIds: readonly string[]])[];
}

/** The tasks of a bundle as data. */
export function describeBundle(bundle: Bundle): BundleDescription {
  const order = bundle.list();
  return {
    sdk: { name: "@parlance/sdk-node", version: SDK_VERSION, language: "typescript" },
    dags: Object.fromEntries(order.map(([dagId, tasks]) => [dagId, { tasks }])),
    order,
  };
}

/** Writes the description as one line of JSON, all of it. @throws what the system says */
export function writeDescription(bundle: Bundle, fd: number): void {
  const bytes = Buffer.from(`${JSON.stringify(describeBundle(bundle))}\n`);
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error; // a full pipe: again
    }
  }
}
