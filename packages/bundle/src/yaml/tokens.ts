/** A piece of YAML text. The block and key tokens stand for nothing in the text but its layout. */
export type Token =
  | {
      readonly type:
        | "stream-end"
        | "document-start"
        | "document-end"
        | "block-list"
        | "block-map"
        | "block-end"
        | "flow-list"
        | "flow-list-end"
        | "flow-map"
        | "flow-map-end"
        | "flow-entry"
        | "block-entry"
        | "key"
        | "value";
    }
  | { readonly type: "alias" | "anchor"; readonly text: string }
  | { readonly type: "tag"; readonly handle: string | undefined; readonly text: string }
  | { readonly type: "directive"; readonly text: string; readonly values: readonly string[] }
  | {
      readonly type: "scalar";
      readonly text: string;
      readonly isPlain: boolean;
      readonly hasSurrogateEscape: boolean;
    };

/** What a {@link Token} is. */
export type TokenType = Token["type"];
