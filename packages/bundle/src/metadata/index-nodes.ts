import {
  type Alias,
  isAlias,
  isMap,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { BundleError } from "../errors.ts";

export type YamlNode = Scalar | Alias | YAMLMap | YAMLSeq;

/** More alias expansions than this are a rejection, counted as if every alias were written out. */
export const MAX_ALIAS_EXPANSIONS = 100;
/** Deeper nesting of lists and maps, aliases written out, is a rejection. */
export const MAX_LEVELS = 100;

/** Knows which node an alias stands for. */
export interface NodeIndex {
  target(node: YamlNode): YamlNode;
}

/** What a node costs when all its aliases are written out. */
interface Cost {
  readonly aliases: number;
  readonly levels: number;
}

/**
 * Resolves anchors and checks the limits before any value is made, in time linear in the text: an
 * exponential document is refused by its numbers, not by building it.
 *
 * @throws BundleError `bad-metadata` for too many alias expansions, too many levels, an alias
 *   without an anchor, an anchor given twice (PyYAML refuses it) or a node inside itself
 */
export function indexNodes(root: YamlNode): NodeIndex {
  const anchors = new Map<string, YamlNode>();
  const costs = new Map<YamlNode, Cost>();
  const targets = new Map<YamlNode, YamlNode>();

  const visit = (node: YamlNode | null, depth: number): Cost => {
    if (node === null) return { aliases: 0, levels: 0 };
    if (isAlias(node)) return visitAlias(node);
    if (node.anchor !== undefined) {
      checkName(node.anchor);
      if (anchors.has(node.anchor)) throw bad(`the anchor &${node.anchor} is given twice`);
      anchors.set(node.anchor, node);
    }
    const cost = sum(childrenOf(node), depth);
    costs.set(node, cost);
    return cost;
  };

  const visitAlias = (node: Alias): Cost => {
    checkName(node.source);
    const target = anchors.get(node.source);
    if (target === undefined) throw bad(`there is no anchor for *${node.source}`);
    const cost = costs.get(target);
    if (cost === undefined) throw bad(`*${node.source} stands inside of what it names`);
    targets.set(node, target);
    return { aliases: cost.aliases + 1, levels: cost.levels };
  };

  const sum = (children: readonly (YamlNode | null)[] | undefined, depth: number): Cost => {
    if (children === undefined) return { aliases: 0, levels: 0 };
    if (depth > MAX_LEVELS) throw tooDeep();
    let aliases = 0;
    let levels = 0;
    for (const child of children) {
      const cost = visit(child, depth + 1);
      aliases += cost.aliases;
      levels = Math.max(levels, cost.levels);
    }
    if (aliases > MAX_ALIAS_EXPANSIONS) {
      throw bad(`its aliases expand more than ${MAX_ALIAS_EXPANSIONS} times`);
    }
    if (levels + depth > MAX_LEVELS) throw tooDeep();
    return { aliases, levels: levels + 1 };
  };

  visit(root, 1);
  return { target: (node) => targets.get(node) ?? node };
}

/** undefined for a scalar */
function childrenOf(node: YamlNode): readonly (YamlNode | null)[] | undefined {
  if (isSeq(node)) return node.items as (YamlNode | null)[];
  if (!isMap(node)) return undefined;
  const pairs = node.items as Pair<YamlNode | null, YamlNode | null>[];
  return pairs.flatMap(({ key, value }) => [key, value]);
}

/** YAML 1.1 allows these characters only; YAML 1.2 nearly all. */
function checkName(name: string): void {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) throw bad(`&${name} is no name for an anchor`);
}

function tooDeep(): BundleError {
  return bad(`it nests more than ${MAX_LEVELS} levels deep`);
}

function bad(reason: string): BundleError {
  return new BundleError("bad-metadata", `The metadata is refused: ${reason}.`);
}
