/** 95 %, two-sided. */
const Z = 1.96;

/**
 * The lower end of Wilson's interval: how good something surely is, given so many good ones out of so many. Three out
 * of three is not yet 100 %: it is 44 %. Few trials prove little, and that is the point.
 */
export function wilsonLowerBound(good: number, of: number): number {
  // Nothing good is nothing: by the formula, rounding leaves a trace of it.
  if (good === 0) return 0;
  const share = good / of;
  const middle = share + (Z * Z) / (2 * of);
  const margin = Z * Math.sqrt((share * (1 - share) + (Z * Z) / (4 * of)) / of);
  return Math.max(0, (middle - margin) / (1 + (Z * Z) / of));
}
