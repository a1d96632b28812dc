import type { Digest } from "../../core/call.ts";
import { snoozeUntil } from "../../core/snooze.ts";
import { isLasting } from "../terminal/time.ts";
import type { Offer } from "../views/grant-offers.ts";

// The terminal inbox as pure values: a key and a state give the next state and, sometimes, an action.

/** One open question, ready to be shown. */
export type InboxItem = {
  id: string;
  digest: Digest;
  agent: string;
  /** The command, or the tool and its main argument. */
  title: string;
  /** What would happen, in one sentence. */
  does: string;
  class: string;
  needsHuman: boolean;
  answerByMs: number;
  have: number;
  quorum: number;
  /** Why the question cannot be shown; it can be denied, but not approved. */
  unseen?: string;
  /** What could be remembered, the narrowest first; empty if nothing can. */
  offers: readonly Offer[];
  /** Why nothing can be remembered, if nothing can. */
  notRemembered?: string;
  /** The lines of the whole card, wrapped to the width of the screen. */
  card: readonly string[];
};

/** A notice; it needs no answer. */
export type InboxNotice = { id: string; title: string; atMs: number; isNew: boolean };

export type InboxAnswer =
  | { to: "approve"; item: InboxItem; remember?: string }
  | { to: "deny"; item: InboxItem; note: string }
  /** What somebody does instead of answering, with what they typed. */
  | { to: "reply" | "hand over" | "snooze"; item: InboxItem; text: string };

/** What is being typed. */
export type Typed = "note" | "remember" | "reply" | "hand over" | "snooze";

/** `seen`: how many lines of the card were on the screen; approving needs all of them. */
type CardMode = { is: "card"; id: string; top: number; seen: number };

type Mode =
  | { is: "list" }
  | CardMode
  | { is: "help"; from: { is: "list" } | CardMode }
  /** `others`: who else can answer the question, if that is known. */
  | { is: "typing"; what: Typed; item: InboxItem; text: string; others?: readonly string[] }
  /** `wrong`: how often something else than the passphrase was typed. */
  | { is: "passphrase"; wish: InboxAnswer; text: string; wrong: number }
  | { is: "news"; top: number };

export type State = {
  items: readonly InboxItem[];
  /** How many more questions are waiting. */
  more: number;
  news: readonly InboxNotice[];
  /** One line about new notices; empty if there are none. */
  newsLine: string;
  at: number;
  mode: Mode;
  told: string;
  rows: number;
};

export type Act =
  | { do: "nothing" }
  | { do: "quit" }
  | { do: "wish"; wish: InboxAnswer }
  | { do: "find others"; item: InboxItem }
  | { do: "prove"; wish: InboxAnswer; passphrase: string }
  | { do: "read"; ids: readonly string[] };
type Next = { state: State; act: Act };

const NOTHING: Act = { do: "nothing" };
/** Lines that are not the card: title, status, keys. */
export const FRAME_ROWS = 4;

export function start(rows: number): State {
  return { items: [], more: 0, news: [], newsLine: "", at: 0, mode: { is: "list" }, told: "", rows };
}

/** Asks who should answer instead, if anybody else can; `others` is undefined if nobody here knows. */
export function handingOver(state: State, item: InboxItem, others: readonly string[] | undefined): State {
  if (others?.length === 0) return { ...openCard(state, item), told: "nobody else can answer this question" };
  const known = others === undefined ? {} : { others };
  return { ...state, mode: { is: "typing", what: "hand over", item, text: "", ...known }, told: "" };
}

/** Back at the question, with a line that says why. */
export function backAt(state: State, item: InboxItem, told: string): State {
  return { ...openCard(state, item), told };
}

const TRIES_MAX = 3;

/** A wrong passphrase: the prompt stays, for a limited number of tries. */
export function wrongPassphrase(state: State, wish: InboxAnswer, wrong: number): State {
  if (wrong >= TRIES_MAX) {
    return { ...state, mode: { is: "list" }, told: `${wrong} wrong passphrases, nothing was changed` };
  }
  const told = `wrong passphrase, try again (${wrong} of ${TRIES_MAX})`;
  return { ...state, mode: { is: "passphrase", wish, text: "", wrong }, told };
}

export function withMore(state: State, more: number): State {
  return { ...state, more };
}

export function withNews(state: State, news: readonly InboxNotice[], newsLine: string): State {
  return { ...state, news, newsLine };
}

