import { nameText } from "../../core/letters/name-text.ts";
import { inTurn } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import { visible } from "../../core/values/text.ts";
import { bellOf } from "../../gate/time/bell.ts";
import type { NoticeView } from "../../service/views/notices.ts";
import { snoozeTime } from "../commands/calls/triage.ts";
import { failureOf, isRefusal } from "../failure.ts";
import type { CommandGate, Keyring, LiveInbox, PersonActs } from "../gate/command-gate.ts";
import { coloursFor, type Io, splitKeys } from "../terminal/io.ts";
import { drawn } from "../terminal/table.ts";
import { lasting } from "../terminal/time.ts";
import { offerAt } from "../views/grant-offers.ts";
import { toldLine } from "../views/notice-lines.ts";
import { itemMaker } from "./items.ts";
import {
  type Act,
  backAt,
  handingOver,
  type InboxAnswer,
  type InboxItem,
  type InboxNotice,
  press,
  refresh,
  rememberedOf,
  resize,
  type State,
  start,
  withMore,
  withNews,
  wrongPassphrase,
} from "./model.ts";
import { view } from "./view.ts";

const EVERY_MS = 1000;
const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";

/** Shows the questions until the person leaves; every key goes through the model, every act through a verb. */
export async function inboxLoop(io: Io, gate: CommandGate): Promise<void> {
  let state = start(rowsOf(io));
  const itemsOf = itemMaker();
  // One signal for all events: a key, a change at the gate, a second that has passed.
  const bell = bellOf(io.clock.sleep);
  const live = await gate.liveInbox(bell.ring);
  const keys = keysOf(io, bell.ring);
  const draw = () => paint(io, state, live.keyring.person, gate.nowMs());
  io.stderr.write(ENTER);
  try {
    for (;;) {
      const { inbox, told } = await live.look();
      state = withMore(refresh(resize(state, rowsOf(io)), itemsOf(inbox, columnsOf(io), gate.nowMs())), inbox.more);
      state = withNews(state, await newsOf(live, told), toldLine(told));
      draw();
      if (keys.waiting.length === 0) await bell.next(EVERY_MS);
      const key = keys.waiting.shift();
      if (key === undefined) continue;
      const next = press(state, key);
      state = next.state;
      if (next.act.do === "quit") return;
      draw();
      state = await perform(state, next.act, live, gate.nowMs());
    }
  } finally {
    keys.stop();
    live.stop();
    io.stderr.write(LEAVE);
  }
}

async function newsOf(live: LiveInbox, told: readonly NoticeView[]): Promise<readonly InboxNotice[]> {
  const news: InboxNotice[] = [];
  for (const notice of told) {
    const { id, readMs } = notice;
    const says = notice.kind === "ran" && notice.text !== "";
    const title = says ? `${notice.title}: ${notice.text}` : notice.title;
    news.push({ id, title: visible(title), atMs: await live.toldMs(notice), isNew: readMs === undefined });
  }
  return news;
}

async function perform(state: State, act: Act, live: LiveInbox, nowMs: number): Promise<State> {
  const { keyring } = live;
  switch (act.do) {
    case "nothing":
    case "quit":
      return state;
    case "wish":
      if (!keyring.isOpen()) return { ...state, mode: { is: "passphrase", wish: act.wish, text: "", wrong: 0 } };
      return grantWish(state, act.wish, keyring, nowMs);
    case "find others":
      return handingOver(state, act.item, await live.others(act.item.id));
    case "prove": {
      const opened = await keyring.open(act.passphrase);
      if (opened.ok) return grantWish(state, act.wish, keyring, nowMs);
      if (opened.code === "LEEWAY_LOCKED")
        return { ...state, mode: { is: "list" }, told: textOf(inTurn([opened.reason, opened.hint]), "en") };
      const wrong = state.mode.is === "passphrase" ? state.mode.wrong : 0;
      return wrongPassphrase(state, act.wish, wrong + 1);
    }
    case "read":
      for (const id of act.ids) await live.readNotice(id);
      return state;
  }
}

async function grantWish(state: State, wish: InboxAnswer, keyring: Keyring, nowMs: number): Promise<State> {
  const done: State = { ...state, mode: { is: "list" } };
  try {
    return { ...done, told: `${await granted(wish, keyring.acts(), nowMs)}: ${wish.item.title}` };
  } catch (error) {
    if (isRefusal(error)) return backAt(state, wish.item, failureOf(error).message);
    return backAt(state, wish.item, error instanceof Error ? error.message : String(error));
  }
}

/** Does it, and says what was done. */
async function granted(wish: InboxAnswer, acts: PersonActs, nowMs: number): Promise<string> {
  const { id, digest } = wish.item;
  switch (wish.to) {
    case "reply":
      await acts.reply(id, wish.text);
      return "the agent will read it; the question stays open";
    case "hand over": {
      const [, to = "", note = ""] = /^(\S+)\s*(.*)$/.exec(wish.text.trim()) ?? [];
      await acts.handOver(id, { to, note });
      return `${nameText(to)} is asked to answer`;
    }
    case "snooze":
      await acts.snooze(id, snoozeTime(wish.text, nowMs));
      return "put aside; you get a reminder";
    default: {
      const remember =
        wish.to === "approve" && wish.remember !== undefined ? rememberOf(wish.item, wish.remember, nowMs) : undefined;
      const { state: became } = await acts.review(id, {
        verdict: wish.to,
        digest,
        note: wish.to === "deny" ? wish.note : "",
        ...(remember === undefined ? {} : { remember }),
      });
      return became === "pending" ? "your answer was counted; more people must answer" : became;
    }
  }
}

/** Bound to the choice that was shown: the grant covers exactly that. */
function rememberOf({ offers, notRemembered }: InboxItem, typed: string, nowMs: number) {
  const { width, lasts, isAlso } = rememberedOf(typed);
  const { covers, waiting } = offerAt(
    { offers, ...(notRemembered === undefined ? {} : { none: notRemembered }) },
    width,
  );
  return { ...lasting(lasts, nowMs), covers, ...(isAlso ? { also: waiting } : {}) };
}

function paint(io: Io, state: State, person: string, nowMs: number): void {
  const colours = coloursFor(io.stderr, io.env);
  const lines = view(state, { columns: columnsOf(io), colours, nowMs, person });
  io.stderr.write(`\x1b[H${lines.map((line) => `${drawn(line, colours)}\x1b[K`).join("\r\n")}\x1b[J`);
}

function rowsOf(io: Io): number {
  return Math.max(8, io.stderr.rows || 24);
}

function columnsOf(io: Io): number {
  return Math.max(20, io.stderr.columns || 80);
}

/** Returns keys one by one, and loses none if several arrive at once. */
function keysOf(io: Io, ring: () => void): { waiting: string[]; stop(): void } {
  const waiting: string[] = [];
  const onData = (data: Buffer | string) => {
    waiting.push(...splitKeys(data.toString()));
    ring();
  };
  // The end of input means that the person quits.
  const onEnd = () => onData("\x04");
  io.stdin.setRawMode(true);
  io.stdin.on("data", onData).on("end", onEnd).resume();
  return {
    waiting,
    stop: () => {
      io.stdin.off("data", onData).off("end", onEnd);
      io.stdin.setRawMode(false);
      io.stdin.pause();
    },
  };
}
