import { CATALOGUE, type SchemaVersion } from "@parlance/protocol";
import { definitionsOf } from "@parlance/protocol/definitions";
import { migrateBody } from "@parlance/protocol/migrate";
import { type ValidationIssue, validateBody } from "@parlance/protocol/validate";
import { load, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "./support/random.ts";
import { type Body, mutated, randomBody } from "./support/random-bodies.ts";
import { randomScalar } from "./support/random-scalars.ts";
import { askAirflow, revive, type SchemaAnswer } from "./support/schema-bodies.ts";

// Whatever a real supervisor leaves unanswered, our validators refuse; what they refuse beyond
// that is what README.md of the protocol package names.

const BODIES = 10_000;
const ROUNDS = load(20);

function randomBodies(version: SchemaVersion, random: Random): Body[] {
  const names = CATALOGUE[version]["to-supervisor"];
  return Array.from({ length: BODIES }, (_, index) => {
    if (index % 4 === 0) return randomScalar(random);
    let body = randomBody(definitionsOf(version), names[index % names.length] ?? "", random);
    for (let count = random.below(3); count > 0; count--) body = mutated(body, random);
    return body;
  });
}

/** Faults that stock reads past: other kinds of values, and dates without a zone in two fields. */
function isLaxReading({ path, message }: ValidationIssue, body: Body): boolean {
  const value = valueAt(body, path);
  if (/expected (?:a whole number|a finite number|true or false)/.test(message)) {
    return ["string", "boolean", "number"].includes(typeof value);
  }
  if (message.startsWith("expected a date-time")) {
    const isNumber = typeof value === "string" && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value);
    const takesNaive = body["type"] === "TaskState" || path.endsWith("/last_loaded");
    return isNumber || (takesNaive && typeof value === "string");
  }
  if (message.startsWith("expected a duration")) {
    return typeof value === "boolean" || (typeof value === "string" && hasRubbish(value));
  }
  return false;
}

/** Stock's parser does not look at what follows the sixth decimal of a clock's seconds. */
function hasRubbish(duration: string): boolean {
  return /:\d\d[.,]\d{6}\d*\D/.test(duration);
}

function valueAt(body: Body, path: string): unknown {
  const steps = path.split("/").slice(1);
  return steps.reduce<unknown>((value, step) => (value as Body | undefined)?.[step], body);
}

function difference(theirs: SchemaAnswer, version: SchemaVersion, body: Body): string | undefined {
  const ours = validateBody(version, "to-supervisor", revive(body));
  if (ours.valid) return theirs.error === undefined ? undefined : "taken";
  if (theirs.error !== undefined) return undefined;
  const strict = ours.errors.filter((issue) => !isLaxReading(issue, body));
  return strict.length === 0 ? undefined : `refused: ${JSON.stringify(strict)}`;
}

for (const [version, airflow] of [
  ["2026-06-16", "3.3.2"],
  ["2026-10-30", "3.4.0b2"],
] as const) {
  const label = `bodies are judged as Airflow ${airflow} judges them`;
  const python = requirePeer(test, label, `airflow-${airflow}`);
  if (python === undefined) continue;
  for (let round = 1; round <= ROUNDS; round++) {
    test(`${BODIES} random ${label} (${round})`, () => {
      const random = new Random();
      const bodies = randomBodies(version, random);
      const answers = askAirflow(
        python,
        bodies.map((body) => ({ op: "judge", body })),
      );
      const wrong = bodies.flatMap((body, index) => {
        const theirs = answers[index] as SchemaAnswer;
        const told = difference(theirs, version, body);
        return told === undefined ? [] : [`${JSON.stringify({ theirs, body })}\n${told}`];
      });
      const shown = wrong.slice(0, 8).join("\n\n");
      assert.is(wrong.length, 0, `seed ${random.seed}, ${wrong.length} differ:\n${shown}`);
      const taken = answers.filter(({ error }) => error === undefined).length;
      assert.ok(taken > BODIES / 4 && taken < (BODIES * 3) / 4, `${taken} taken`);
    });
  }
}

const python = requirePeer(test, "forms of scalars", "airflow-3.4.0b2");
if (python !== undefined) {
  test("date-times, durations and UUIDs are rewritten as the real migrator does", () => {
    const random = new Random();
    const bodies = Array.from({ length: BODIES }, () => randomScalar(random));
    const options = { from: "2026-06-16", to: "2026-10-30", direction: "to-supervisor" } as const;
    const answers = askAirflow(
      python,
      bodies.map((body) => ({ op: "upgrade", body, version: "2026-06-16" })),
    );
    bodies.forEach((body, index) => {
      const told = `seed ${random.seed}: ${JSON.stringify(body)}`;
      const theirs = answers[index] as SchemaAnswer;
      const ours = migrateBody(body, options);
      const isRubbish = hasRubbish(String(body["timeout"]));
      if (ours.migrated) assert.equal(ours.body, theirs.result, told);
      else assert.ok(theirs.error !== undefined || isRubbish, told);
    });
  });
}

test.run();
