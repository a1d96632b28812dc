/** Compares by code points, like databases, and not by UTF-16 units like `<`. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
