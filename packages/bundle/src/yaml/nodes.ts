interface NodeBase {
  /** Resolved: `tag:yaml.org,2002:int`, `!local`, or `!` for a lone exclamation mark. */
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

export interface ScalarNode extends NodeBase {
  readonly kind: "scalar";
  readonly text: string;
  /** Neither quoted nor block text. */
  readonly isPlain: boolean;
  /** Double-quoted text with an escape for a surrogate, alone or one of two. */
  readonly hasSurrogateEscape: boolean;
}

export interface ListNode extends NodeBase {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
}

export interface MapNode extends NodeBase {
  readonly kind: "map";
  readonly entries: readonly (readonly [YamlNode, YamlNode])[];
}

export interface AliasNode {
  readonly kind: "alias";
  readonly name: string;
}

/** One node of a YAML document, before types are given. */
export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode;
