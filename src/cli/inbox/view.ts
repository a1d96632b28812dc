import { nameText } from "../../core/letters/name-text.ts";
import { clockText, inOrAgo } from "../../core/show/when.ts";
import type { Colours } from "../terminal/io.ts";
import { columnsOf, cut, wrap } from "../terminal/table.ts";
import { FRAME_ROWS, type InboxItem, type State, type Typed } from "./model.ts";

type Screen = { columns: number; colours: Colours; nowMs: number; person: string };

/** The screen as lines, never more than there are rows. */
export function view(state: State, screen: Screen): readonly string[] {
  const { colours } = screen;
  const title = `${colours.bold("leeway inbox")} ${colours.dim(`· ${counted(state)} · ${screen.person}`)}`;
  const body = bodyOf(state, screen)
    .slice(0, state.rows - FRAME_ROWS)
    .map((line) => (state.mode.is === "list" ? line : cut(line, screen.columns)));
  const blank = Array.from({ length: Math.max(0, state.rows - FRAME_ROWS - body.length) }, () => "");
  const news = state.newsLine === "" ? "" : cut(`${state.newsLine} · n shows it`, screen.columns);
  return [
    title,
    colours.blue(news),
    ...body,
    ...blank,
    colours.yellow(cut(state.told, screen.columns)),
    fitting(keysOf(state), screen.columns),
  ];
}

function bodyOf(state: State, screen: Screen): readonly string[] {
  const { mode } = state;
  switch (mode.is) {
    case "list":
      return state.items.length === 0 ? emptyOf(screen.columns) : listOf(state, screen);
    case "help":
      return helpOf(screen.columns);
    case "card": {
      const item = state.items.find((candidate) => candidate.id === mode.id);
      return item === undefined ? [] : item.card.slice(mode.top, mode.top + state.rows - FRAME_ROWS);
    }
    case "typing":
      return [mode.item.title, "", ...askingFor(mode, screen.columns), `> ${mode.text}▏`];
    case "passphrase":
      return [
        mode.wish.item.title,
        "",
        `passphrase of ${screen.person}, to ${mode.wish.to === "reply" ? "reply to" : mode.wish.to} this:`,
        `> ${"•".repeat([...mode.text].length)}▏`,
      ];
    case "news":
      return newsOf(state, mode.top, screen);
  }
}

function newsOf(state: State, top: number, { colours }: Screen): readonly string[] {
  if (state.news.length === 0) return ["No notices yet. Calls that ran under `notify` appear here."];
  return state.news
    .slice(top, top + state.rows - FRAME_ROWS)
    .map(({ title, atMs, isNew }) => `${isNew ? colours.blue("•") : " "} ${clockText(atMs).slice(5, 16)}  ${title}`);
}

const ASKING: { readonly [T in Exclude<Typed, "remember">]: string } = {
  note: "why do you deny it? the agent will read this:",
  reply: "what should the agent know? it will read this, and the question stays open:",
  "hand over": "who should answer it?{names} the name, then a note for them if you like:",
  snooze: "put it aside for you until when? (30m, 2h, 17:30, tomorrow 9:00)",
};

type Asked = Extract<State["mode"], { is: "typing" }>;

function askingFor({ what, item: { offers }, others }: Asked, columns: number): readonly string[] {
  const names = others === undefined ? "" : ` (${others.join(", ")})`;
  if (what === "hand over")
    return wrap(
      ASKING[what].replace("{names}", () => names),
      columns,
    ).split("\n");
  if (what !== "remember") return wrap(ASKING[what], columns).split("\n");
  const several = offers.length > 1;
  const literally = offers.flatMap(({ text }, at) =>
    wrap(`${several ? `${at + 1} ` : ""}${text}`, columns - 2).split("\n"),
  );
  return [
    `calls like this will run without a question${several ? " (1, unless you choose another)" : ""}:`,
    ...literally.map((line) => `  ${line}`),
    `for how long? enter means 24h (or 7d; 5x for five uses; 24h,5x for both${several ? "; 2 24h for the second choice" : ""})`,
    ...(offers.some(({ waiting }) => waiting.length > 0)
      ? ["add `also` to approve the other waiting calls that the grant covers, as in 24h also"]
      : []),
  ];
}

