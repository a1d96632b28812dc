import pc from "picocolors";
import { expect, test } from "vitest";
import {
  type Act,
  handingOver,
  type InboxItem,
  press,
  refresh,
  type State,
  start,
  withNews,
  wrongPassphrase,
} from "./model.ts";
import { view } from "./view.ts";

const item = (n: number, cardLines = 3): InboxItem => ({
  id: `apr_${n}`,
  digest: `sha256:${n}`,
  agent: "coder",
  title: `question ${n}`,
  does: "writes a file",
  class: "fs.write",
  needsHuman: false,
  answerByMs: n,
  have: 0,
  quorum: 1,
  offers: [],
  card: Array.from({ length: cardLines }, (_, at) => `line ${at}`),
});

const SCREEN = { columns: 120, colours: pc.createColors(false), nowMs: 0, person: "ana" };
const ROWS = 14;
const PAGE = 10;
const opened = (...items: InboxItem[]) => refresh(start(ROWS), items);

/** Presses keys one after the other; returns the last state and everything that was to be done. */
function typing(state: State, ...keys: string[]): { state: State; acts: Act[] } {
  const acts: Act[] = [];
  let now = state;
  for (const key of keys) {
    const next = press(now, key);
    now = next.state;
    if (next.act.do !== "nothing") acts.push(next.act);
  }
  return { state: now, acts };
}

test("the cursor stops at the first and at the last question", () => {
  const three = opened(item(1), item(2), item(3));
  expect(typing(three, "j", "j", "j", "j").state.at).toBe(2);
  expect(typing(three, "j", "\x1b[A", "k").state.at).toBe(0);
});

test("approving takes two keys: the first shows what would be approved, the second approves it", () => {
  const { state, acts } = typing(opened(item(1)), "a");
  expect({ mode: state.mode.is, acts }).toEqual({ mode: "card", acts: [] });
  expect(typing(state, "a").acts).toEqual([{ do: "wish", wish: { to: "approve", item: item(1) } }]);
});

test("help opens in a card too, and any key goes back to where it was opened", () => {
  const { state } = typing(opened(item(1)), "\r", "?");
  expect(state.mode.is).toBe("help");
  expect(typing(state, "a")).toMatchObject({ state: { mode: { is: "card", id: "apr_1" } }, acts: [] });
  expect(typing(opened(item(1)), "?", "a")).toMatchObject({ state: { mode: { is: "list" } }, acts: [] });
  expect(refresh(state, []).mode).toEqual({ is: "list" });
});

test("a card that is longer than the screen cannot be approved before its end was shown", () => {
  const long = item(1, 3 * PAGE);
  const first = typing(opened(long), "\r", "a");
  expect(first.acts).toEqual([]);
  expect(first.state.told).toBe("20 more lines: press space to see them before approving");
  expect(typing(first.state, " ", "a").acts).toEqual([]);
  expect(typing(first.state, " ", " ", "a").acts).toEqual([{ do: "wish", wish: { to: "approve", item: long } }]);
});

test("a question that cannot be shown can be denied but not approved", () => {
  const hidden: InboxItem = { ...item(1), unseen: "it does not open" };
  const { state, acts } = typing(opened(hidden), "\r", "a", "r");
  expect([state.mode.is, state.told, acts]).toEqual([
    "card",
    "this question cannot be shown, so it cannot be approved; press d to deny it",
    [],
  ]);
  expect(typing(state, "d", "n", "o", "\r").acts).toEqual([
    { do: "wish", wish: { to: "deny", item: hidden, note: "no" } },
  ]);
});

test("scrolling up does not reset how much of the card was shown", () => {
  const long = item(1, PAGE + 2);
  expect(typing(opened(long), "\r", " ", "k", "k", "a").acts).toEqual([
    { do: "wish", wish: { to: "approve", item: long } },
  ]);
});

