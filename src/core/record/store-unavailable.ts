import type { Refused } from "../codes.ts";
import { inTurn, type Message, say } from "../messages/message.ts";
import { textOf } from "../messages/text.ts";
import type { Hash } from "../values/hash.ts";

type Details = { hint?: Message | undefined; lost?: SeenEntry; isInDoubt?: boolean };

export type SeenEntry = { index: number; hash: Hash };

/** The only error that a store throws: nothing was decided about the Change, and sending the same id again is safe. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
  /** The refusal for the caller, if there is more to say. `hint`: what to do; without one, the message says it. */
  readonly refused?: Refused;
  readonly hint: Message;
  /** An entry that this process appended, and that the database no longer has. */
  readonly lost?: SeenEntry;
  /** The Change was sent, and no answer came: it may be recorded, also later. */
  readonly isInDoubt: boolean;
  constructor(why: string | Refused, options?: ErrorOptions & Details) {
    super(typeof why === "string" ? why : textOf(inTurn([why.reason, why.hint]), "en"), options);
    if (typeof why !== "string") this.refused = why;
    this.hint = options?.hint ?? say("hint.do_as_said");
    this.isInDoubt = options?.isInDoubt === true;
    if (options?.lost !== undefined) this.lost = options.lost;
  }
}
