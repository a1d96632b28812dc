/**
 * The result of one check. `warn`: something is not gated, or may be looser than intended; `bad`: something does not
 * work.
 */
export type Finding = { what: string; state: "ok" | "warn" | "bad"; says: string; hint?: string };
