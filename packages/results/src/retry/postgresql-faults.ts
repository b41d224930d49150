import { DatabaseFault, FAULTS, type FaultFacts, linkFault, messageOf } from "./database-fault.ts";

/** SQLSTATEs and their classes (postgresql.org/docs/15/errcodes-appendix.html), the longest first. */
const BY_STATE: readonly (readonly [prefix: string, facts: FaultFacts])[] = [
  ["57P01", FAULTS.connection],
  ["57P02", FAULTS.connection],
  ["57P03", FAULTS.connection],
  ["57P05", FAULTS.connection],
  ["53300", FAULTS.connection],
  ["57014", FAULTS.busy],
  ["55P03", FAULTS.busy],
  ["55006", FAULTS.busy],
  ["23505", FAULTS.unique],
  // No value for id: the sequence is gone, or has come.
  ["23502", FAULTS.schema],
  ["25006", FAULTS.readOnly],
  ["42P01", FAULTS.schema],
  ["42703", FAULTS.schema],
  ["42704", FAULTS.schema],
  ["42P07", FAULTS.schema],
  ["42701", FAULTS.schema],
  // A schema is never made here.
  ["3F000", { ...FAULTS.schema, retryable: false }],
  ["3D000", FAULTS.login],
  ["42501", FAULTS.privilege],
  ["08", FAULTS.connection],
  ["28", FAULTS.login],
  ["40", FAULTS.busy],
  ["22", FAULTS.data],
  ["23", FAULTS.integrity],
  ["42", FAULTS.programming],
  ["54", FAULTS.data],
  ["53", FAULTS.operational],
  ["25", FAULTS.internal],
  ["XX", FAULTS.internal],
];

/** An error of `pg` in the words of {@link DatabaseFault}. */
export function postgresqlFault(error: unknown, redact: (text: string) => string): DatabaseFault {
  if (error instanceof DatabaseFault) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const state = typeof code === "string" ? code : undefined;
  // Without a SQLSTATE it comes from the socket or from pg itself, which then is of no use any more.
  const facts =
    state !== undefined && /^[0-9A-Z]{5}$/.test(state) ? factsOf(state) : linkFault(error);
  // `invalid input syntax for type integer: "…"` quotes the value; `detail` is never read.
  const text = messageOf(error);
  const message = facts.kind === "data" ? text.replace(/: ".*"$/s, ': "…"') : text;
  return new DatabaseFault(redact(message), facts, state);
}

function factsOf(state: string): FaultFacts {
  for (const [prefix, facts] of BY_STATE) if (state.startsWith(prefix)) return facts;
  return FAULTS.operational;
}
