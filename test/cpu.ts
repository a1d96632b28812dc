/**
 * How much of the processor something takes, in milliseconds. For tests that would run for seconds or for ever if the work grew
 * faster than the text: a machine that others use too makes a clock useless for that.
 */
export function cpuMsOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
