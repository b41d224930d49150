import type { YamlNode } from "./nodes.ts";
import { MAX_LEVELS, tooDeep, yamlError } from "./yaml-error.ts";

/** More alias expansions than this are a rejection, counted as if every alias were written out. */
export const MAX_ALIAS_EXPANSIONS = 100;

/** Knows which node an alias stands for. */
export interface NodeIndex {
  target(node: YamlNode): Exclude<YamlNode, { kind: "alias" }>;
}

/** What a node costs when all its aliases are written out. */
interface Cost {
  readonly aliases: number;
  readonly levels: number;
}

const NO_COST: Cost = { aliases: 0, levels: 0 };

/**
 * Resolves anchors and checks the limits before any value is made, in time linear in the text: an
 * exponential document is refused by its numbers, not by building it.
 *
 * @throws BundleError `bad-metadata` for too many alias expansions, too many levels, an alias
 *   without an anchor, an anchor given twice (PyYAML refuses it), or a node inside itself (PyYAML
 *   allows it, but it expands for ever)
 */
export function indexNodes(root: YamlNode): NodeIndex {
  const anchors = new Map<string, Exclude<YamlNode, { kind: "alias" }>>();
  const costs = new Map<YamlNode, Cost>();

  const visit = (node: YamlNode, depth: number): Cost => {
    if (node.kind === "alias") {
      const target = anchors.get(node.name);
      if (target === undefined) throw yamlError(`there is no anchor for *${node.name}`);
      const cost = costs.get(target);
      if (cost === undefined) throw yamlError(`*${node.name} stands inside of what it names`);
      return { aliases: cost.aliases + 1, levels: cost.levels };
    }
    if (node.anchor !== undefined) {
      if (anchors.has(node.anchor)) throw yamlError(`the anchor &${node.anchor} is given twice`);
      anchors.set(node.anchor, node);
    }
    const cost = node.kind === "scalar" ? NO_COST : sum(childrenOf(node), depth);
    if (node.anchor !== undefined) costs.set(node, cost);
    return cost;
  };

  const sum = (children: readonly YamlNode[], depth: number): Cost => {
    let aliases = 0;
    let levels = 0;
    for (const child of children) {
      const cost = visit(child, depth + 1);
      aliases += cost.aliases;
      levels = Math.max(levels, cost.levels);
    }
    if (aliases > MAX_ALIAS_EXPANSIONS) {
      throw yamlError(`its aliases expand more than ${MAX_ALIAS_EXPANSIONS} times`);
    }
    if (levels + depth > MAX_LEVELS) throw tooDeep();
    return { aliases, levels: levels + 1 };
  };

  visit(root, 1);
  return {
    target: (node) => {
      if (node.kind !== "alias") return node;
      const target = anchors.get(node.name);
      if (target === undefined) throw yamlError(`there is no anchor for *${node.name}`);
      return target;
    },
  };
}

function childrenOf(node: Exclude<YamlNode, { kind: "scalar" | "alias" }>): readonly YamlNode[] {
  return node.kind === "list" ? node.items : node.entries.flat();
}