/** The updated list. The cursor stays on its question; a card whose question is gone closes. */
export function refresh(state: State, items: readonly InboxItem[]): State {
  const selected = state.items[state.at]?.id;
  const found = items.findIndex((item) => item.id === selected);
  const at = found >= 0 ? found : Math.max(0, Math.min(state.at, items.length - 1));
  const { mode } = state;
  const card = mode.is === "help" ? mode.from : mode;
  const open = card.is === "card" ? card.id : card.is === "typing" ? card.item.id : undefined;
  if (open !== undefined && !items.some((item) => item.id === open)) {
    return { ...state, items, at, mode: { is: "list" }, told: "that question was answered in the meantime" };
  }
  return { ...state, items, at };
}

export function resize(state: State, rows: number): State {
  return { ...state, rows };
}

export function press(state: State, key: string): Next {
  if (key === "\x03" || key === "\x04") return { state, act: { do: "quit" } };
  switch (state.mode.is) {
    case "list":
      return inList(state, key);
    case "help":
      return still({ ...state, mode: state.mode.from });
    case "card":
      return inCard(state, state.mode, key);
    case "typing":
      return inTyping(state, state.mode, key);
    case "passphrase":
      return inPassphrase(state, state.mode, key);
    case "news":
      return inNews(state, state.mode, key);
  }
}

const DOWN = new Set(["j", "\x1b[B", "\x1bOB"]);
const UP = new Set(["k", "\x1b[A", "\x1bOA"]);
const OPEN = new Set(["\r", "\n", " ", "a", "d", "r", "w", "o", "z", "\x1b[C"]);
const BACK = new Set(["q", "\x1b", "h", "\x1b[D"]);
const PAGE = new Set([" ", "\x1b[6~"]);
const RUBOUT = new Set(["\x7f", "\b"]);

function inList(state: State, key: string): Next {
  if (key === "q" || key === "\x1b") return { state, act: { do: "quit" } };
  if (key === "?") return still({ ...state, mode: { is: "help", from: { is: "list" } } });
  if (key === "n") return openNews(state);
  if (DOWN.has(key))
    return still({ ...state, at: Math.min(state.at + 1, Math.max(0, state.items.length - 1)), told: "" });
  if (UP.has(key)) return still({ ...state, at: Math.max(0, state.at - 1), told: "" });
  const item = state.items[state.at];
  if (item === undefined || !OPEN.has(key)) return still(state);
  return still(openCard(state, item));
}

function openNews(state: State): Next {
  const ids = state.news.filter((one) => one.isNew).map((one) => one.id);
  const opened: State = { ...state, mode: { is: "news", top: 0 }, told: "" };
  return ids.length === 0 ? still(opened) : { state: opened, act: { do: "read", ids } };
}

function inNews(state: State, mode: Extract<Mode, { is: "news" }>, key: string): Next {
  const by = DOWN.has(key) ? 1 : UP.has(key) ? -1 : PAGE.has(key) ? page(state) : undefined;
  if (by === undefined) return BACK.has(key) ? still({ ...state, mode: { is: "list" } }) : still(state);
  const last = Math.max(0, state.news.length - page(state));
  return still({ ...state, mode: { ...mode, top: Math.max(0, Math.min(last, mode.top + by)) } });
}

function openCard(state: State, item: InboxItem): State {
  return { ...state, mode: { is: "card", id: item.id, top: 0, seen: page(state) }, told: "" };
}

function page(state: State): number {
  return Math.max(1, state.rows - FRAME_ROWS);
}

function inCard(state: State, mode: CardMode, key: string): Next {
  const item = state.items.find((candidate) => candidate.id === mode.id);
  if (item === undefined || BACK.has(key)) return still({ ...state, mode: { is: "list" }, told: "" });
  if (DOWN.has(key)) return still(scrolled(state, mode, item, 1));
  if (UP.has(key)) return still(scrolled(state, mode, item, -1));
  if (PAGE.has(key)) return still(scrolled(state, mode, item, page(state)));
  if (key === "?") return still({ ...state, mode: { is: "help", from: mode } });
  const typing = TYPING[key];
  if (typing !== undefined) return still({ ...state, mode: { is: "typing", what: typing, item, text: "" }, told: "" });
  if (key === "o") return { state, act: { do: "find others", item } };
  return key === "a" || key === "r" ? approving(state, mode, item, key) : still(state);
}

