/** One thing that was looked at. `warn`: something is not gated or could be looser than meant; `bad`: it does not work. */
export type Finding = { what: string; state: "ok" | "warn" | "bad"; says: string; hint?: string };
