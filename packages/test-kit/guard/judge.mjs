/** Reads uvu's summary and the declared skips out of a test file's output. */
export function readCounts(output) {
  const count = (label) =>
    Number(new RegExp(`^\\s+${label}:\\s+(\\d+)$`, "m").exec(output)?.[1] ?? 0);
  return {
    total: count("Total"),
    passed: count("Passed"),
    skipped: count("Skipped"),
    declaredSkips: [...output.matchAll(/^# skip: (.+)$/gm)].map((match) => match[1]),
  };
}

/** The reason why a test file failed, or undefined when it passed. */
export function judge({ code, late, total, passed, skipped, declaredSkips, deadlineMs }) {
  if (late) return `still running after ${deadlineMs} ms`;
  if (code !== 0) return `exit code ${code}`;
  if (total === 0 && declaredSkips.length === 0) return "no test ran (is .run() missing?)";
  if (passed !== total) return `${passed} of ${total} passed (did a hook throw?)`;
  if (skipped !== declaredSkips.length) {
    return `${skipped} skipped, ${declaredSkips.length} of them with a reason (is .only left behind?)`;
  }
  return undefined;
}