test("denying asks for a reason and refuses an empty one", () => {
  const { state, acts } = typing(opened(item(1)), "\r", "d", "\r");
  expect({ mode: state.mode.is, acts }).toEqual({ mode: "typing", acts: [] });
  expect(typing(state, "n", "o", "x", "\x7f", "\r").acts).toEqual([
    { do: "wish", wish: { to: "deny", item: item(1), note: "no" } },
  ]);
});

test("remembering asks for how long; if nothing can be remembered, the screen says why", () => {
  const known: InboxItem = {
    ...item(1),
    offers: [{ text: "write /a", covers: { targets: [], level: "write" }, waiting: [] }],
  };
  expect(typing(opened(known), "\r", "r", "5", "x", "\r").acts).toEqual([
    { do: "wish", wish: { to: "approve", item: known, remember: "5x" } },
  ]);
  // Enter alone means 24 hours, as the question says; a time that cannot be read is refused before anything else is asked.
  expect(typing(opened(known), "\r", "r", "\r").acts).toEqual([
    { do: "wish", wish: { to: "approve", item: known, remember: "24h" } },
  ]);
  const unread = typing(opened(known), "\r", "r", "x", "\r");
  expect({ told: unread.state.told, mode: unread.state.mode.is, acts: unread.acts }).toEqual({
    told: "x is neither a time nor a number of uses: write 24h, 5x or 24h,5x",
    mode: "typing",
    acts: [],
  });
  const { state, acts } = typing(
    opened({ ...item(1), notRemembered: "`sudo` can start any other program" }),
    "\r",
    "r",
  );
  expect(view(state, SCREEN).at(-1)).toBe(
    "a approve · d deny · space more · w write · o hand over · z snooze · q back",
  );
  expect(view(typing(opened(known), "\r").state, SCREEN).at(-1)).toContain("r remember");
  const long = typing(opened(item(1, 3 * PAGE)), "\r", "r").state.told;
  expect(long).toBe("this call cannot be remembered: no grant is possible for it");
  expect({ told: state.told, mode: state.mode.is, acts }).toEqual({
    told: "this call cannot be remembered: `sudo` can start any other program",
    mode: "card",
    acts: [],
  });
});

test("a time that cannot be read is refused before a passphrase is asked for, and the text can be corrected", () => {
  const { state, acts } = typing(opened(item(1)), "\r", "z", "yesterday", "\r");
  expect({ told: state.told, mode: state.mode.is, acts }).toEqual({
    told: "`yesterday` is not a time: write 30m, 2h, 17:30, tomorrow 9:00 or 2026-01-31T09:00Z",
    mode: "typing",
    acts: [],
  });
  expect(typing(state, "\x15", "2h", "\r").acts).toEqual([
    { do: "wish", wish: { to: "snooze", item: item(1), text: "2h" } },
  ]);
});

test("a question can be handed only to somebody who can answer it; if there is nobody, the card says so at once", () => {
  const card = typing(opened(item(1)), "\r", "o");
  expect(card.acts).toEqual([{ do: "find others", item: item(1) }]);
  const nobody = handingOver(card.state, item(1), []);
  expect([nobody.mode.is, nobody.told]).toEqual(["card", "nobody else can answer this question"]);
  const asking = handingOver(card.state, item(1), ["ben", "cleo"]);
  expect(view(asking, SCREEN)).toContain(
    "who should answer it? (ben, cleo) the name, then a note for them if you like:",
  );
  const wrong = typing(asking, "dan hello", "\r");
  expect([wrong.state.mode.is, wrong.state.told, wrong.acts]).toEqual([
    "typing",
    "dan cannot answer it; write one of: ben, cleo",
    [],
  ]);
  expect(typing(asking, "ben hello", "\r").acts).toEqual([
    { do: "wish", wish: { to: "hand over", item: item(1), text: "ben hello" } },
  ]);
  expect(typing(handingOver(card.state, item(1), undefined), "dan", "\r").acts).toHaveLength(1);
});

