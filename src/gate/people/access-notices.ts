import type { Piece } from "../../core/change.ts";
import type { PersonName } from "../../core/ids.ts";
import type { Message } from "../../core/messages/message.ts";
import { tell } from "../../core/steps/notices.ts";
import type { Deps } from "../deps.ts";
import { circleOf } from "../standing/standing.ts";
import type { HeldStanding } from "./acting.ts";

type Access = {
  to: PersonName;
  title: Message;
  /** What to do about it, for whom it surprises. */
  text: Message;
  ref: string;
  nowMs: number;
};

/** What lets somebody in under a name is told to whom the name belongs: it may not have been their wish. */
export function toldOfAccess(deps: Deps, inForce: HeldStanding, access: Access): Piece {
  const { to, title, text, ref, nowMs } = access;
  const circle = circleOf(inForce, undefined, deps.channels.keys());
  return {
    writes: tell(deps.mint, circle, { kind: "access", to: [to], ref, workspace: deps.workspace, nowMs, title, text }),
  };
}
