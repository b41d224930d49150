import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type JsonNode, jsonPreview } from "../../../src/page-model/exact-json.ts";
import { beginning, plainLine, plainText } from "../../../src/page-model/plain-text.ts";

const SHOWN_CHILDREN = 100;
const SHOWN_TEXT = 5_000;
const OPEN_DEPTH = 2;

/** A value as a tree that folds. Long texts and lists show their beginning, and more when asked. */
export function JsonTree({ node, label }: { node: JsonNode; label?: string }): JSX.Element {
  return (
    <div class="json">
      <JsonPart node={node} depth={0} {...(label !== undefined && { name: label })} />
    </div>
  );
}

interface PartProps {
  readonly node: JsonNode;
  readonly depth: number;
  readonly name?: string;
}

function JsonPart({ node, depth, name }: PartProps): JSX.Element {
  const key = name !== undefined && <span class="json-key">{plainLine(name)}: </span>;
  if (node.kind === "word") {
    return (
      <div class="json-leaf">
        {key}
        <span class="json-word">{plainLine(node.text)}</span>
      </div>
    );
  }
  if (node.kind === "text") {
    return (
      <div class="json-leaf">
        {key}
        {/* The quotes tell "1" from 1. */}
        <span class="dim">"</span>
        <LongText text={node.text} />
        <span class="dim">"</span>
      </div>
    );
  }
  return <JsonBranch node={node} depth={depth} {...(name !== undefined && { name })} />;
}

function JsonBranch({ node, depth, name }: PartProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH);
  const [limit, setLimit] = useState(SHOWN_CHILDREN);
  const children = branchChildren(node);
  const [open, close] = node.kind === "list" ? ["[", "]"] : ["{", "}"];
  const key = name !== undefined && <span class="json-key">{plainLine(name)}: </span>;
  if (children.length === 0) {
    return (
      <div class="json-leaf">
        {key}
        {open}
        {close}
      </div>
    );
  }
  return (
    <details
      class="json-branch"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        {key}
        <span class="dim">
          {open}
          {isOpen ? ` ${children.length}` : plainLine(jsonPreview(node, 80).slice(1, -1))} {close}
        </span>
      </summary>
      {isOpen && (
        <div class="json-children">
          {children.slice(0, limit).map(([childName, child]) => (
            <JsonPart key={childName} name={childName} node={child} depth={depth + 1} />
          ))}
          {children.length > limit && (
            <button type="button" class="quiet" onClick={() => setLimit(limit + 1_000)}>
              {children.length - limit} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function branchChildren(node: JsonNode): readonly (readonly [string, JsonNode])[] {
  if (node.kind === "map") return node.entries;
  return node.kind === "list"
    ? node.items.map((item, index) => [String(index), item] as const)
    : [];
}

/** A text of any length. */
export function LongText({ text }: { text: string }): JSX.Element {
  const [limit, setLimit] = useState(SHOWN_TEXT);
  const { text: shown, left } = beginning(text, limit);
  return (
    <span class="json-text">
      {plainText(shown)}
      {left > 0 && (
        <button type="button" class="quiet" onClick={() => setLimit(limit * 4)}>
          {left} characters more
        </button>
      )}
    </span>
  );
}
