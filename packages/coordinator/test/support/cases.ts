import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../test/cases/", import.meta.url);

/** One file of test/cases. */
export interface Case<Input, Expected> {
  readonly id: string;
  readonly title: string;
  readonly must: string;
  readonly input: Input;
  readonly expected: Expected;
}

export function loadCase<Input, Expected>(id: string): Case<Input, Expected> {
  return JSON.parse(readFileSync(new URL(`${id}.json`, folder), "utf8"));
}

export function loadCases<Input, Expected>(prefix: string): Case<Input, Expected>[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  return names.sort().map((name) => loadCase(name.slice(0, -".json".length)));
}
