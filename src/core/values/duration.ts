const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A year: something that should last longer should be reviewed again. */
const LONGEST_MS = 366 * 86_400_000;

/** `90s`, `30m`, `24h`, `1d` in milliseconds. Never zero: a wait that ends at once is a mistake. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
  const perUnit = unit === undefined ? undefined : UNIT_MS[unit];
  if (digits === undefined || perUnit === undefined) return undefined;
  const ms = Number(digits) * perUnit;
  return ms <= LONGEST_MS ? ms : undefined;
}

/** The shortest text for exactly this duration. */
export function formatDuration(ms: number): string {
  for (const unit of ["d", "h", "m"]) {
    const perUnit = UNIT_MS[unit] ?? 1;
    if (ms >= perUnit && ms % perUnit === 0) return `${ms / perUnit}${unit}`;
  }
  return `${ms / 1000}s`;
}
