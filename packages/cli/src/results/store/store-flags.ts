/** Flags that every `parlance results` command has: which store, and how its rows are written. */
export interface StoreFlags {
  readonly url?: string;
  readonly urlFile?: string;
  readonly serializer: "json" | "yaml" | "msgpack";
  readonly timezone?: string;
  readonly taskTable?: string;
  readonly groupTable?: string;
  readonly taskSchema?: string;
  readonly groupSchema?: string;
  readonly json?: boolean;
}
