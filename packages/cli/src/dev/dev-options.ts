/** The options of `parlance dev`, read and checked. */
export interface DevOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly host: "127.0.0.1" | "::1";
  /** A SQLite file; undefined for one that is gone at the end. */
  readonly store: string | undefined;
  readonly seedStore: string | undefined;
  readonly timeScale: number;
  readonly parallel: number | undefined;
  readonly inheritEnv: boolean;
  /** Open the user's browser; undefined: where there is a terminal and a screen. */
  readonly open: boolean | undefined;
  readonly json: boolean;
}
