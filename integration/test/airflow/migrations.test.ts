import { CATALOGUE, type Direction, type SchemaVersion } from "@parlance/protocol";
import { definitionsOf } from "@parlance/protocol/definitions";
import { type Migration, migrateBody } from "@parlance/protocol/migrate";
import { load, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "./support/random.ts";
import { type Body, mutated, randomBody } from "./support/random-bodies.ts";
import {
  askAirflow,
  revive,
  type SchemaAnswer,
  type SchemaRequest,
  type SendOptions,
} from "./support/schema-bodies.ts";

// Random bodies of every message, good ones and such with something wrong in them, through our
// migration and through that of Airflow 3.4.0b2.

const OLD = "2026-06-16";
const NEW = "2026-10-30";
const TO_SUPERVISOR: Direction = "to-supervisor";
const TO_TASK: Direction = "to-task";
const BODIES = 20_000;
const ROUNDS = load(20);

/** As the supervisor sends them: see MigrateOptions.unset. */
const WITHOUT_UNSET = new Set([
  "AssetEventsResult",
  "AssetResult",
  "ConnectionResult",
  "HITLDetailRequestResult",
  "InactiveAssetsResult",
  "PrevSuccessfulDagRunResult",
  "VariableResult",
]);

interface Case {
  readonly request: SchemaRequest;
  readonly direction: Direction;
  readonly from: SchemaVersion;
  readonly to: SchemaVersion;
}

/** Bodies of `schema`, a number of them for each message. */
function bodiesOf(schema: SchemaVersion, direction: Direction, random: Random): Body[] {
  const definitions = definitionsOf(schema);
  const names = CATALOGUE[schema][direction];
  return Array.from({ length: Math.ceil(BODIES / 4) }, (_, index) => {
    const name = names[index % names.length] as string;
    const body = randomBody(definitions, name, random);
    if (random.chance(0.8)) dropConnections(body);
    return random.chance(0.4) ? mutated(body, random) : body;
  });
}

/** Stock cannot migrate them, and sends them under another name than it reads. */
function dropConnections({ ti_context: context }: Body): void {
  if (typeof context === "object" && context !== null) delete (context as Body)["connections"];
}

function sendOptions({ type }: Body): SendOptions {
  const exclude_unset = WITHOUT_UNSET.has(String(type));
  return { exclude_unset, by_alias: type === "ConnectionResult" };
}

function casesOf(random: Random): Case[] {
  const upgraded = bodiesOf(random.pick([OLD, NEW]), "to-supervisor", random);
  const downgraded = bodiesOf(NEW, "to-task", random);
  // What Airflow has no use for: a head that is older than its runtime. Its models can be asked.
  const sent = bodiesOf(OLD, "to-task", random);
  for (const body of sent) dropConnections(body);
  // Stock's downgrade of SucceedTask fails over its own default of a field that was dropped.
  const asked = bodiesOf(NEW, "to-supervisor", random).filter(
    ({ type }) => type !== "SucceedTask" && CATALOGUE[OLD]["to-supervisor"].includes(String(type)),
  );
  const up = { from: OLD, to: NEW } as const;
  const down = { from: NEW, to: OLD } as const;
  return [
    ...upgraded.map((body) => ({ request: upgrade(body), direction: TO_SUPERVISOR, ...up })),
    ...downgraded.map((body) => ({ request: downgrade(body), direction: TO_TASK, ...down })),
    ...sent.map((body) => ({ request: send(body), direction: TO_TASK, ...up })),
    ...asked.map((body) => ({ request: downgrade(body), direction: TO_SUPERVISOR, ...down })),
  ];
}

function upgrade(body: Body): SchemaRequest {
  return { op: "upgrade", body, version: OLD };
}

function downgrade(body: Body): SchemaRequest {
  return { op: "downgrade", body, version: OLD, options: sendOptions(body) };
}

function send(body: Body): SchemaRequest {
  return { op: "send", body, options: sendOptions(body) };
}

/** undefined where both say the same. */
function difference(theirs: SchemaAnswer, ours: Migration): string | undefined {
  if (!ours.migrated) {
    if (theirs.error === undefined) return `refused ${JSON.stringify(ours.errors)}`;
    if (theirs.where?.length === 0) return undefined;
    const missed = ours.errors.find(({ path }) => !theirs.where?.some((loc) => isAt(path, loc)));
    return missed === undefined ? undefined : `refused at ${missed.path}`;
  }
  if (theirs.error !== undefined) return `taken: ${JSON.stringify(ours.body)}`;
  const body: unknown = JSON.parse(JSON.stringify(ours.body));
  try {
    assert.equal(body, theirs.result);
    return undefined;
  } catch {
    return JSON.stringify(body);
  }
}

/** Their places name branches of unions as well, and none below a value of JSON. */
function isAt(path: string, loc: readonly string[]): boolean {
  return path.split("/")[1] === loc[0] || loc.length === 1;
}

const python = requirePeer(test, "migrations of Airflow 3.4.0b2", "airflow-3.4.0b2");
if (python !== undefined) {
  for (let round = 1; round <= ROUNDS; round++) {
    test(`${BODIES} random bodies are migrated as the real migrator does (${round})`, () => {
      const random = new Random();
      const cases = casesOf(random);
      const answers = askAirflow(
        python,
        cases.map(({ request }) => request),
      );
      const wrong: string[] = [];
      let refused = 0;
      cases.forEach(({ request, direction, from, to }, index) => {
        const theirs = answers[index] as SchemaAnswer;
        const ours = migrateBody(revive(request.body), { from, to, direction });
        if (!ours.migrated) refused++;
        const told = difference(theirs, ours);
        if (told === undefined) return;
        wrong.push(`${JSON.stringify(request)}\ntheirs ${JSON.stringify(theirs)}\nours ${told}`);
      });
      const shown = wrong.slice(0, 8).join("\n\n");
      assert.is(wrong.length, 0, `seed ${random.seed}, ${wrong.length} differ:\n${shown}`);
      assert.ok(refused > cases.length / 20 && refused < cases.length / 2, `${refused} refused`);
    });
  }
}

test.run();
