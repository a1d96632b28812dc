/** The z-value for a confidence of 95 %, two-sided. */
const Z = 1.96;

/**
 * The lower end of Wilson's interval: a success rate that is almost certainly reached, given the number of successes and
 * of trials. Three successes in three trials give 44 %, not 100 %, because few trials prove little.
 */
export function wilsonLowerBound(good: number, of: number): number {
  // Zero successes give zero; the formula would leave a rounding error.
  if (good === 0) return 0;
  const share = good / of;
  const middle = share + (Z * Z) / (2 * of);
  const margin = Z * Math.sqrt((share * (1 - share) + (Z * Z) / (4 * of)) / of);
  return Math.max(0, (middle - margin) / (1 + (Z * Z) / of));
}
