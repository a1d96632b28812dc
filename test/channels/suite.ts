import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { ChannelKind, Contact } from "../../src/core/channel.ts";
import { CARDS_MAX } from "../../src/gate/notices/deliver.ts";
import { linkBrowser, setReach } from "../../src/gate/people/contacts.ts";
import { type Served, served, type TurnedClock, turnedClock } from "../http/served.ts";

// What every channel promises, whatever its service is. Each channel brings a stage: a server on this machine that speaks
// the real protocol strictly, and what a person sees there.

/** A message as a person sees it in the service now. */
export type SeenMessage = {
  id: string;
  to: string;
  text: string;
  /** Those that answer. */
  buttons: readonly string[];
  /** Those that do something else with an open question. */
  triage?: readonly string[];
};

/** `publish` asks anybody; `release` asks two people; `refund` needs a person who has just signed in. */
const POLICY = `version: 1
preset: standard
tools:
  publish: { class: metadata.write }
  release: { class: metadata.write }
  refund: { class: payments.move, reversible: false }
  memo: { class: metadata.write }
  either: { class: metadata.write }
tiers: { publish: ask }
rules:
  - { name: either, match: { tool: either }, tier: ask, reviewers: [ana, ben], because: it takes one of two }
  - { name: two, match: { tool: release }, tier: ask, quorum: 2, reviewers: [ana, ben], because: it takes two }
approvals: { selfReview: true }
`;

/** A callback as the service sends it, before a test changes it. */
export type Callback = { path: string; headers: Record<string, string>; body: string };

/** Sends a callback to the server. */
export type Send = (callback: Callback) => Promise<{ status: number; body: unknown }>;

/** What somebody does with a question instead of answering it. */
export type Triage =
  | { act: "reply"; text: string }
  | { act: "snooze"; until: "1h" | "tomorrow 9:00" }
  | { act: "handover"; to: string; note: string };

export type Stage = {
  /** The settings in the policy, as the value of its key under `channels`. */
  settings: object;
  env: Record<string, string>;
  /** The account of a person in this channel; undefined for channels without accounts. */
  contact?(person: string): Omit<Contact, "linkedMs">;
  /** The chat or endpoint that gets every question, if the settings name one. */
  place?: string;
  seen(): readonly SeenMessage[];
  /** `busy`: the service asks to wait a second. */
  breaks(how: "down" | "busy" | undefined): void;
  /**
   * The callback that the service sends when this account presses the button. If a press needs several callbacks, for
   * example because a form opens, all but the last are sent by `send`.
   */
  press?(
    message: SeenMessage,
    button: "approve" | "deny",
    account: string,
    how: { note?: string; send: Send },
  ): Callback | Promise<Callback>;
  /** The callback that the service sends when this account does it. Earlier callbacks go out by `send`. */
  triage?(message: SeenMessage, done: Triage, account: string, how: { send: Send }): Callback | Promise<Callback>;
  /** What the person is told after they pressed the button: in the answer to this callback, or by another way. */
  toldBack?(status: number, body: unknown, callback: Callback): string | Promise<string>;
  close(): Promise<void>;
};

export type Suite = {
  kind: ChannelKind;
  start(): Promise<Stage>;
  /** Messages are changed when the question is answered. */
  updates: boolean;
  /** People get messages in their own accounts. */
  reachesPeople: boolean;
  /** Messages have buttons, and the server accepts their callbacks. */
  hasButtons: boolean;
  /** Questions can be put aside, handed over and commented there. */
  triages?: true;
  /** Not the service, but a page of the server brings the answer, so the account is always the one that was written to. */
  answersBy?: "page";
};

const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

export type Playing = {
  on: Served;
  stage: Stage;
  clock: TurnedClock;
  agent: string;
  ask(n?: number, tool?: string): Promise<string>;
};

