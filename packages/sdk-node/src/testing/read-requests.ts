import { decodeValue } from "../values/decode-value.ts";
import type { Body } from "./answers/answer.ts";
import type { MemoryAssetEvent } from "./memory-state.ts";
import type { AskedQuestion, EmittedEvent } from "./task-outcome.ts";

/** An event as a test sees it. */
export function emittedEvent(event: MemoryAssetEvent): EmittedEvent {
  const { name, uri, extra, aliases, partitionKey } = event;
  return { name, uri, extra, alias: aliases[0] ?? null, partitionKey };
}

/** What the task asked a person last, or null. */
export function askedQuestion(requests: readonly Body[]): AskedQuestion | null {
  const asked = requests.findLast(({ type }) => type === "CreateHITLDetailPayload");
  if (asked === undefined) return null;
  const { subject, body, options, defaults, multiple, params } = asked;
  const fields = Object.entries((params ?? {}) as { readonly [name: string]: Body });
  return {
    subject: String(subject),
    body: typeof body === "string" ? body : null,
    options: (options ?? []) as readonly string[],
    defaults: (defaults ?? null) as readonly string[] | null,
    multiple: multiple === true,
    params: Object.fromEntries(
      fields.map(([name, field]) => [name, decodeValue(field["value"] ?? null, name)]),
    ),
  };
}
