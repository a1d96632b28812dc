// What a server says in `WWW-Authenticate` when it refuses a request: where it describes itself, and what it wants.

export type Challenge = { resourceMetadata?: string; scope?: string; error?: string };

const HEADER_MAX = 4_000;
const PARAMETER = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

export function challengeIn(headers: Headers): Challenge {
  const header = headers.get("www-authenticate") ?? "";
  if (header.length > HEADER_MAX || !/(^|,)\s*bearer(\s|$)/i.test(header)) return {};
  const named = new Map<string, string>();
  for (const [, name = "", quoted, plain] of header.matchAll(PARAMETER)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    if (!named.has(name.toLowerCase())) named.set(name.toLowerCase(), value);
  }
  const [at, scope, error] = [named.get("resource_metadata"), scopeIn(named.get("scope")), named.get("error")];
  return {
    ...(at === undefined ? {} : { resourceMetadata: at }),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
  };
}

const SCOPE_MAX = 1_000;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** A scope as the standard writes it; anything else counts as none. */
export function scopeIn(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= SCOPE_MAX && SCOPE.test(value) ? value : undefined;
}

/** Everything that one of the scopes names, each once. */
export function scopesTogether(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap((scope) => scope?.split(" ") ?? []));
  return words.size === 0 ? undefined : [...words].join(" ");
}
