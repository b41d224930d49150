import type { SchemaVersion } from "@parlance/protocol";
import { type CommandIo, write, writeJson } from "../io.ts";
import { diffText } from "./diff-text.ts";
import { diffVersions, type FieldChange, type MessageChange } from "./diff-versions.ts";

/** A field change without a migration step, with the message that it is in. */
export type StepLess = FieldChange & Pick<MessageChange, "type" | "directions">;

/** What `schema diff` prints. */
export interface SchemaDiff {
  readonly from: SchemaVersion;
  readonly to: SchemaVersion;
  readonly messages: readonly MessageChange[];
  readonly withoutStep: readonly StepLess[];
}

/** Prints what changed between two versions, and which changes have no migration step. */
export async function diffCommand(
  from: SchemaVersion,
  to: SchemaVersion,
  options: { readonly json?: boolean },
  io: CommandIo,
): Promise<void> {
  const messages = diffVersions(from, to);
  const withoutStep = messages.flatMap(({ type, directions, fields }) =>
    fields.filter(({ step }) => step === null).map((field) => ({ type, directions, ...field })),
  );
  const diff = { from, to, messages, withoutStep };
  if (options.json === true) await writeJson(io.stdout, diff);
  else await write(io.stdout, diffText(diff));
}
