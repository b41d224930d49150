import type { Random } from "../../airflow/support/random.ts";
import { type GeneratedFile, randomExecutable } from "./random-executable.ts";
import { randomNodeBundle } from "./random-node-bundle.ts";
import { randomDagId } from "./random-scalar.ts";

/** A file of one of the formats, and a Dag that is looked for: mostly one that it has. */
export function randomFile(random: Random): GeneratedFile & { readonly dagId: string } {
  const file = random.chance(0.6) ? randomExecutable(random) : randomNodeBundle(random);
  const isForeign = random.chance(0.2) || file.dagIds.length === 0;
  return { ...file, dagId: isForeign ? randomDagId(random) : random.pick(file.dagIds) };
}
