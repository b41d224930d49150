import { canonical, type Neutral } from "./neutral-metadata.ts";
import type { Reading } from "./real-readers.ts";

/** What is not the same in two readings; empty when all is. */
export function differencesOf(real: Reading, ours: Reading): readonly string[] {
  return Object.keys(real).filter(
    (part) => tell(real, part) !== tell(ours, part) && part !== "why",
  );
}

function tell(reading: Reading, part: string): string {
  if (part === "dagIds") return reading.dagIds.map(canonical).sort().join();
  return canonical((reading as unknown as Readonly<Record<string, Neutral>>)[part] ?? null);
}
