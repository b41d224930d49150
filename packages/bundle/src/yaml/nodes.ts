interface NodeBase {
  /** Resolved: `tag:yaml.org,2002:int`, `!local`, or `!` for a lone exclamation mark. */
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

/** One piece of text; what type it has is decided later. */
export interface ScalarNode extends NodeBase {
  readonly kind: "scalar";
  readonly text: string;
  /** Neither quoted nor block text. */
  readonly isPlain: boolean;
  /** Double-quoted text with an escape for a surrogate, alone or one of two. */
  readonly hasSurrogateEscape: boolean;
}

/** A block or flow list. */
export interface ListNode extends NodeBase {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
}

/** A block or flow map, its keys as they stand: equal ones too. */
export interface MapNode extends NodeBase {
  readonly kind: "map";
  readonly entries: readonly (readonly [YamlNode, YamlNode])[];
}

/** `*name`: the node with that anchor once more. */
export interface AliasNode {
  readonly kind: "alias";
  readonly name: string;
}

/** One node of a YAML document, before types are given. */
export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode;