/** A server whose policy sets up the channel, with ana linked to it. */
export async function playing(kind: ChannelKind, start: () => Promise<Stage>): Promise<Playing> {
  const stage = await start();
  const clock = turnedClock();
  const policy = `${POLICY}channels: ${JSON.stringify({ [kind]: stage.settings })}\n`;
  const on = await served({ policy, clock, env: stage.env });
  onTestFinished(async () => {
    await on.remove();
    await stage.close();
  });
  if (stage.contact !== undefined) await link(on, stage.contact("ana"), "ana");
  const agent = await on.token({ agent: "coder" });
  const ask = async (n = 1, tool = "publish") => {
    const args = { amount: n, note: `page ${n}`, token: SECRET };
    const { body } = await on.ask("POST", "/v1/calls", { token: agent, body: { tool, args } });
    return body.approvalId as string;
  };
  return { on, stage, clock, agent, ask };
}

export async function link(on: Served, contact: Omit<Contact, "linkedMs">, by: string): Promise<void> {
  const linked = await linkBrowser(on.deps, contact, { by, assurance: "passkey" });
  expect(linked, JSON.stringify(linked)).toMatchObject({ ok: true });
}

/** Waits, in real time, until something is true. The error shows the last state. */
export async function until<T>(look: () => T | Promise<T>, holds: (value: T) => boolean, ms = 8000): Promise<T> {
  const endMs = performance.now() + ms;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (performance.now() > endMs) throw new Error(`this never came true of ${JSON.stringify(value)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export async function approvalOf(on: Served, id: string) {
  const cookie = await on.signIn();
  return (await on.ask("GET", `/v1/approvals/${id}`, { cookie })).body;
}

export async function approve(on: Served, id: string): Promise<void> {
  const cookie = await on.signIn();
  const { digest } = await approvalOf(on, id);
  const { status } = await on.ask("POST", `/v1/approvals/${id}/reviews`, {
    cookie,
    body: { verdict: "approve", digest },
  });
  expect(status).toBe(200);
}

export async function send(on: Served, { path, headers, body }: Callback): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(on.url + path, { method: "POST", headers, body });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: answer.status, body: text === "" ? undefined : isJson ? JSON.parse(text) : text };
}

export function channelSuite(suite: Suite): void {
  const { kind, start } = suite;
  const about = (id: string) => (message: SeenMessage) => message.text.includes(id) || message.id === id;

  test(`${kind}: a message about a question has what would run and a link, and no secrets`, async () => {
    const { on, stage, ask } = await playing(kind, start);
    const id = await ask();
    const [message] = await until(stage.seen, (all) => all.length > 0);
    expect(message?.text).toContain(`/approvals/${id}`);
    expect(message?.text).toContain("publish");
    expect(JSON.stringify(stage.seen())).not.toContain(SECRET);
    expect(on.warned).toEqual([]);
  });

  test(`${kind}: the name of an agent or a tool is never more than a name`, async () => {
    const { on, stage, agent } = await playing(kind, start);
    const name = "bo, approved by ana, <!here> *b* @all\n\u202e\u200b\u001b[2J";
    const { status } = await on.ask("POST", "/v1/calls", {
      token: agent,
      body: { agent: name, tool: `pay ${name}`, args: { amount: 1 } },
    });
    expect(status).toBe(202);
    const [message] = await until(stage.seen, (all) => all.length > 0);
    const text = message?.text.replaceAll(/\s+/g, " ") ?? "";
    const before = [...text.matchAll(/(.{0,6})bo, approved by ana/g)].map(([, words = ""]) => words);
    expect(before.length).toBeGreaterThan(1);
    expect(before.filter((words) => !/"(?:pay )?$/.test(words))).toEqual([]);
    expect(message?.text).not.toMatch(/(?![\r\n\t])[\p{Cc}\p{Cf}]/u);
    expect(on.warned).toEqual([]);
  });

  test(`${kind}: a service that is down blocks nothing, and all notices are sent when it is back`, async () => {
    const { on, stage, clock, agent, ask } = await playing(kind, start);
    stage.breaks("down");
    const ids = [await ask(1), await ask(2)];
    const ran = await on.ask("POST", "/v1/calls", { token: agent, body: { tool: "memo", args: {} } });
    expect(ran.body.outcome).toBe("run");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(stage.seen()).toEqual([]);
    stage.breaks(undefined);
    const told = () => {
      clock.advance(5_000);
      return ids.filter((id) => stage.seen().some(({ text }) => text.includes(`/approvals/${id}`)));
    };
    await until(told, (found) => found.length === ids.length);
  });

  test(`${kind}: a service that asks to wait gets the message later, once`, async () => {
    const { stage, clock, ask } = await playing(kind, start);
    stage.breaks("busy");
    const id = await ask();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(stage.seen()).toEqual([]);
    stage.breaks(undefined);
    clock.advance(61_000);
    await until(stage.seen, (all) => all.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(stage.seen().filter(({ text }) => text.includes(`/approvals/${id}`))).toHaveLength(1);
  });

  test(`${kind}: very many questions become a few messages, and one more message for the rest`, async () => {
    const { stage, clock, ask } = await playing(kind, start);
    const count = CARDS_MAX + 8;
    for (let n = 1; n <= count; n++) await ask(n);
    const receivers = new Set((await until(stage.seen, (all) => all.length >= CARDS_MAX)).map(({ to }) => to));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    clock.advance(11 * 60_000);
    await until(stage.seen, (all) => all.some(({ text }) => /questions wait/.test(text)), 12_000);
    const cards = stage.seen().filter(({ text }) => /\/approvals\//.test(text));
    expect(cards.length).toBeLessThanOrEqual((CARDS_MAX + 16) * receivers.size);
    expect(stage.seen().filter(({ text }) => /questions wait/.test(text)).length).toBeLessThanOrEqual(
      2 * receivers.size,
    );
  });

  if (suite.updates) updatingSuite(suite, about);
  if (suite.hasButtons) pressingSuite(suite);
  if (suite.reachesPeople) personalSuite(suite);
}

function updatingSuite({ kind, start }: Suite, about: (id: string) => (message: SeenMessage) => boolean): void {
  test(`${kind}: a question that is answered in the inbox loses its buttons everywhere`, async () => {
    const { on, stage, ask } = await playing(kind, start);
    const id = await ask();
    const before = await until(stage.seen, (all) => all.some(about(id)));
    expect(before.every(({ buttons }) => buttons.length > 0)).toBe(true);
    await approve(on, id);
    const after = await until(stage.seen, (all) =>
      all.filter(about(id)).every(({ buttons, triage = [] }) => buttons.length + triage.length === 0),
    );
    expect(after.find(about(id))?.text).toContain("approved by ana");
  });
}

type Pressed = Playing &
  Required<Pick<Stage, "contact" | "toldBack">> & {
    id: string;
    message: SeenMessage;
    press(button: "approve" | "deny", account: string, note?: string): Promise<Callback>;
  };

function pressingSuite(suite: Suite): void {
  const { kind, start } = suite;
  const began = async (tool = "publish"): Promise<Pressed> => {
    const play = await playing(kind, start);
    const { press, contact, toldBack } = play.stage;
    if (press === undefined || contact === undefined || toldBack === undefined) throw new Error("no buttons here");
    const id = await play.ask(1, tool);
    const [message] = await until(play.stage.seen, (all) => all.some(({ buttons }) => buttons.includes("deny")));
    if (message === undefined) throw new Error("no message");
    const pressed: Pressed["press"] = async (button, account, note) =>
      press(message, button, account, {
        ...(note === undefined ? {} : { note }),
        send: (callback) => send(play.on, callback),
      });
    return { ...play, press: pressed, contact, toldBack, id, message };
  };

  test(`${kind}: the button approves as the person whose account pressed it, once`, async () => {
    const { on, press, contact, toldBack, id } = await began();
    const callback = await press("approve", contact("ana").account);
    const first = await send(on, callback);
    expect(await toldBack(first.status, first.body, callback)).toContain("approved by ana");
    const approval = await approvalOf(on, id);
    expect([approval.state, approval.reviews.length]).toEqual(["approved", 1]);
    expect(approval.reviews[0]).toMatchObject({ by: "ana", assurance: "channel", verdict: "approve" });
    await send(on, callback);
    expect((await approvalOf(on, id)).reviews).toHaveLength(1);
  });

  // A page proves the account by its link, so these two do not exist there; `email.test.ts` has their counterparts.
  const byService = (title: string, act: () => Promise<void>) => {
    if (suite.answersBy !== "page") test(title, act);
  };

  byService(`${kind}: a button pressed by an account that nobody linked is refused and recorded`, async () => {
    const { on, press, contact, toldBack, id } = await began();
    const callback = await press("approve", contact("stranger").account);
    const answer = await send(on, callback);
    expect(await toldBack(answer.status, answer.body, callback)).toContain("not linked");
    expect((await approvalOf(on, id)).state).toBe("pending");
    const cookie = await on.signIn();
    const { body } = await on.ask("GET", "/v1/ledger?kinds=review.refused", { cookie });
    expect(JSON.stringify(body)).toContain(`${kind}:${contact("stranger").account}`);
  });

  alteredSuite(suite, began);
  reorderedSuite(suite);
  atOnceSuite(suite, began);
  if (suite.updates) shownAgainSuite(suite, began);
  if (suite.triages === true) triageSuite(suite, began);

  byService(`${kind}: what needs a person who just signed in has no button to approve, but can be denied`, async () => {
    const { on, press, contact, toldBack, id, message } = await began("refund");
    expect(message.buttons).not.toContain("approve");
    const callback = await press("approve", contact("ana").account);
    const forced = await send(on, callback);
    if (forced.status < 400) expect(await toldBack(forced.status, forced.body, callback)).not.toContain("approved by");
    expect((await approvalOf(on, id)).state).toBe("pending");
    await send(on, await press("deny", contact("ana").account, "no"));
    expect((await approvalOf(on, id)).state).toBe("denied");
  });

  test(`${kind}: of two answers at the same time one counts, and both people are told the true outcome`, async () => {
    const { on, press, contact, toldBack, id } = await began();
    const callbacks = [
      await press("approve", contact("ana").account),
      await press("deny", contact("ana").account, "no"),
    ];
    const answers = await Promise.all(callbacks.map(async (callback) => ({ callback, ...(await send(on, callback)) })));
    const { state } = await approvalOf(on, id);
    expect(["approved", "denied"]).toContain(state);
    for (const { status, body, callback } of answers)
      expect(await toldBack(status, body, callback)).toContain(`${state} by ana`);
  });
}

function atOnceSuite({ kind }: Suite, began: (tool?: string) => Promise<Pressed>): void {
  test(`${kind}: a button pressed after the question was answered elsewhere says what happened`, async () => {
    const { on, press, contact, toldBack, id } = await began();
    const stale = [await press("approve", contact("ana").account), await press("deny", contact("ana").account, "no")];
    await approve(on, id);
    for (const callback of stale) {
      const { status, body } = await send(on, callback);
      expect(await toldBack(status, body, callback)).toContain("approved by ana");
    }
    expect((await approvalOf(on, id)).reviews).toHaveLength(1);
  });

  test(`${kind}: two people who press at once get one outcome and two true messages`, async () => {
    const { on, stage, ask, contact, toldBack } = await began();
    const { press } = stage;
    if (press === undefined) throw new Error("no buttons here");
    await link(on, contact("ben"), "ben");
    const id = await ask(2, "either");
    const shown = () => stage.seen().filter(({ text, buttons }) => text.includes(id) && buttons.includes("approve"));
    const messages = await until(shown, (all) => all.length === 2);
    const callbacks: Callback[] = [];
    for (const message of messages) {
      const name = isTo(message, contact("ana").account) ? "ana" : "ben";
      const how = { note: "no", send: (callback: Callback) => send(on, callback) };
      callbacks.push(await press(message, name === "ana" ? "approve" : "deny", contact(name).account, how));
    }
    const answers = await Promise.all(callbacks.map(async (callback) => ({ callback, ...(await send(on, callback)) })));
    const { state, reviews } = await approvalOf(on, id);
    expect([["approved"], ["denied"]]).toContainEqual([state]);
    expect(reviews).toHaveLength(1);
    const outcome = state === "approved" ? "approved by ana" : "denied by ben";
    for (const { status, body, callback } of answers) expect(await toldBack(status, body, callback)).toContain(outcome);
  });
}

function shownAgainSuite({ kind }: Suite, began: (tool?: string) => Promise<Pressed>): void {
  test(`${kind}: a question that needs another approval keeps its buttons and shows the first approval`, async () => {
    const { on, stage, press, contact, toldBack, id, message } = await began("release");
    const callback = await press("approve", contact("ana").account);
    const { status, body } = await send(on, callback);
    expect(await toldBack(status, body, callback)).toContain("1 of 2");
    const look = () => stage.seen().find((one) => one.id === message.id);
    const shown = await until(look, (one) => one?.text.includes("1 of 2 approvals") === true);
    expect([shown?.buttons, shown?.triage]).toEqual([["approve", "deny"], message.triage]);
    const second = await press("deny", contact("ana").account, "not today");
    const refused = await send(on, second);
    expect(await toldBack(refused.status, refused.body, second)).toContain("used already");
    expect((await approvalOf(on, id)).reviews).toHaveLength(1);
  });
}

function triageSuite({ kind }: Suite, began: (tool?: string) => Promise<Pressed>): void {
  const playingTriage = async () => {
    const play = await began("release");
    const { on, stage, contact, toldBack, id, message } = play;
    const { triage } = stage;
    if (triage === undefined) throw new Error("nothing but answers here");
    await link(on, contact("ben"), "ben");
    const made = async (done: Triage, by = "ana") =>
      triage(message, done, contact(by).account, { send: (callback) => send(on, callback) });
    const told = async (callback: Callback) => {
      const { status, body } = await send(on, callback);
      return toldBack(status, body, callback);
    };
    const look = () => stage.seen().find((one) => one.id === message.id);
    return { ...play, made, told, look, now: () => approvalOf(on, id) };
  };

  test(`${kind}: words to the agent are sent from the message, once, and the question stays open`, async () => {
    const { made, told, look, now, message } = await playingTriage();
    const callback = await made({ act: "reply", text: "which page?" });
    expect(await told(callback)).toContain("the agent will read what you wrote; the question stays open");
    await told(await made({ act: "reply", text: "which page?" }));
    const { state, reviews, replies } = await now();
    expect([state, reviews, replies]).toEqual([
      "pending",
      [],
      [{ by: "ana", text: "which page?", atMs: expect.any(Number) }],
    ]);
    const shown = await until(look, (one) => one?.text.includes("ana wrote to the agent: which page?") === true);
    expect([shown?.buttons, shown?.triage]).toEqual([message.buttons, ["reply", "snooze", "handover"]]);
  });

  test(`${kind}: a question is put aside from the message for whoever does it, and keeps its buttons`, async () => {
    const { on, clock, made, told, look, id, message } = await playingTriage();
    expect(await told(await made({ act: "snooze", until: "1h" }))).toMatch(/^put aside for you until \d{4}-/m);
    const { workspace, store } = on.deps;
    const held = await store.read({ ask: "row", workspace, table: "approvals", id });
    expect(held?.row).toMatchObject({ state: "pending", snoozed: [{ by: "ana" }] });
    const untilMs = held?.row.state === "pending" ? (held.row.snoozed?.[0]?.untilMs ?? 0) : 0;
    expect(Math.abs(untilMs - clock.nowMs() - 60 * 60_000)).toBeLessThan(60_000);
    expect([look()?.buttons, look()?.triage]).toEqual([message.buttons, message.triage]);
  });

  test(`${kind}: a question is handed over from the message to somebody who may answer it`, async () => {
    const { made, told, look, now, stage, contact } = await playingTriage();
    expect(await told(await made({ act: "handover", to: "ben", note: "you know it" }))).toContain(
      "ben is asked to answer it",
    );
    const { state, handed } = await now();
    expect([state, handed]).toEqual([
      "pending",
      [{ by: "ana", to: "ben", note: "you know it", atMs: expect.any(Number) }],
    ]);
    await until(look, (one) => one?.text.includes("handed to ben by ana: you know it") === true);
    const toBen = ({ to }: SeenMessage) => to !== look()?.to && contact("ben").account.endsWith(to.replace(/^D/, ""));
    await until(stage.seen, (all) => all.some(toBen));
  });

  test(`${kind}: an account that nobody linked can do nothing with a question, and it is recorded`, async () => {
    const { on, made, told, now, contact } = await playingTriage();
    for (const done of [{ act: "reply", text: "hello" } as const, { act: "snooze", until: "1h" } as const])
      expect(await told(await made(done, "stranger"))).toContain("not linked");
    const { replies, handed } = await now();
    expect([replies, handed]).toEqual([undefined, undefined]);
    const cookie = await on.signIn();
    const { body } = await on.ask("GET", "/v1/ledger?kinds=review.refused", { cookie });
    expect(JSON.stringify(body)).toContain(`${kind}:${contact("stranger").account}`);
  });

  test(`${kind}: words, time and person that come after the answer change nothing and say what happened`, async () => {
    const { on, made, told, now, press, contact } = await playingTriage();
    const late = [
      await made({ act: "reply", text: "wait" }),
      await made({ act: "snooze", until: "tomorrow 9:00" }),
      await made({ act: "handover", to: "ben", note: "" }),
    ];
    await send(on, await press("deny", contact("ana").account, "no"));
    for (const callback of late) expect(await told(callback)).toContain("denied");
    const { state, replies, handed } = await now();
    expect([state, replies, handed]).toEqual(["denied", undefined, undefined]);
  });
}

function alteredSuite({ kind }: Suite, began: () => Promise<Pressed>): void {
  test(`${kind}: a callback that was changed anywhere, or that is sent again, has no effect`, async () => {
    const { on, press, contact, id } = await began();
    const callback = await press("approve", contact("ana").account);
    const random = fc.sample(fc.double({ min: 0, max: 0.999999, noNaN: true }), ALTERED * 3)[Symbol.iterator]();
    for (let n = 0; n < ALTERED; n++) {
      const { status } = await send(
        on,
        altered(callback, () => random.next().value ?? 0),
      );
      expect(status, JSON.stringify(callback)).toBeGreaterThanOrEqual(400);
    }
    expect((await approvalOf(on, id)).reviews).toEqual([]);
    await send(on, callback);
    for (let n = 0; n < REPLAYED; n++) await send(on, callback);
    expect((await approvalOf(on, id)).reviews).toHaveLength(1);
  });
}

/** Together 10,000 in the long proofs. */
const [ALTERED, REPLAYED, REORDERED] = process.env["LEEWAY_PROVE"] === "1" ? [6_000, 1_000, 3_000] : [150, 20, 150];

/** One character of the body or of a header becomes another one. */
function altered({ path, headers, body }: Callback, random: () => number): Callback {
  const names = Object.keys(headers).filter((name) => name !== "content-type");
  const at = Math.floor(random() * (names.length + 1));
  const name = names[at];
  const change = (text: string) => {
    const place = Math.floor(random() * text.length);
    return text.slice(0, place) + (text[place] === "7" ? "8" : "7") + text.slice(place + 1);
  };
  if (name === undefined) return { path, headers, body: change(body) };
  return { path, headers: { ...headers, [name]: change(headers[name] ?? "") }, body };
}

const QUESTIONS = 4;
const AT_ONCE = 6;

/** Callbacks of two people to several questions that need both, in any order, several at once, again and again, some altered. */
function reorderedSuite({ kind, start, answersBy }: Suite): void {
  test(`${kind}: callbacks in any order, repeated and altered, give each person one vote for each question`, async () => {
    const { on, stage, ask } = await playing(kind, start);
    const { press, contact } = stage;
    if (press === undefined || contact === undefined) throw new Error("no buttons here");
    await link(on, contact("ben"), "ben");
    const ids: string[] = [];
    for (let n = 1; n <= QUESTIONS; n++) ids.push(await ask(n, "release"));
    const asking = () => stage.seen().filter(({ buttons }) => buttons.includes("approve"));
    const messages = await until(asking, (all) => all.length === QUESTIONS * 2);
    const callbacks: Callback[] = [];
    for (const message of messages) {
      const account = contact(isTo(message, contact("ana").account) ? "ana" : "ben").account;
      const how = { send: (callback: Callback) => send(on, callback) };
      // Nobody signs the words on a page: whoever has its link can write others.
      for (const button of ["approve", "deny"] as const)
        callbacks.push(await press(message, button, account, answersBy === "page" ? how : { ...how, note: "no" }));
    }
    const dice = fc.sample(fc.double({ min: 0, max: 0.999999, noNaN: true }), REORDERED * 5)[Symbol.iterator]();
    const random = () => dice.next().value ?? 0;
    const forged: number[] = [];
    for (let sent = 0; sent < REORDERED; sent += AT_ONCE) {
      const round = Array.from({ length: AT_ONCE }, () => {
        const picked = callbacks[Math.floor(random() * callbacks.length)];
        if (picked === undefined) throw new Error("no callback");
        return random() < 0.4
          ? { callback: altered(picked, random), isForged: true }
          : { callback: picked, isForged: false };
      });
      const answers = await Promise.all(round.map(async (one) => ({ ...one, ...(await send(on, one.callback)) })));
      forged.push(...answers.filter(({ isForged }) => isForged).map(({ status }) => status));
    }
    expect(forged.filter((status) => status < 400)).toEqual([]);
    for (const id of ids) {
      const { reviews, state } = await approvalOf(on, id);
      const by: string[] = reviews.map((review: { by: string }) => review.by);
      expect([...new Set(by)].sort()).toEqual([...by].sort());
      expect(by.every((name) => name === "ana" || name === "ben")).toBe(true);
      const verdicts: string[] = reviews.map((review: { verdict: string }) => review.verdict);
      expect(state).toBe(verdicts.includes("deny") ? "denied" : verdicts.length === 2 ? "approved" : "pending");
    }
  });
}

/** Whether a message went to this account, in the service's own words for it. */
function isTo({ to }: SeenMessage, account: string): boolean {
  return to === account || account.endsWith(`U${to.slice(1)}`);
}

function personalSuite({ kind, start }: Suite): void {
  test(`${kind}: in quiet hours a person gets no messages, and all of them afterwards`, async () => {
    const { on, stage, clock, ask } = await playing(kind, start);
    const now = new Date(clock.nowMs());
    const at = (hours: number) => `${String((now.getUTCHours() + hours + 24) % 24).padStart(2, "0")}:00`;
    await setReach(on.deps, "ana", { quiet: { from: at(-1), to: at(2), zone: "UTC" } });
    const id = await ask();
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(stage.seen()).toEqual([]);
    clock.advance(3 * 60 * 60_000);
    await until(stage.seen, (all) => all.some(({ text }) => text.includes(`/approvals/${id}`)));
  });

  // A person has any number of browsers, so none replaces another.
  if (kind !== "push") replacedSuite(kind, start);

  test(`${kind}: a person who switched the channel off is not told there`, async () => {
    const { on, stage, ask } = await playing(kind, start);
    await setReach(on.deps, "ana", { off: [kind] });
    await ask();
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(stage.seen()).toEqual([]);
  });
}

function replacedSuite(kind: ChannelKind, start: Suite["start"]): void {
  test(`${kind}: an account that is replaced by another one is told so, and is no longer the person's`, async () => {
    const { on, stage } = await playing(kind, start);
    if (stage.contact === undefined) throw new Error("no accounts here");
    const { account, label } = stage.contact("ben");
    await link(on, stage.contact("ben"), "ana");
    const replaced = `this account can no longer answer as ana: ${label} (${kind}) is linked instead`;
    const linked = `${label} (${kind}) can now be told and can answer as ana`;
    const saying = (words: string) => stage.seen().filter(({ text }) => text.includes(words));
    await until(
      () => [saying(replaced), saying(linked)],
      (both) => both.every((found) => found.length > 0),
    );
    const [old, fresh] = [saying(replaced), saying(linked)].map((found) => [...new Set(found.map(({ to }) => to))]);
    expect([old?.length, fresh?.length]).toEqual([1, 1]);
    expect(old).not.toEqual(fresh);
    const { people } = (await on.deps.standing.current()).rows;
    const own = people.find(({ name }) => name === "ana")?.contacts?.map((one) => one.account);
    expect(own).toEqual([account]);
  });
}
