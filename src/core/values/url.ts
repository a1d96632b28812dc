/**
 * The address that a text is. Node 20 and 22 take a letter such as ü for a broken one in `URL.canParse`, from the moment on
 * at which that function is compiled: only plain letters are left to it, because asking is cheaper than catching.
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
