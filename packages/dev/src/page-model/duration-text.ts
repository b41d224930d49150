const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** A duration for people, in at most two units: `0.8 s`, `4 s`, `2 min 5 s`, `1 d 3 h`. */
export function durationText(seconds: number): string {
  if (seconds < 0) return `-${durationText(-seconds)}`;
  if (seconds < 60) return `${shortNumber(seconds)} s`;
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    if (parts.length === 0 && rest < size) continue;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    if (parts.length === 2) return parts.join(" ");
  }
  if (rest > 0) parts.push(`${rest} s`);
  return parts.slice(0, 2).join(" ");
}

/** Two digits that say something: `0.04`, `0.8`, `4.2`, `17`. */
function shortNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (value >= 10) return value >= 59.5 ? "60" : value.toFixed(0);
  return String(Number(value.toFixed(value < 1 ? 2 : 1)));
}

/** Seconds between two times; `now` stands for an end that has not come. Null without a start. */
export function elapsedSeconds(
  start: string | null,
  end: string | null,
  nowMs: number,
): number | null {
  if (start === null) return null;
  const endMs = end === null ? nowMs : Date.parse(end);
  return Math.max(0, (endMs - Date.parse(start)) / 1000);
}
