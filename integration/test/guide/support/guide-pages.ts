/** What a block of a page is for: see scripts/lib/guide-pages.mjs. */
export interface GuideBlock {
  readonly kind: "file" | "run" | "prints" | "logs" | "airflow" | "not run";
  readonly rest: string | undefined;
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** A page of docs/guide. */
export interface GuidePage {
  /** Of its file, without `.md`. */
  readonly name: string;
  /** In the repository. */
  readonly path: string;
  readonly markdown: string;
  readonly blocks: readonly GuideBlock[];
}

interface Reader {
  readGuidePages(): readonly GuidePage[];
}

/** The pages as `npm run check` reads them, too. */
export async function readGuidePages(): Promise<readonly GuidePage[]> {
  const reader = new URL("../../../../scripts/lib/guide-pages.mjs", import.meta.url);
  return ((await import(reader.href)) as Reader).readGuidePages();
}
