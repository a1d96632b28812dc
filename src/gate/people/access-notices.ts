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
  /** What to do if the person did not expect it. */
  text: Message;
  ref: string;
  nowMs: number;
};

/** A person is told about every new way to sign in under their name, because they may not have wanted it. */
export function toldOfAccess(deps: Deps, inForce: HeldStanding, access: Access): Piece {
  const { to, title, text, ref, nowMs } = access;
  const circle = circleOf(inForce, {}, deps.channels.keys());
  return {
    writes: tell(deps.mint, circle, { kind: "access", to: [to], ref, workspace: deps.workspace, nowMs, title, text }),
  };
}
