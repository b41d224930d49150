import type { Random } from "../../airflow/support/random.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const VALUES: readonly Json[] = [null, true, 0, -5, 2.5, "", "text", [], [1], {}, { x: 1 }, "UTC"];

/** A copy of a document with one thing changed, left out or added anywhere in it. */
export function spoil(document: unknown, random: Random): Json {
  const copy = JSON.parse(JSON.stringify(document)) as Json;
  change(copy, random);
  return copy;
}

function change(document: Json, random: Random): void {
  let place = document as { [key: string]: Json };
  for (;;) {
    const keys = Object.keys(place);
    const key = keys[random.below(keys.length)];
    const inner = key === undefined ? undefined : place[key];
    const isDeep = typeof inner === "object" && inner !== null && Object.keys(inner).length > 0;
    if (isDeep && random.chance(0.8)) {
      place = inner as { [key: string]: Json };
      continue;
    }
    if (key === undefined || random.chance(0.1)) add(place, random);
    else if (random.chance(0.3) && !Array.isArray(place)) delete place[key];
    else place[key] = random.pick(VALUES);
    return;
  }
}

function add(place: { [key: string]: Json }, random: Random): void {
  if (Array.isArray(place)) place.push(random.pick(VALUES));
  else place["added"] = random.pick(VALUES);
}
