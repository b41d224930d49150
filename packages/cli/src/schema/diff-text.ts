import type { Direction } from "@parlance/protocol";
import { columns } from "./columns.ts";
import type { SchemaDiff, StepLess } from "./diff-command.ts";
import type { Change, FieldChange, MessageChange } from "./diff-versions.ts";
import { factsText } from "./field-facts.ts";

const SIGNS: { readonly [C in Change]: string } = { added: "+", removed: "-", changed: "~" };

/** The differences of two versions for people. */
export function diffText(diff: SchemaDiff): string {
  const { from, to, messages } = diff;
  if (messages.length === 0) return `${from} -> ${to}: nothing differs\n`;
  const count = (change: Change): number =>
    messages.filter((each) => each.change === change).length;
  const totals = `${count("added")} messages added, ${count("removed")} removed, ${count("changed")} changed`;
  const sections = (["to-supervisor", "to-task"] as const).map((direction) =>
    directionText(direction, messages),
  );
  const head = `${from} -> ${to}: ${totals}\n+ added, - removed, ~ changed; in brackets the migration step that Airflow declares\n`;
  return [head, ...sections.filter((text) => text !== ""), stepLessText(diff)].join("\n");
}

function directionText(direction: Direction, messages: readonly MessageChange[]): string {
  const these = messages.filter(({ directions }) => directions.includes(direction));
  if (these.length === 0) return "";
  return `${direction}\n${these.map(messageText).join("")}`;
}

function messageText({ type, change, fields }: MessageChange): string {
  const rows = fields.map((field) => [
    `${SIGNS[field.change]} ${field.path}`,
    changeText(field),
    field.step === null ? "no migration step" : `[${field.step}]`,
  ]);
  return `  ${SIGNS[change]} ${type}\n${columns(rows, "      ")}`;
}

function changeText({ before, after }: FieldChange): string {
  const texts = [before, after].filter((facts) => facts !== undefined).map(factsText);
  return texts.join(" -> ");
}

function stepLessText({ from, to, withoutStep }: SchemaDiff): string {
  if (withoutStep.length === 0) return "every change has a migration step\n";
  const older = from < to ? from : to;
  const leaks = withoutStep.filter((each) => each.leaks);
  const own = leaks.filter((each) => !each.inServerPart);
  const others = withoutStep.filter((each) => !each.leaks);
  const server = leaks.length - own.length;
  return [
    `${withoutStep.length} changes have no migration step`,
    listText(`leaks: a body that is migrated to ${older} holds these all the same`, own),
    server === 0
      ? ""
      : `  and ${server} below callback_requests, whose parts are the API server's own classes; Airflow\n` +
        "  sends no callbacks to a runtime of another language\n",
    listText("sent by a task, so that nothing leaks; left out, they get their defaults", others),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

function listText(head: string, changes: readonly StepLess[]): string {
  if (changes.length === 0) return "";
  const rows = changes.map(({ type, path }) => [type, path]);
  return `  ${head}\n${columns(rows, "    ")}`;
}
