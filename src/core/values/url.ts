/**
 * Parses an address. In Node 20 and 22, `URL.canParse` wrongly rejects letters such as ü once it is compiled, so it
 * is used only for ASCII; checking first is cheaper than catching an error.
 */
export function urlFrom(text: string): URL | undefined {
  if (PLAIN.test(text)) return URL.canParse(text) ? new URL(text) : undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const PLAIN = /^[\0-\x7f]*$/;
