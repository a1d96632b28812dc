import type { Piece } from "../../core/change.ts";
import type { PersonName } from "../../core/ids.ts";
import { tell } from "../../core/steps/notices.ts";
import type { Deps } from "../deps.ts";
import { circleOf } from "../standing/standing.ts";
import type { HeldStanding } from "./acting.ts";

type Access = {
  to: PersonName;
  who: PersonName;
  did: string;
  /** What to do about it, for whom it surprises. */
  text: string;
  ref: string;
  nowMs: number;
};

/** What lets somebody in under a name is told to whom the name belongs: it may not have been their wish. */
export function toldOfAccess(deps: Deps, inForce: HeldStanding, access: Access): Piece {
  const { to, who, did, text, ref, nowMs } = access;
  const circle = circleOf(inForce, undefined, deps.channels.keys());
  const about = { agent: who, tool: did, class: "" };
  return {
    writes: tell(deps.mint, circle, { kind: "access", to: [to], ref, workspace: deps.workspace, nowMs, about, text }),
  };
}
