export type { Receipt } from "./core/receipt.ts";
export type { Tier } from "./core/tier.ts";
export { TIERS } from "./core/tier.ts";
export { type CallInput, createGate, type Gate } from "./library/gate.ts";
