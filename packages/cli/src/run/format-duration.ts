/** A time for a person: `310 ms`, `12.3 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 9_999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
