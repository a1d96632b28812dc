import type { Approval } from "../../core/approval.ts";
import { isOpen } from "../../core/approval.ts";
import { type Piece, put, unchanged } from "../../core/change.ts";
import { placeIn, quietUntilMs } from "../../core/channel.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { ASKING_KINDS, isDigest, type Notice, type SentMessage } from "../../core/notice.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import { draft } from "../../core/steps/draft.ts";
import { RAN_WINDOW_MS, updateNotice } from "../../core/steps/notices.ts";
import { sha256Hex } from "../../core/values/hash.ts";
import { type Channel, ChannelFailure, type Delivered, type Outgoing } from "../../ports.ts";
import { commitStep } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { forgetContact } from "../people/contacts.ts";
import { lockOf } from "../people/secret-locks.ts";
import { outgoingOf, personNamed, questionOf } from "./outgoing.ts";
import { channelNamed, type Sending } from "./sending.ts";

// Notices to channels outside. Each is delivered at least once. What the channel cannot take now is tried again; what it
// could not take for a day is given up and listed, so that a person can send it again. No call ever waits for any of it.

export type Delivery = "delivered" | "postponed" | "folded" | "dead" | "retry";

/** A channel that did not answer is left alone for so long; then one notice tries it again. */
const DOWN_MS = 15_000;
/** After this time without success a notice is given up. */
const GIVEN_UP_MS = 24 * 60 * 60 * 1000;
const [BACK_OFF_MS, BACK_OFF_MAX_MS] = [1_000, 45_000];
/** More questions than this in one time window are told together, by channel and receiver. */
export const CARDS_MAX = 10;

export async function deliver(deps: Deps, sending: Sending, taken: Versioned<"notices">): Promise<Delivery> {
  const notice = taken.row;
  const nowMs = deps.clock.nowMs();
  // The notice stays leased: it is taken again when the lease ends, and costs nothing until then.
  if (downKeys(notice).some((key) => (sending.downUntilMs.get(key) ?? 0) > nowMs)) return "postponed";
  return settle(deps, taken, await tried(deps, sending, notice));
}

async function tried(deps: Deps, sending: Sending, notice: Notice): Promise<Step> {
  try {
    const step = await attempt(deps, sending, notice);
    for (const key of downKeys(notice)) sending.downUntilMs.delete(key);
    return step;
  } catch (error) {
    return failed(deps, sending, notice, error);
  }
}

/** The channel, and the receiver in it: which of them is down depends on the channel. */
function downKeys({ channel, to }: Notice): readonly [string, string] {
  return [channel, `${channel} ${to}`];
}

async function downKey(deps: Deps, sending: Sending, notice: Notice): Promise<string> {
  const found = await channelNamed(deps, sending, notice.channel).catch(() => undefined);
  const [ofChannel, ofReceiver] = downKeys(notice);
  return found?.channel.failsApart === true ? ofReceiver : ofChannel;
}

/** What happens to the row of a notice. */
type Step =
  | { is: "delivered"; sent?: SentMessage; asked?: Approval | undefined }
  | { is: "folded" }
  | { is: "later"; dueMs: number; counts: boolean }
  | { is: "dead"; why: Message | string };

async function attempt(deps: Deps, sending: Sending, notice: Notice): Promise<Step> {
  const found = await channelNamed(deps, sending, notice.channel);
  if (found === undefined) return { is: "dead", why: say("reason.channel_missing", { channel: notice.channel }) };
  const { channel, settings } = found;
  const asked = await questionOf(deps, notice);
  if (notice.kind === "update") return updateAll(deps, sending, notice, { channel, settings, asked });
  const nowMs = deps.clock.nowMs();
  // Nobody has to be told about a question that was answered or expired in the meantime.
  if (asked !== undefined && !isOpen(asked, nowMs)) return { is: "delivered" };
  const later = await quietFor(deps, notice, nowMs);
  if (later !== undefined) return { is: "later", dueMs: later, counts: false };
  if (asked === undefined) return send(deps, sending, notice, { channel, settings, asked });
  const counter = sentCounter(notice, nowMs);
  const underWay = sending.underWay.get(counter) ?? 0;
  sending.underWay.set(counter, underWay + 1);
  try {
    if ((await sentLately(deps, notice, nowMs)) + underWay >= CARDS_MAX) return { is: "folded" };
    return await send(deps, sending, notice, { channel, settings, asked });
  } finally {
    const left = (sending.underWay.get(counter) ?? 1) - 1;
    if (left === 0) sending.underWay.delete(counter);
    else sending.underWay.set(counter, left);
  }
}

