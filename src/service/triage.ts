import type { Approval } from "../core/approval.ts";
import { handOver, reply, snooze } from "../gate/approvals/triage.ts";
import type { Deps } from "../gate/deps.ts";
import type { Acting } from "../gate/people/acting.ts";
import { VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";
import { parse, type TypeOf, textOf } from "./shape.ts";
import { type HANDOVER, HANDOVER_BY, type REPLY, REPLY_BY, type SNOOZE, SNOOZE_BY } from "./shapes/triage.ts";

// What somebody who may answer can do instead of answering: write to the agent, hand the question over, put it aside.

export async function replyBy(deps: Deps, id: string, given: TypeOf<typeof REPLY>, acting: Acting): Promise<Approval> {
  return orThrow(await reply(deps, id, { ...acting, ...given }));
}

export async function handOverBy(
  deps: Deps,
  id: string,
  { to, note: said = "" }: TypeOf<typeof HANDOVER>,
  acting: Acting,
): Promise<Approval> {
  return orThrow(await handOver(deps, id, { ...acting, to, note: said }));
}

export async function snoozeBy(
  deps: Deps,
  id: string,
  given: TypeOf<typeof SNOOZE>,
  acting: Acting,
): Promise<Approval> {
  return orThrow(await snooze(deps, id, { ...acting, ...given }));
}

/** For a program, which vouches for who acts. */
export function triageOf(deps: Deps) {
  const named = (approvalId: string) => textOf(approvalId, "approvalId");
  return {
    /** Writes to the agent, without an answer: the question stays open, and a waiting caller gets the text. */
    reply: async (approvalId: string, input: TypeOf<typeof REPLY_BY>): Promise<Approval> => {
      const { by, ...given } = parse(REPLY_BY, input);
      return replyBy(deps, named(approvalId), given, { by, ...VOUCHED });
    },
    /** Asks somebody else who may answer to do it. They get a notice, but no new permission. */
    handOver: async (approvalId: string, input: TypeOf<typeof HANDOVER_BY>): Promise<Approval> => {
      const { by, ...given } = parse(HANDOVER_BY, input);
      return handOverBy(deps, named(approvalId), given, { by, ...VOUCHED });
    },
    /** Puts a question aside for one person until a time, when they get a reminder. */
    snooze: async (approvalId: string, input: TypeOf<typeof SNOOZE_BY>): Promise<Approval> => {
      const { by, ...given } = parse(SNOOZE_BY, input);
      return snoozeBy(deps, named(approvalId), given, { by, ...VOUCHED });
    },
  };
}
