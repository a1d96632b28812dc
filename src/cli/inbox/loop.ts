import { visible } from "../../core/values/text.ts";
import { review } from "../../gate/approvals/review.ts";
import { readNotice, toldMs } from "../../gate/notices/notices.ts";
import { bellOf } from "../../gate/time/bell.ts";
import { failureOf } from "../failure.ts";
import type { Opened } from "../gate.ts";
import { coloursFor, type Io } from "../io.ts";
import type { Keyring } from "../keyring.ts";
import { splitKeys } from "../keys.ts";
import { isDigest, toldLine, toldTo } from "../notice-lines.ts";
import { offerAt } from "../remembering.ts";
import { lasting } from "../time.ts";
import { keepTime } from "../timekeeping.ts";
import { itemReader } from "./items.ts";
import {
  type Act,
  type Item,
  type News,
  press,
  refresh,
  resize,
  type State,
  start,
  type Wish,
  withMore,
  withNews,
  wrongPassphrase,
} from "./model.ts";
import { view } from "./view.ts";

const EVERY_MS = 1000;
const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";

/** Shows the questions until the person leaves; every key goes through the model, every act through a verb. */
export async function inboxLoop(io: Io, deps: Opened, keyring: Keyring): Promise<void> {
  let state = start(rowsOf(io));
  const itemsAt = itemReader(deps);
  // One bell for all that can happen: a key, something new in the store, a second gone by.
  const bell = bellOf(deps.clock.sleep);
  const keys = keysOf(io, bell.ring);
  const unwatch = deps.store.watch(deps.workspace, bell.ring);
  const draw = () => paint(io, state, keyring.person, deps.clock.nowMs());
  io.stderr.write(ENTER);
  try {
    for (;;) {
      await keepTime(deps);
      const { items, more } = await itemsAt(columnsOf(io));
      state = withMore(refresh(resize(state, rowsOf(io)), items), more);
      state = withNews(state, ...(await newsOf(deps, keyring.person)));
      draw();
      if (keys.waiting.length === 0) await bell.next(EVERY_MS);
      const key = keys.waiting.shift();
      if (key === undefined) continue;
      const next = press(state, key);
      state = next.state;
      if (next.act.do === "quit") return;
      draw();
      state = await perform(state, next.act, deps, keyring);
    }
  } finally {
    keys.stop();
    unwatch();
    io.stderr.write(LEAVE);
  }
}

async function newsOf(deps: Opened, person: string): Promise<[readonly News[], string]> {
  const notices = await toldTo(deps, person);
  const news: News[] = [];
  for (const notice of notices) {
    const { id, readMs } = notice;
    const title = isDigest(notice) ? `${notice.title}: ${notice.text}` : notice.title;
    news.push({ id, title: visible(title), atMs: await toldMs(deps, notice), isNew: readMs === undefined });
  }
  return [news, toldLine(notices)];
}

async function perform(state: State, act: Act, deps: Opened, keyring: Keyring): Promise<State> {
  switch (act.do) {
    case "nothing":
    case "quit":
      return state;
    case "wish":
      if (!keyring.isOpen()) return { ...state, mode: { is: "passphrase", wish: act.wish, text: "", wrong: 0 } };
      return grantWish(state, act.wish, deps, keyring);
    case "prove": {
      const opened = await keyring.open(act.passphrase);
      if (opened.ok) return grantWish(state, act.wish, deps, keyring);
      if (opened.code === "LEEWAY_LOCKED")
        return { ...state, mode: { is: "list" }, told: `${opened.reason}: ${opened.hint}` };
      const wrong = state.mode.is === "passphrase" ? state.mode.wrong : 0;
      return wrongPassphrase(state, act.wish, wrong + 1);
    }
    case "read":
      for (const id of act.ids) await readNotice(deps, id);
      return state;
  }
}

async function grantWish(state: State, wish: Wish, deps: Opened, keyring: Keyring): Promise<State> {
  const done: State = { ...state, mode: { is: "list" } };
  try {
    const remember =
      wish.to === "approve" && wish.remember !== undefined ? rememberOf(wish.item, wish.remember, deps) : undefined;
    const reviewed = await review(deps, wish.item.id, {
      by: keyring.person,
      verdict: wish.to,
      digest: wish.item.digest,
      note: wish.to === "deny" ? wish.note : "",
      assurance: "tty",
      bulk: false,
      ...(remember === undefined ? {} : { remember }),
    });
    if (!reviewed.ok) return { ...done, told: failureOf(reviewed).message };
    return {
      ...done,
      told: `${reviewed.value.state === "pending" ? "counted; more people have to answer" : reviewed.value.state}: ${wish.item.title}`,
    };
  } catch (error) {
    return { ...done, told: error instanceof Error ? error.message : String(error) };
  }
}

/** Bound to what was shown: the grant covers exactly what the offer said. */
function rememberOf({ offers, notRemembered }: Item, typed: string, deps: Opened) {
  const [, width = "1", lasts = "", also] = /^(?:(\d)\s+)?(.*?)(\s+also)?$/.exec(typed.trim()) ?? [];
  const { covers, waiting } = offerAt(
    { offers, ...(notRemembered === undefined ? {} : { none: notRemembered }) },
    width,
  );
  return { ...lasting(lasts, deps.clock.nowMs()), covers, ...(also === undefined ? {} : { also: waiting }) };
}

function paint(io: Io, state: State, person: string, nowMs: number): void {
  const lines = view(state, { columns: columnsOf(io), colours: coloursFor(io.stderr, io.env), nowMs, person });
  io.stderr.write(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join("\r\n")}\x1b[J`);
}

function rowsOf(io: Io): number {
  return Math.max(8, io.stderr.rows || 24);
}

function columnsOf(io: Io): number {
  return Math.max(20, io.stderr.columns || 80);
}

/** Keys one at a time, none lost between two reads, however many arrive at once. */
function keysOf(io: Io, ring: () => void): { waiting: string[]; stop(): void } {
  const waiting: string[] = [];
  const onData = (data: Buffer | string) => {
    waiting.push(...splitKeys(data.toString()));
    ring();
  };
  // Input that ends is somebody who leaves.
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