type Found = { channel: Channel; settings: Parameters<typeof outgoingOf>[2]; asked: Approval | undefined };

async function send(deps: Deps, sending: Sending, notice: Notice, found: Found): Promise<Step> {
  const { channel, settings, asked } = found;
  const outgoing = await outgoingOf(deps, sending, settings, await counted(deps, notice), asked);
  // A person who has unlinked the account does not want to be told there.
  if (outgoing === undefined) return { is: "delivered" };
  if (asked === undefined || !canBeAnswered(channel)) {
    return { is: "delivered", sent: placeOf(await sendBy(deps, sending, channel, outgoing)), asked };
  }
  const opens = buttonOf(notice, asked.digest);
  const secret = secretOf(deps, opens);
  const page = channel.answersBy === "page" ? { answerAt: answerPageOf(sending, notice, secret) } : {};
  const done = placeOf(await sendBy(deps, sending, channel, { ...outgoing, secret, ...page }));
  const lock = lockOf(deps, secret, opens);
  return { is: "delivered", sent: { ...done, lock, digest: asked.digest }, asked };
}

/** A message has buttons only if somebody proves who pressed them. */
function canBeAnswered({ hear, listen, answersBy }: Channel): boolean {
  return hear !== undefined || listen !== undefined || answersBy !== undefined;
}

/** A person may have several devices; those that are no longer there are forgotten. */
async function sendBy(deps: Deps, sending: Sending, channel: Channel, outgoing: Outgoing): Promise<Delivered> {
  const done = await channel.deliver(outgoing);
  sending.last.set(channel.name, { atMs: deps.clock.nowMs() });
  for (const account of done?.gone ?? []) await forgetContact(deps, outgoing.to, channel.name, account);
  return done ?? {};
}

/** What the secret of a message opens: the answer to this question with this digest, by this message. */
export function buttonOf({ id, ref }: Pick<Notice, "id" | "ref">, digest: string): string {
  return `button ${id} ${ref} ${digest}`;
}

/**
 * The secret of a message. It is made from the gate's key, so that somebody who reads the database cannot make it. It is
 * the same each time the message is shown, so that a form that was opened from the message still counts after a change.
 */
function secretOf({ sealer }: Deps, opens: string): string {
  return sha256Hex(sealer.mark(`secret of ${opens}`));
}

/** A question that is still open keeps its buttons when its message is shown anew. */
function withButtons(deps: Deps, { id, ref, ...notice }: Notice, outgoing: Outgoing): Outgoing {
  if (notice.state !== "delivered" || notice.sent?.lock === undefined || notice.sent.digest === undefined)
    return outgoing;
  if (outgoing.question?.state !== "pending") return outgoing;
  return { ...outgoing, secret: secretOf(deps, buttonOf({ id, ref }, notice.sent.digest)) };
}

/** The page with the question of this message. Its address contains the secret, which is the only proof that it asks for. */
function answerPageOf({ origin }: Sending, { channel, id }: Notice, secret: string): string {
  return `${origin}/channels/${channel}/${encodeURIComponent(id)}?secret=${encodeURIComponent(secret)}`;
}

function placeOf({ message, chat }: Delivered): SentMessage {
  return { ...(message === undefined ? {} : { message }), ...(chat === undefined ? {} : { chat }) };
}

