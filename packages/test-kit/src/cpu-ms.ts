/**
 * The processor time of a synchronous call, in milliseconds. For limits on how much work something
 * is: unlike the time on the clock it does not grow with what else the machine is doing.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
