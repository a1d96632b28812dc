const UNIT_BYTES: Readonly<Record<string, number>> = { MB: 1_000_000, GB: 1_000_000_000 };

/** `500MB` and `4GB` in bytes. Never zero. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,5})(MB|GB)$/.exec(text) ?? [];
  const perUnit = unit === undefined ? undefined : UNIT_BYTES[unit];
  return digits === undefined || perUnit === undefined ? undefined : Number(digits) * perUnit;
}

const UNITS = ["B", "KB", "MB", "GB"] as const;

/** `12 KB`: three digits at most. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit === 0 || size >= 10 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}