/** Every message of this channel that shows the question shows it as it is now. */
async function updateAll(deps: Deps, sending: Sending, notice: Notice, u: Found): Promise<Step> {
  const { channel, settings, asked } = u;
  if (asked === undefined || channel.update === undefined) return { is: "delivered" };
  const shown = await deps.store.read({
    ask: "rows",
    workspace: deps.workspace,
    table: "notices",
    where: { call: notice.ref },
    limit: SHOWN_MAX,
    order: "oldest",
  });
  for (const { row } of shown) {
    if (row.channel !== notice.channel || row.state !== "delivered" || row.sent === undefined) continue;
    const outgoing = await outgoingOf(deps, sending, settings, row, asked);
    if (outgoing !== undefined) await channel.update(row.sent, withButtons(deps, row, outgoing)).catch(ignoreGone);
  }
  return { is: "delivered" };
}

const SHOWN_MAX = 500;

/** A message that somebody deleted cannot be changed, and need not be. */
function ignoreGone(error: unknown): void {
  if (error instanceof ChannelFailure && (error.kind === "gone" || error.kind === "refused")) return;
  throw error;
}

/** Until when the receiver wants to be left alone. Escalations are sent anyway, because nobody else answered. */
async function quietFor(deps: Deps, notice: Notice, nowMs: number): Promise<number | undefined> {
  if (notice.kind === "escalated" || placeIn(notice.to) !== undefined) return undefined;
  const quiet = (await personNamed(deps, notice.to))?.reach?.quiet;
  return quiet === undefined ? undefined : quietUntilMs(quiet, nowMs);
}

function windowStart(nowMs: number): number {
  return nowMs - (nowMs % RAN_WINDOW_MS);
}

function sentCounter({ channel, to }: Notice, nowMs: number): string {
  return `sent:${channel}:${to}:${windowStart(nowMs)}`;
}

async function sentLately(deps: Deps, notice: Notice, nowMs: number): Promise<number> {
  const counters = [sentCounter(notice, nowMs)];
  const [sent = 0] = await deps.store.read({ ask: "counters", workspace: deps.workspace, counters, nowMs });
  return sent;
}

/** The message that stands for many questions says how many wait when it is sent. */
async function counted(deps: Deps, notice: Notice): Promise<Notice> {
  if (!isDigest(notice) || notice.kind !== "pending") return notice;
  const { workspace } = deps;
  const count = await deps.store.read({ ask: "count", workspace, table: "approvals", where: { state: "pending" } });
  return { ...notice, title: say("notice.questions_wait", { count }), text: say("notice.open_inbox") };
}

async function failed(deps: Deps, sending: Sending, notice: Notice, error: unknown): Promise<Step> {
  const why = error instanceof Error ? error.message : String(error);
  const nowMs = deps.clock.nowMs();
  const kind = error instanceof ChannelFailure ? error.kind : "down";
  sending.last.set(notice.channel, { atMs: nowMs, failure: why });
  for (const account of error instanceof ChannelFailure ? error.gone : [])
    await forgetContact(deps, notice.to, notice.channel, account);
  if (kind === "gone") {
    // The account that this notice was for is unlinked already; the person's account of today is another one.
    if (notice.account === undefined) await forgetContact(deps, notice.to, notice.channel);
    return { is: "dead", why };
  }
  if (kind === "refused" || nowMs - (notice.retriedMs ?? notice.createdMs) >= GIVEN_UP_MS) return { is: "dead", why };
  if (kind === "down") sending.downUntilMs.set(await downKey(deps, sending, notice), nowMs + DOWN_MS);
  const waitMs = error instanceof ChannelFailure ? error.retryAfterMs : undefined;
  return { is: "later", dueMs: nowMs + (waitMs ?? backOffMs(notice)), counts: true };
}

function backOffMs({ id, attempts }: Notice): number {
  let jitter = 0;
  for (let i = 0; i < id.length; i++) jitter = (jitter * 31 + id.charCodeAt(i)) % BACK_OFF_MS;
  return Math.min(BACK_OFF_MS * 2 ** (attempts + 1), BACK_OFF_MAX_MS) + jitter;
}