function listOf(state: State, screen: Screen): readonly string[] {
  const room = Math.max(1, state.rows - FRAME_ROWS);
  const top = Math.max(0, Math.min(state.at - Math.floor(room / 2), state.items.length - room));
  return state.items.slice(top, top + room).map((item, at) => row(item, top + at === state.at, screen));
}

function row(item: InboxItem, selected: boolean, screen: Screen): string {
  const { colours, columns, nowMs } = screen;
  const right = `${item.quorum > 1 ? `${item.have}/${item.quorum}  ` : ""}${inOrAgo(item.answerByMs, nowMs).replace("in ", "")}`;
  const mark = item.needsHuman ? "!" : " ";
  const left = `${selected ? "▸" : " "}${mark} ${nameText(item.agent).padEnd(12).slice(0, 12)}  ${item.title}${item.does === "" ? "" : ` · ${item.does}`}`;
  const room = Math.max(10, columns - right.length - 2);
  const head = cut(left, room);
  const line = `${head}${" ".repeat(Math.max(0, room - columnsOf(head)))}  ${right}`;
  return selected ? colours.inverse(line) : line;
}

function keysOf({ mode, items }: State): readonly string[] {
  switch (mode.is) {
    case "list":
      return ["j k move", "enter open", "n notices", "? help", "q quit"];
    case "card": {
      const { offers = [] } = items.find(({ id }) => id === mode.id) ?? {};
      const remember = offers.length === 0 ? [] : ["r remember"];
      return ["a approve", "d deny", ...remember, "space more", "w write", "o hand over", "z snooze", "q back"];
    }
    case "news":
      return ["j k move", "space more", "q back"];
    case "help":
      return ["any key: back"];
    default:
      return ["enter: send", "esc: back"];
  }
}

/** As many keys as fit; the key to quit is always among them. */
function fitting(keys: readonly string[], columns: number): string {
  const line = keys.join(" · ");
  return line.length <= columns || keys.length <= 2 ? cut(line, columns) : fitting(keys.toSpliced(-2, 1), columns);
}

function emptyOf(columns: number): readonly string[] {
  const advice = "New questions appear here automatically. To try it, leave this open and run in another terminal:";
  return ["Nothing is waiting for you.", "", ...wrap(advice, columns).split("\n"), "  leeway run -- git push"];
}

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ["j k arrows", "move through the list, or through a long card"],
  ["enter space", "open the question; space shows more of it. In the list, a, d, r, w, o and z also only open it"],
  ["a", "approve exactly what the card shows"],
  ["r", "approve, and do not ask again for a while (24h, 5x)"],
  ["d", "deny, with a note for the agent"],
  ["w", "write to the agent without an answer; the question stays open"],
  ["o", "ask somebody else who may answer to do it"],
  ["z", "put it aside for yourself until a time; leeway inbox --snoozed lists it"],
  ["n", "your notices: calls that ran under notify, and other messages"],
  ["q esc", "go back, or quit"],
];
const KEY_WIDTH = 13;

function helpOf(columns: number): readonly string[] {
  const notes = [
    "To approve you need your passphrase. It is remembered for five minutes, only in this window.",
    "If a card is longer than the screen, you must read to its end before you can approve it.",
  ];
  const keys = KEYS.flatMap(([key, does]) => {
    const [head = "", ...rest] = wrap(does, columns - KEY_WIDTH).split("\n");
    return [`${key.padEnd(KEY_WIDTH)}${head}`, ...rest.map((line) => " ".repeat(KEY_WIDTH) + line)];
  });
  return [...keys, "", ...notes.flatMap((note) => wrap(note, columns).split("\n"))];
}

function counted({ items: { length }, more }: State): string {
  return `${length === 1 ? "1 question" : `${length} questions`}${more > 0 ? `, ${more} more after these` : ""}`;
}
