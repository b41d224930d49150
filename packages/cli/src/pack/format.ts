import type { BundleSource, MetadataInput } from "@parlance/bundle";
import type { CommandIo } from "../io.ts";

/** What a format works with. */
export interface PrepareOptions {
  /** For its files, which are removed at the end. */
  readonly folder: string;
  /** For `executable`. */
  readonly nodeFlags: readonly string[];
  /** For `sea`. */
  readonly nodeBinary: string | undefined;
  readonly io: CommandIo;
  /** Gets a line for each step that takes time. */
  readonly progress: (line: string) => void;
}

/** A program in its format, before it has metadata. */
export interface Prepared {
  /** Starts it, or the same program where it can't run here. */
  readonly argv: readonly string[];
  /** Of the Node.js in it. */
  readonly nodeVersion?: string;
  /** @throws BundleError */
  write(options: WriteOptions): Promise<Written>;
}

/** What the bundle gets beside the program, and where it goes. */
export interface WriteOptions {
  readonly metadata: { readonly [key: string]: MetadataInput };
  readonly sources: readonly BundleSource[];
  readonly out: string;
  readonly signal: AbortSignal;
}

/** What was written. */
export interface Written {
  /** Of the whole file, in bytes. */
  readonly size: number;
  readonly warnings: readonly string[];
}
