import type { Piece } from "../change.ts";
import type { CallId, Mint } from "../ids.ts";
import { draft } from "./draft.ts";
import { tellOnce } from "./notices.ts";
import type { Submission } from "./submission-input.ts";

/** Reaching a limit is an event: recorded each time, told to the owner once per window. */
export function limitPiece(s: Submission, call: CallId, mint: Mint, nowMs: number): Piece {
  const reached = s.decision.limits.filter((limit) => limit.reached);
  if (reached.length === 0) return {};
  const { agent, tool, workspace } = s.call;
  const about = { agent, tool, class: s.class };
  return {
    entries: reached.map(({ name, then }) =>
      draft(mint, {
        kind: "limit.reached",
        actor: "leeway",
        subject: { agent, tool, class: s.class, call },
        body: { limit: name, then },
      }),
    ),
    writes: reached.flatMap(({ name }) =>
      tellOnce(s.circle, {
        kind: "limit",
        key: name,
        to: s.circle.owner,
        ref: call,
        workspace,
        nowMs,
        about,
        text: name,
      }),
    ),
  };
}