/** Records what happened to the notice, unless another process did in the meantime. */
async function settle(deps: Deps, taken: Versioned<"notices">, step: Step): Promise<Delivery> {
  const { id } = taken.row;
  await commitStep(deps, async (nowMs) => {
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "notices", id });
    if (held?.version !== taken.version) return { ok: true, pieces: [], value: undefined };
    const needs = [unchanged("notices", id, taken.version)];
    return { ok: true, pieces: [{ needs }, ...(await piecesOf(deps, taken.row, step, nowMs))], value: undefined };
  });
  return step.is === "later" ? (step.counts ? "retry" : "postponed") : step.is;
}

async function piecesOf(deps: Deps, notice: Notice, step: Step, nowMs: number): Promise<readonly Piece[]> {
  const { state: _, ...base } = { ...notice, attempts: notice.attempts + 1 };
  switch (step.is) {
    case "later":
      return [
        {
          writes: [
            put("notices", {
              ...base,
              attempts: notice.attempts + (step.counts ? 1 : 0),
              dueMs: step.dueMs,
              state: "waiting",
            }),
          ],
        },
      ];
    case "dead": {
      const body = { notice: notice.id, channel: notice.channel, why: step.why };
      const entry = draft(deps.mint, { kind: "notice.dead", actor: "leeway", subject: {}, body });
      return [{ writes: [put("notices", { ...base, state: "dead", atMs: nowMs, why: step.why })], entries: [entry] }];
    }
    case "folded":
      return [
        {
          writes: [
            put("notices", { ...base, state: "delivered", atMs: nowMs }),
            put("notices", together(notice, nowMs)),
          ],
        },
      ];
    case "delivered": {
      const sent = step.sent === undefined || Object.keys(step.sent).length === 0 ? {} : { sent: step.sent };
      const writes = [put("notices", { ...base, state: "delivered" as const, atMs: nowMs, ...sent })];
      return [{ writes }, countedCard(notice, nowMs), ...(await closedMeanwhile(deps, notice, step, nowMs))];
    }
  }
}

/** One more question that this receiver was shown in this time window. */
function countedCard(notice: Notice, nowMs: number): Piece {
  if (!ASKING_KINDS.includes(notice.kind)) return {};
  const untilMs = windowStart(nowMs) + 2 * RAN_WINDOW_MS;
  return { writes: [{ do: "add", counter: sentCounter(notice, nowMs), by: 1, untilMs }] };
}

/** If something was said about the question while its message was on the way, the message is changed at once. */
async function closedMeanwhile(
  deps: Deps,
  notice: Notice,
  { sent, asked }: Extract<Step, { is: "delivered" }>,
  nowMs: number,
): Promise<readonly Piece[]> {
  if (asked === undefined || sent?.message === undefined) return [];
  const now = await questionOf(deps, notice);
  if (now !== undefined && isOpen(now, nowMs) && saidIn(now) === saidIn(asked)) return [];
  const { ref, workspace, channel } = notice;
  return [{ writes: [put("notices", updateNotice({ ref, workspace, channel, nowMs }))] }];
}

/** How much people have said about a question: answers, replies and handovers are only ever added. */
function saidIn({ reviews, replies = [], handed = [] }: Approval): number {
  return reviews.length + replies.length + handed.length;
}

/** One message for all questions of this time window that were not shown one by one. */
function together(notice: Notice, nowMs: number): Notice {
  const startMs = windowStart(nowMs);
  const { workspace, to, channel, ref } = notice;
  return {
    id: `ntc_pending_${startMs}_${channel}_${to}`,
    workspace,
    kind: "pending",
    to,
    title: say("notice.questions_wait", { count: CARDS_MAX }),
    text: say("notice.open_inbox"),
    ref,
    channel,
    createdMs: startMs,
    attempts: 0,
    dueMs: startMs + RAN_WINDOW_MS,
    state: "waiting",
  };
}
