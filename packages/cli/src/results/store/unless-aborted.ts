/**
 * What `work` gives, or a rejection with the signal's reason as soon as it aborts: a database that does
 * not answer must not hold up whoever wants to leave. The work goes on, and its end is of no interest.
 */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    for (const loser of [work, aborted]) loser.catch(() => {});
  }
}
