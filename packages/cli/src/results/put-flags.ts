import type { StoreFlags } from "./store/store-flags.ts";

/** Flags of `parlance results put`, as they were typed. */
export interface PutFlags extends StoreFlags {
  readonly state: string;
  readonly result?: string;
  readonly resultFile?: string;
  readonly excType?: string;
  readonly excModule?: string;
  readonly excMessage?: readonly string[];
  readonly traceback?: string;
  readonly children?: string;
  readonly extended?: boolean;
  readonly name?: string;
  readonly args?: string;
  readonly kwargs?: string;
  readonly worker?: string;
  readonly retries?: number;
  readonly queue?: string;
  readonly stamps?: string;
  readonly stampedHeaders?: string;
  readonly createTables: boolean;
}
