import { maybe, note, object, reason, text } from "../shape.ts";

/** Words to the agent. */
export const REPLY = object({ text: reason });
/** Who should answer, and a note for them. */
export const HANDOVER = object({ to: text, note: maybe(note) });
/** Until when: `30m`, `17:30`, `tomorrow 9:00`, an ISO time with its zone, or `now` to take it back. */
export const SNOOZE = object({ until: text });

/** The same with who does it, for a program that vouches for them. */
export const REPLY_BY = object({ ...REPLY.keys, by: text });
export const HANDOVER_BY = object({ ...HANDOVER.keys, by: text });
export const SNOOZE_BY = object({ ...SNOOZE.keys, by: text });
