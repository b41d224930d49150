/** What a coordinator, or a person, may send to a runtime. SIGKILL can't be passed on. */
const PASSED: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/**
 * Passes signals that reach this process on, instead of ending it, until the function that is given
 * back is called.
 */
export function passSignals(pass: (name: NodeJS.Signals) => void): () => void {
  const listener = (name: NodeJS.Signals): void => pass(name);
  for (const name of PASSED) process.on(name, listener);
  return () => {
    for (const name of PASSED) process.off(name, listener);
  };
}

/** Ends this process by a signal, as the process it stood for has ended. Gives its name. */
export function dieBySignal(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
