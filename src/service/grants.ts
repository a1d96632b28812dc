import type { GrantSubject } from "../core/grant.ts";
import { parseDuration } from "../core/values/duration.ts";
import type { Deps } from "../gate/deps.ts";
import type { Sure } from "../gate/people/acting.ts";
import { addGrant, listGrants, type NewGrant, revokeGrant, suggestGrants } from "../gate/standing/grants.ts";
import { cover } from "./covers.ts";
import { type By, by, VOUCHED } from "./people.ts";
import { badInput, orThrow } from "./refusal.ts";
import {
  type Check,
  checked,
  kindOf,
  maybe,
  objectLike,
  oneOf,
  reason,
  type Shape,
  text,
  textOf,
  whole,
} from "./shape.ts";

/** A grant as a program writes it. Neither `until` nor `uses`: 24 hours. */
export type GrantInput = Omit<NewGrant, keyof Sure | "untilMs" | "usesMax"> & {
  /** How long from now, `90s`, `30m`, `24h`, `7d`; or a time in milliseconds. */
  until?: string | number;
  uses?: number;
};

export function grantsOf(deps: Deps, sure: Sure = VOUCHED) {
  return {
    list: () => listGrants(deps),
    /** A person's bounded yes in advance. */
    add: async (grant: GrantInput) => orThrow(await addGrant(deps, { ...newGrant(grant, deps), ...sure })),
    revoke: async (id: string, who: By) => orThrow(await revokeGrant(deps, textOf(id, "id"), by(who))),
    /** Up to three widths of grant that would have covered the call of a question. */
    suggest: async (approvalId: string) => orThrow(await suggestGrants(deps, textOf(approvalId, "approvalId"))).offers,
  };
}

/** How long from now, or a time in milliseconds. */
const time: Check = (value, path) => {
  if (Number.isSafeInteger(value) || (typeof value === "string" && parseDuration(value) !== undefined)) return;
  const found = typeof value === "string" && value !== "" ? value : kindOf(value);
  throw badInput(path, `${found} is no time`, "write 90s, 30m, 24h or 7d, or give milliseconds");
};

const SUBJECT: Shape<GrantSubject> = {
  agent: maybe(text),
  session: maybe(text),
  run: maybe(text),
  person: maybe(text),
};
export const GRANT: Shape<GrantInput> = {
  subject: objectLike(SUBJECT),
  covers: cover,
  tier: maybe(oneOf(["notify", "auto"])),
  because: reason,
  by: text,
  until: maybe(time),
  uses: maybe(whole(1)),
};

function newGrant(given: GrantInput, deps: Deps): Omit<NewGrant, keyof Sure> {
  const { until, uses, ...grant } = checked(given, GRANT);
  return {
    ...grant,
    ...(until === undefined ? {} : { untilMs: timeOf(until, deps.clock.nowMs()) }),
    ...(uses === undefined ? {} : { usesMax: uses }),
  };
}

function timeOf(until: string | number, nowMs: number): number {
  return typeof until === "number" ? until : nowMs + (parseDuration(until) ?? 0);
}
