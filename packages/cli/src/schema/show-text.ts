import { columns } from "./columns.ts";
import { defaultText } from "./field-facts.ts";
import type { ShownDefinition, ShownMessage } from "./show-command.ts";

/** A message for people: what it is, its fields, and those of its parts. */
export function showText(message: ShownMessage): string {
  const { name, version, directions, channels, parts } = message;
  const isPart = directions.length === 0;
  const way = isPart
    ? "a part of messages"
    : `${directions.join(" and ")}, ${channels.length === 1 ? "channel" : "channels"} ${channels.join(" and ")}`;
  const sections = [
    `${name} of schema ${version}: ${way}\n${replyText(message)}${definitionText(message)}`,
    ...parts.map((part) => `${part.name}\n${definitionText(part)}`),
  ];
  return sections.join("\n");
}

function replyText({ reply }: ShownMessage): string {
  if (reply === undefined) return "";
  const errors = reply.errors.length === 0 ? "" : `, or an error: ${reply.errors.join(", ")}`;
  return `answered with ${reply.type ?? "an empty frame"}${errors}\n`;
}

function definitionText({ fields, unknownFields, type }: ShownDefinition): string {
  if (type !== undefined) return `  ${type}\n`;
  const heads = ["FIELD", "REQUIRED", "DEFAULT", "TYPE"];
  const rows = fields.map((field) => [
    field.name,
    field.required ? "yes" : "",
    defaultText(field),
    field.type,
  ]);
  return `${columns([heads, ...rows], "  ")}  unknown fields are ${unknownFields}\n`;
}
