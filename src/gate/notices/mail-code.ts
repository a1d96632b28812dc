import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import { ChannelFailure, type Outgoing } from "../../ports.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actStep } from "../people/acting.ts";
import { CODE_MS, mailCode } from "../people/contacts.ts";
import { personNamed } from "./outgoing.ts";
import { channelNamed, type Sending } from "./sending.ts";

/** How many codes are sent for one person within the lifetime of a code, so that nobody can fill the mailbox of another. */
const CODES_MAX = 5;
const LENGTH_MAX = 254;

/**
 * Sends a person the code that proves a mail address to be theirs; `linkMail` takes it. The mail goes out at once and not
 * with the notices, because the person waits for it: what the mail server says is the answer.
 */
export async function sendMailCode(
  deps: Deps,
  sending: Sending,
  address: string,
  acting: Acting,
): Promise<{ ok: true; value: { address: string } } | Refused> {
  if (!isMailAddress(address))
    return refused("LEEWAY_BAD_INPUT", say("refusal.not_a_mail_address"), say("hint.write_mail_address"));
  const found = await channelNamed(deps, sending, "email");
  if (found === undefined) return refused("LEEWAY_BAD_INPUT", say("refusal.no_mail_channel"), say("hint.set_up_mail"));
  const code = await mailCode(deps, address, acting);
  if (!code.ok) return code;
  const counted = await countCode(deps, acting.by);
  if (!counted.ok) return counted;
  const language = (await personNamed(deps, acting.by))?.reach?.language ?? found.settings.language ?? "en";
  const minutes = CODE_MS / 60_000;
  try {
    await found.channel.deliver({
      ...unkept(deps, acting.by, address, {
        title: textOf(say("email.code_title"), language),
        text: textOf(say("email.code_text", { code: code.value, minutes }), language),
      }),
      language,
      link: `${sending.origin}/settings`,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isTheirs = error instanceof ChannelFailure && error.kind === "gone";
    const hint = isTheirs ? say("hint.write_mail_address") : say("hint.mail_settings");
    return refused(isTheirs ? "LEEWAY_BAD_INPUT" : "LEEWAY_BUSY", say("refusal.mail_not_sent", { why }), hint);
  }
  return { ok: true, value: { address } };
}

/** One address and nothing else: no list, no name, no second line. */
export function isMailAddress(text: string): boolean {
  return text.length <= LENGTH_MAX && /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/.test(text);
}

/** A message that is not stored as a notice, because its text contains the code. */
function unkept(
  { clock, mint, workspace }: Deps,
  to: string,
  address: string,
  words: Pick<Outgoing, "title" | "text">,
): Omit<Extract<Outgoing, { state: "waiting" }>, "language"> {
  const nowMs = clock.nowMs();
  return {
    ...words,
    id: mint.next("ntc"),
    workspace,
    kind: "access",
    to,
    ref: to,
    channel: "email",
    createdMs: nowMs,
    attempts: 0,
    dueMs: nowMs,
    state: "waiting",
    address: { to: "person", contacts: [{ channel: "email", account: address, label: address, linkedMs: nowMs }] },
  };
}

function countCode(deps: Deps, person: string): Promise<{ ok: true; value: undefined } | Refused> {
  return actStep(deps, async (nowMs): Promise<Step<undefined>> => {
    const counter = `mail code:${person}:${Math.floor(nowMs / CODE_MS)}`;
    const asked = { ask: "counters", workspace: deps.workspace, counters: [counter], nowMs } as const;
    const [sent = 0] = await deps.store.read(asked);
    if (sent >= CODES_MAX)
      return refused("LEEWAY_LOCKED", say("refusal.too_many_codes", { count: CODES_MAX }), say("hint.code_later"));
    const write = { do: "add" as const, counter, by: 1, untilMs: nowMs + 2 * CODE_MS };
    return { ok: true, pieces: [{ writes: [write] }], value: undefined };
  });
}