test("escape and control characters that are pasted never become part of a text", () => {
  const { acts } = typing(opened(item(1)), "\r", "d", "a", "\x1b[31m", "\x00", "b\u0007", "\r");
  expect(acts).toEqual([{ do: "wish", wish: { to: "deny", item: item(1), note: "ab" } }]);
});

test("a question answered elsewhere closes its card and says so", () => {
  const { state } = typing(opened(item(1), item(2)), "\r");
  const after = refresh(state, [item(2)]);
  expect({ mode: after.mode, told: after.told }).toEqual({
    mode: { is: "list" },
    told: "that question was answered in the meantime",
  });
});

test("the cursor stays on its question while others are added and removed", () => {
  const { state } = typing(opened(item(1), item(2), item(3)), "j");
  expect(refresh(state, [item(0), item(1), item(2), item(3)]).at).toBe(2);
  expect(refresh(state, [item(2)]).at).toBe(0);
  expect(refresh(state, []).at).toBe(0);
});

test("escape leaves the passphrase without sending it", () => {
  const asking: State = {
    ...opened(item(1)),
    mode: { is: "passphrase", wish: { to: "approve", item: item(1) }, text: "", wrong: 0 },
  };
  expect(typing(asking, "p", "w", "\x1b")).toMatchObject({
    acts: [],
    state: { mode: { is: "card", id: "apr_1" }, told: "cancelled, nothing was changed" },
  });
  expect(typing(asking, "p", "w", "\r").acts).toEqual([
    { do: "prove", wish: { to: "approve", item: item(1) }, passphrase: "pw" },
  ]);
});

test("a wrong passphrase is asked for again, three times at most", () => {
  const wish = { to: "approve", item: item(1) } as const;
  const list = opened(item(1));
  expect([1, 2, 3].map((wrong) => wrongPassphrase(list, wish, wrong)).map(({ mode, told }) => [mode, told])).toEqual([
    [{ is: "passphrase", wish, text: "", wrong: 1 }, "wrong passphrase, try again (1 of 3)"],
    [{ is: "passphrase", wish, text: "", wrong: 2 }, "wrong passphrase, try again (2 of 3)"],
    [{ is: "list" }, "3 wrong passphrases, nothing was changed"],
  ]);
});

test("opening the news marks new items as read, scrolls through a long list, and goes back", () => {
  const news = Array.from({ length: PAGE + 3 }, (_, at) => ({ id: `ntc_${at}`, title: "", atMs: at, isNew: at < 2 }));
  const { state, acts } = typing(withNews(opened(item(1)), news, "told you"), "n");
  expect(acts).toEqual([{ do: "read", ids: ["ntc_0", "ntc_1"] }]);
  expect(typing(state, " ", " ").state.mode).toEqual({ is: "news", top: 3 });
  expect(typing(state, "j", "k", "k").state.mode).toEqual({ is: "news", top: 0 });
  expect(typing(state, "a", "q")).toMatchObject({ acts: [], state: { mode: { is: "list" } } });
});

test("q and ctrl-c leave the inbox", () => {
  expect(typing(opened(item(1)), "q").acts).toEqual([{ do: "quit" }]);
  expect(typing(opened(item(1)), "\r", "d", "\x03").acts).toEqual([{ do: "quit" }]);
});

test.each([
  ["w", "reply", "which customer?"],
  ["z", "snooze", "tomorrow 9:00"],
] as const)("%s asks for a text, even before the whole card was seen, and wishes to %s", (key, to, text) => {
  const long = item(1, 100);
  const opened = press(refresh(start(20), [long]), "\r").state;
  const typing = press(opened, key).state;
  expect(typing.mode).toEqual({ is: "typing", what: to, item: long, text: "" });
  const empty = press(typing, "\r");
  expect([empty.act, empty.state.told === ""]).toEqual([{ do: "nothing" }, false]);
  const typed = [...text].reduce((state, letter) => press(state, letter).state, typing);
  expect(press(typed, "\r").act).toEqual({ do: "wish", wish: { to, item: long, text } });
});
