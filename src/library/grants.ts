import { EFFECT_CLASSES, LEVELS } from "../core/effect.ts";
import { parseDuration } from "../core/values/duration.ts";
import type { Deps } from "../gate/deps.ts";
import { addGrant, listGrants, type NewGrant, revokeGrant, suggestGrants } from "../gate/grants.ts";
import { type By, VOUCHED } from "./people.ts";
import { badInput, orThrow } from "./refusal.ts";
import { oneOf, shaped } from "./shape.ts";

/** A grant as a program writes it. Neither `until` nor `uses`: 24 hours. */
export type GrantInput = Omit<NewGrant, "assurance" | "untilMs" | "usesMax"> & {
  /** How long from now, `90s`, `30m`, `24h`, `7d`; or a time in milliseconds. */
  until?: string | number;
  uses?: number;
};

export function grantsOf(deps: Deps) {
  return {
    list: () => listGrants(deps),
    /** A person's bounded yes in advance. */
    add: async (grant: GrantInput) => orThrow(await addGrant(deps, { ...newGrant(grant, deps), ...VOUCHED })),
    revoke: async (id: string, { by }: By) => orThrow(await revokeGrant(deps, id, { by })),
    /** Up to three widths of grant that would have covered the call of a question. */
    suggest: async (approvalId: string) => orThrow(await suggestGrants(deps, approvalId)),
  };
}

function newGrant(given: GrantInput, deps: Deps): Omit<NewGrant, "assurance"> {
  shaped(given, ["subject", "covers", "tier", "because", "by", "until", "uses"]);
  shaped(given.subject, ["agent", "session", "run", "person"], "subject");
  shaped(given.covers, ["class", "tool", "targets", "level"], "covers");
  if (given.covers.tool !== undefined) shaped(given.covers.tool, ["name", "definition"], "covers/tool");
  if (given.covers.class !== undefined) oneOf(given.covers.class, EFFECT_CLASSES, "covers/class");
  oneOf(given.covers.level, LEVELS, "covers/level");
  if (given.tier !== undefined) oneOf(given.tier, ["notify", "auto"], "tier");
  const { until, uses, ...grant } = given;
  return {
    ...grant,
    ...(until === undefined ? {} : { untilMs: timeOf(until, deps.clock.nowMs()) }),
    ...(uses === undefined ? {} : { usesMax: uses }),
  };
}

function timeOf(until: string | number, nowMs: number): number {
  if (typeof until === "number" && Number.isSafeInteger(until)) return until;
  const forMs = typeof until === "string" ? parseDuration(until) : undefined;
  if (forMs !== undefined) return nowMs + forMs;
  throw badInput("until", `${String(until)} is no time`, "write 90s, 30m, 24h or 7d, or give milliseconds");
}