function approving(state: State, mode: CardMode, item: InboxItem, key: "a" | "r"): Next {
  if (item.unseen !== undefined)
    return still({ ...state, told: "this question cannot be shown, so it cannot be approved; press d to deny it" });
  if (key === "r" && item.offers.length === 0) {
    return still({
      ...state,
      told: `this call cannot be remembered: ${item.notRemembered ?? "no grant is possible for it"}`,
    });
  }
  if (mode.seen < item.card.length) {
    return still({
      ...state,
      told: `${item.card.length - mode.seen} more lines: press space to see them before approving`,
    });
  }
  if (key === "r") return still({ ...state, mode: { is: "typing", what: "remember", item, text: "" }, told: "" });
  return { state: { ...state, told: "" }, act: { do: "wish", wish: { to: "approve", item } } };
}

/** Keys that ask for a text, whether or not the whole card was seen. */
const TYPING: { readonly [key: string]: Typed } = { d: "note", w: "reply", z: "snooze" };

function scrolled(state: State, mode: CardMode, item: InboxItem, by: number): State {
  const last = Math.max(0, item.card.length - page(state));
  const top = Math.max(0, Math.min(last, mode.top + by));
  return { ...state, mode: { ...mode, top, seen: Math.max(mode.seen, top + page(state)) }, told: "" };
}

function inTyping(state: State, mode: Extract<Mode, { is: "typing" }>, key: string): Next {
  if (key === "\x1b") return still(openCard(state, mode.item));
  if (key !== "\r" && key !== "\n") return still({ ...state, mode: { ...mode, text: typed(mode.text, key) } });
  const wrong = mode.text.trim() === "" ? MISSING[mode.what] : wrongIn(mode);
  if (wrong !== undefined) return still({ ...state, told: wrong });
  return { state: { ...state, mode: { is: "list" } }, act: { do: "wish", wish: wishOf(mode) } };
}

const MISSING: { readonly [T in Typed]?: string } = {
  note: "give a reason, so that the agent can do something else",
  reply: "write what the agent should know",
  "hand over": "write the name of the person who should answer",
  snooze: "write until when, as in 1h or tomorrow 9:00",
};

/** How long a call is remembered if nothing else is typed. */
const REMEMBERED = "24h";

/** What is typed about remembering: which choice, how long, and whether waiting calls are approved too. */
export function rememberedOf(typed: string): { width: string; lasts: string; isAlso: boolean } {
  const [, width = "1", lasts = "", also] = /^(?:(\d)\s+)?(.*?)(\s+also)?$/.exec(typed.trim()) ?? [];
  return { width, lasts, isAlso: also !== undefined };
}

/** What is wrong with the text, so that it can be corrected before a passphrase is asked for. */
function wrongIn({ what, text, others }: Extract<Mode, { is: "typing" }>): string | undefined {
  if (what === "snooze") {
    const isTime = snoozeUntil(text, { nowMs: 0, zone: "UTC" }) !== undefined;
    return isTime ? undefined : `\`${text}\` is not a time: write 30m, 2h, 17:30, tomorrow 9:00 or 2026-01-31T09:00Z`;
  }
  if (what === "hand over") {
    const [name = ""] = text.trim().split(/\s+/);
    return others === undefined || others.includes(name)
      ? undefined
      : `${name} cannot answer it; write one of: ${others.join(", ")}`;
  }
  if (what !== "remember") return undefined;
  const { lasts } = rememberedOf(text);
  return isLasting(lasts) ? undefined : `${lasts} is neither a time nor a number of uses: write 24h, 5x or 24h,5x`;
}

function wishOf({ what, item, text }: Extract<Mode, { is: "typing" }>): InboxAnswer {
  switch (what) {
    case "note":
      return { to: "deny", item, note: text };
    case "remember":
      return { to: "approve", item, remember: text.trim() === "" ? REMEMBERED : text };
    default:
      return { to: what, item, text };
  }
}

function inPassphrase(state: State, mode: Extract<Mode, { is: "passphrase" }>, key: string): Next {
  if (key === "\x1b") return still(backAt(state, mode.wish.item, "cancelled, nothing was changed"));
  if (key !== "\r" && key !== "\n") return still({ ...state, mode: { ...mode, text: typed(mode.text, key) } });
  return { state: { ...state, told: "" }, act: { do: "prove", wish: mode.wish, passphrase: mode.text } };
}

/** The typed or pasted text, without control characters. */
function typed(text: string, key: string): string {
  if (RUBOUT.has(key)) return [...text].slice(0, -1).join("");
  if (key === "\x15") return "";
  return key.startsWith("\x1b") ? text : text + key.replaceAll(/\p{Cc}/gu, "");
}

function still(state: State): Next {
  return { state, act: NOTHING };
}
