import type { Route } from "./route.ts";

export type Matched =
  | { is: "route"; route: Route; params: Readonly<Record<string, string>> }
  /** The path is known, but only with these methods. */
  | { is: "method"; methods: readonly string[] }
  | { is: "nothing" };

type Known = { route: Route; pieces: readonly string[] };

/** Finds the route of a path. Literal segments come before `:names`, in whatever order the routes are listed. */
export function routerOf(routes: readonly Route[]): (method: string, path: string) => Matched {
  const known = routes.map((route) => ({ route, pieces: route.path.split("/") }));
  const plain = new Map<string, Known[]>();
  for (const one of known) {
    if (!one.route.path.includes(":")) plain.set(one.route.path, [...(plain.get(one.route.path) ?? []), one]);
  }
  const named = byLength(known.filter(({ route }) => route.path.includes(":")));
  return (method, path) => {
    const written = plain.get(path);
    const pieces = written === undefined ? path.split("/") : [];
    const fitting = written ?? named.get(pieces.length)?.filter((one) => fits(one.pieces, pieces)) ?? [];
    if (fitting.length === 0) return { is: "nothing" };
    const found = fitting.find(({ route }) => route.method === method);
    if (found === undefined) return { is: "method", methods: fitting.map(({ route }) => route.method) };
    const params = written === undefined ? paramsOf(found.pieces, pieces) : NO_PARAMS;
    return params === undefined ? { is: "nothing" } : { is: "route", route: found.route, params };
  };
}

const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Only routes with the same number of segments are compared. */
function byLength(known: readonly Known[]): ReadonlyMap<number, readonly Known[]> {
  const found = new Map<number, Known[]>();
  for (const one of known) found.set(one.pieces.length, [...(found.get(one.pieces.length) ?? []), one]);
  return found;
}

function fits(pattern: readonly string[], pieces: readonly string[]): boolean {
  for (let at = 0; at < pattern.length; at++) {
    const piece = pattern[at] as string;
    if (piece.startsWith(":") ? pieces[at] === "" : piece !== pieces[at]) return false;
  }
  return true;
}

function paramsOf(pattern: readonly string[], pieces: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [at, piece] of pattern.entries()) {
    if (!piece.startsWith(":")) continue;
    const value = decoded(pieces[at] ?? "");
    if (value === undefined) return undefined;
    params[piece.slice(1)] = value;
  }
  return params;
}

function decoded(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch {
    // An invalid percent-encoding matches nothing.
    return undefined;
  }
}
