import {
  CATALOGUE,
  CHANNELS,
  type Direction,
  REPLIES,
  SCHEMA_VERSIONS,
  type SchemaVersion,
} from "@parlance/protocol";
import { type Definition, type Definitions, definitionsOf } from "@parlance/protocol/definitions";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { type FieldFacts, fieldFacts } from "./field-facts.ts";
import { nearNames } from "./near-names.ts";
import { partsOf } from "./parts-of.ts";
import { showText } from "./show-text.ts";
import { typeText } from "./type-text.ts";

/** Flags of `parlance schema show`. */
export interface ShowFlags {
  readonly version: SchemaVersion;
  readonly json?: boolean;
}

/** A message or a part of one, for people and as JSON. */
export interface ShownDefinition {
  readonly name: string;
  /** Refused where stock refuses them in what a task sends. */
  readonly unknownFields: "refused" | "ignored";
  readonly fields: readonly ({ readonly name: string } & FieldFacts)[];
  /** What takes the place of fields in a definition that has none, e.g. DagRunState. */
  readonly type?: string;
}

/** What `schema show` prints. */
export interface ShownMessage extends ShownDefinition {
  readonly version: SchemaVersion;
  /** None for a part of messages. */
  readonly directions: readonly Direction[];
  readonly channels: readonly string[];
  /** Of a request: what comes back in the body slot, null for an empty frame. */
  readonly reply?: { readonly type: string | null; readonly errors: readonly string[] };
  readonly parts: readonly ShownDefinition[];
}

/**
 * Prints the fields of a message or of a part of messages.
 *
 * @throws CliError `unknown-message` (2) with names that are near
 */
export async function showCommand(name: string, flags: ShowFlags, io: CommandIo): Promise<void> {
  const definitions = definitionsOf(flags.version);
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition === undefined) throw unknown(name, flags.version, definitions);
  const message = shownMessage(name, flags.version, definitions, definition);
  if (flags.json !== true) {
    await write(io.stdout, showText(message));
    return;
  }
  await writeJson(io.stdout, { ...message, schema: schemaOf(name, definitions, definition) });
}

function shownMessage(
  name: string,
  version: SchemaVersion,
  definitions: Definitions,
  definition: Definition,
): ShownMessage {
  const directions = (["to-supervisor", "to-task"] as const).filter((direction) =>
    CATALOGUE[version][direction].includes(name),
  );
  const reply = (REPLIES as Readonly<Record<string, ShownMessage["reply"]>>)[name];
  return {
    ...shownDefinition(name, definitions, definition),
    version,
    directions,
    channels: channelsOf(name, version),
    ...(reply === undefined ? {} : { reply }),
    parts: partsOf(definitions, definition).map((part) =>
      shownDefinition(part, definitions, definitions[part] ?? {}),
    ),
  };
}

function channelsOf(name: string, version: SchemaVersion): readonly string[] {
  const channels = Object.entries(CHANNELS[version]);
  return channels
    .filter(([, names]) =>
      Object.values<readonly string[]>(names).some((all) => all.includes(name)),
    )
    .map(([channel]) => channel);
}

function shownDefinition(
  name: string,
  definitions: Definitions,
  definition: Definition,
): ShownDefinition {
  const fields = Object.entries(definition.properties ?? {});
  return {
    name,
    ...(definition.properties === undefined ? { type: typeText(definitions, definition) } : {}),
    unknownFields: definition.additionalProperties === false ? "refused" : "ignored",
    fields: fields.map(([field, node]) => ({
      name: field,
      ...fieldFacts(definitions, definition, field, node),
    })),
  };
}

/** A JSON Schema of its own. */
function schemaOf(name: string, definitions: Definitions, definition: Definition): object {
  const names = [name, ...partsOf(definitions, definition, { all: true })];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $ref: `#/$defs/${name}`,
    $defs: Object.fromEntries(names.map((each) => [each, definitions[each]])),
  };
}

function unknown(name: string, version: SchemaVersion, definitions: Definitions): CliError {
  const shown = JSON.stringify(name.slice(0, 64));
  const other = SCHEMA_VERSIONS.find((each) => Object.hasOwn(definitionsOf(each), name));
  const near = nearNames(name, Object.keys(definitions));
  const hint =
    other === undefined
      ? near.length === 0
        ? "`parlance schema versions --json` lists the messages"
        : `did you mean ${near.join(", ")}?`
      : `schema ${other} has it`;
  const message = `There is no message ${shown} in schema ${version}; ${hint}`;
  const details = { version, near, ...(other === undefined ? {} : { inVersion: other }) };
  return new CliError("unknown-message", message, ExitCode.usage, details);
}
