/** By code points, as databases do, and not by UTF-16 units, as `<` does. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
