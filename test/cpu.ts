/**
 * How much CPU time something takes, in milliseconds. For tests that would run for seconds or for ever if the work grew
 * faster than the text: on a busy machine, a clock would not be reliable.
 */
export function cpuMsOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
