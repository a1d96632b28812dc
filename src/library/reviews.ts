import type { Approval } from "../core/approval.ts";
import type { Digest } from "../core/call.ts";
import type { GrantCover } from "../core/grant.ts";
import { parseDuration } from "../core/values/duration.ts";
import type { Deps } from "../gate/deps.ts";
import { edit } from "../gate/edit.ts";
import { type Remember, review } from "../gate/review.ts";
import { objectOf, textOf } from "./input.ts";
import { badInput, orThrow } from "./refusal.ts";

/** One person's answer, by a program that vouches for who gave it: recorded with assurance `process`. */
export type ReviewInput = {
  by: string;
  verdict: "approve" | "deny";
  /** What the person saw; an answer about other bytes is refused. */
  digest: string;
  note?: string;
  remember?: RememberInput;
  /** Other arguments in place of the ones asked about; they are judged again. */
  edits?: unknown;
};

/** Approve and go on approving: makes a grant in the same step. Neither `uses` nor `until`: 24 hours. */
export type RememberInput = {
  uses?: number;
  /** How long from now: `90s`, `30m`, `24h`, `7d`. */
  until?: string;
  /** What the grant covers; left out, the narrowest that would cover this call. */
  covers?: GrantCover;
  /** For this session of the agent only. */
  session?: true;
};

export async function answer(deps: Deps, approvalId: string, input: ReviewInput): Promise<Approval> {
  const given = {
    by: textOf(input.by, "by"),
    verdict: verdictOf(input.verdict),
    digest: textOf(input.digest, "digest") as Digest,
    note: input.note ?? "",
    assurance: "process" as const,
    bulk: false,
  };
  if (input.edits !== undefined) {
    if (given.verdict === "deny") throw badInput("edits", "a denial changes nothing", "leave them out, or approve");
    if (input.remember !== undefined)
      throw badInput("remember", "an edit is for one call", "approve and remember a call as it was asked");
    return orThrow(await edit(deps, approvalId, { ...given, args: objectOf(input.edits, "edits") }));
  }
  const remember = input.remember === undefined ? {} : { remember: rememberOf(input.remember, deps.clock.nowMs()) };
  return orThrow(await review(deps, approvalId, { ...given, ...remember }));
}

/** A typo is an error, not a denial. */
function verdictOf(verdict: string): "approve" | "deny" {
  if (verdict === "approve" || verdict === "deny") return verdict;
  throw badInput("verdict", `${String(verdict)} is not a verdict`, "say approve or deny");
}

function rememberOf({ uses, until, covers, session }: RememberInput, nowMs: number): Remember {
  const forMs = until === undefined ? undefined : parseDuration(until);
  if (until !== undefined && forMs === undefined) {
    throw badInput("remember/until", `${until} is not a span of time`, "write 90s, 30m, 24h or 7d");
  }
  return {
    ...(uses === undefined ? {} : { usesMax: uses }),
    ...(forMs === undefined ? {} : { untilMs: nowMs + forMs }),
    ...(covers === undefined ? {} : { covers }),
    ...(session === undefined ? {} : { session }),
  };
}
