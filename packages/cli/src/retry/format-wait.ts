import type { Instant } from "@parlance/retry";

const UNITS = [
  ["d", 86_400_000_000n],
  ["h", 3_600_000_000n],
  ["min", 60_000_000n],
] as const;

/** A wait for a person, exact: `8 min 32 s`, `1 d`, `0.25 s`, `-5 s`. */
export function formatWait(us: bigint): string {
  if (us < 0n) return `-${formatWait(-us)}`;
  const parts: string[] = [];
  let rest = us;
  for (const [unit, size] of UNITS) {
    if (rest >= size) parts.push(`${rest / size} ${unit}`);
    rest %= size;
  }
  if (rest > 0n || parts.length === 0) {
    const fraction = String(rest % 1_000_000n)
      .padStart(6, "0")
      .replace(/0+$/, "");
    parts.push(`${rest / 1_000_000n}${fraction === "" ? "" : `.${fraction}`} s`);
  }
  return parts.join(" ");
}

/** {@link formatWait} of whole seconds. */
export function formatSeconds(seconds: number): string {
  return Number.isSafeInteger(seconds) ? formatWait(BigInt(seconds) * 1_000_000n) : `${seconds} s`;
}

/** A date for a person: in UTC, the fraction only where there is one. */
export function formatDate(instant: Instant): string {
  return instant.toUtc().toIso().replace("+00:00", "Z");
}
