import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Several writes in a row are one change: an editor writes a file in steps. In milliseconds. */
const QUIET_MS = 80;

/** Files that a program may be made of, also ones that it has not had before. */
const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

/**
 * Tells that something in some folders has changed. Folders rather than files: editors put a new file
 * in the place of the old one, and a file that is missing can only be seen to appear in its folder.
 */
export class FolderWatcher {
  readonly #onChange: () => void;
  readonly #onError: (error: Error) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #names: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void, onError: (error: Error) => void) {
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Watches the folders of these files, and no longer any others. Other files in them count if they are code. */
  watch(files: readonly string[]): void {
    this.#names = new Set(files.map((file) => basename(file)));
    const folders = new Set(files.map((file) => dirname(file)));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#add(folder);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        const counts = name === null || this.#names.has(name) || CODE.test(name);
        if (counts) this.#changed();
      });
      watcher.on("error", (error) => {
        this.#watchers.delete(folder);
        this.#onError(error);
      });
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#onError(error as Error); // a folder that has gone, or no more watches in the system
    }
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, QUIET_MS);
    this.#timer.unref();
  }
}
