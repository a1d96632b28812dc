import { expect, onTestFinished, test } from "vitest";
import { handOver } from "../../src/gate/approvals/triage.ts";
import { listenerOf } from "../../src/gate/notices/listener.ts";
import type { Sending } from "../../src/gate/notices/sending.ts";
import { linkBrowser } from "../../src/gate/people/contacts.ts";
import { tick } from "../../src/gate/time/tick.ts";
import type { Channel, Listener, Outgoing, ToldBack } from "../../src/ports.ts";
import { sendingBy } from "../../src/serve.ts";
import { MINUTE_MS, type Office, office, POLICY } from "../verbs/kit.ts";

// What people do with a question in a channel instead of answering it; the same for every channel.

const CHAT = `${POLICY}
agents: { coder: { reviewers: [group:leads] } }
channels: { slack: { botToken: "env:SLACK_TOKEN", signingSecret: "env:SLACK_SECRET" } }
`;

/** A channel that keeps what it was given: each message, as it is now. */
type Room = Office & { shown: Map<string, Outgoing>; listener: Listener; id: string; turn(): Promise<void> };

async function room(): Promise<Room> {
  const o = await office(CHAT);
  const shown = new Map<string, Outgoing>();
  const channel: Channel = {
    name: "slack",
    deliver: async (outgoing) => {
      const message = `m${shown.size + 1}`;
      shown.set(message, outgoing);
      return { message, chat: "c1" };
    },
    update: async ({ message = "" }, outgoing) => void shown.set(message, { ...shown.get(message), ...outgoing }),
    hear: async () => ({ status: 200 }),
  };
  const maker: Sending["maker"] = {
    open: async () => channel,
    trial: async () => channel,
    hasSecret: () => true,
    close: async () => undefined,
  };
  const sending = sendingBy(maker, { origin: "https://leeway.example", url: "https://leeway.example" });
  onTestFinished(() => o.deps.store.close());
  for (const name of ["ben", "cleo", "dan"]) await link(o, name);
  const { approvalId: id = "" } = await o.submit("refund", { amount: 5 });
  const turn = async () => void (await tick(o.deps, sending));
  await turn();
  return { ...o, shown, listener: listenerOf(o.deps, sending, "slack"), id, turn };
}

async function link({ deps }: Office, name: string): Promise<void> {
  const contact = { channel: "slack", account: `U-${name}`, label: name } as const;
  expect(await linkBrowser(deps, contact, { by: name, assurance: "password" })).toMatchObject({ ok: true });
}

/** The message of this person, used by this account. */
function used({ shown }: Room, to: string, account = `U-${to}`) {
  const [message, outgoing] = [...shown].find(([, one]) => one.to === to) ?? [];
  if (message === undefined || outgoing?.secret === undefined) throw new Error(`${to} has no message`);
  return { account, notice: outgoing.id, secret: outgoing.secret, message };
}

const brief = ({ ok, text, shown }: ToldBack) => [ok, text, shown?.question?.outcome];

test("words to the agent count if they come from a linked account, and every message shows them", async () => {
  const r = await room();
  const told = await r.listener.reply({ ...used(r, "ben"), text: "which customer?" });
  expect(brief(told)).toEqual([
    true,
    "the agent will read what you wrote; the question stays open",
    "ben wrote to the agent: which customer?",
  ]);
  expect((await r.approval(r.id)).replies).toEqual([{ by: "ben", text: "which customer?", atMs: r.clock.nowMs() }]);
  await r.turn();
  expect([...r.shown.values()].map(({ question }) => question?.outcome)).toEqual([
    "ben wrote to the agent: which customer?",
    "ben wrote to the agent: which customer?",
  ]);
  // The service sent the same callback again.
  await r.listener.reply({ ...used(r, "ben"), text: "which customer?" });
  expect((await r.approval(r.id)).replies).toHaveLength(1);
});

test("a question is put aside only for the person of the account, and can be taken back", async () => {
  const r = await room();
  const put = await r.listener.snooze({ ...used(r, "ben"), until: "10m" });
  expect([put.ok, put.text]).toEqual([true, expect.stringMatching(/^put aside for you until \d{4}-/)]);
  expect((await r.approval(r.id)).snoozed).toEqual([{ by: "ben", untilMs: r.clock.nowMs() + 10 * MINUTE_MS }]);
  expect(brief(await r.listener.snooze({ ...used(r, "ben"), until: "3d" }))[0]).toBe(false);
  const back = await r.listener.snooze({ ...used(r, "ben"), until: "now" });
  expect([back.ok, back.text]).toEqual([true, "the question is in your list again"]);
});

test("the reminder after a snooze is also sent by the channel", async () => {
  const r = await room();
  await r.listener.snooze({ ...used(r, "ben"), until: "10m" });
  const before = r.shown.size;
  await r.clock.advance(11 * MINUTE_MS);
  await r.turn();
  expect([...r.shown.values()].slice(before).map(({ kind, to }) => [kind, to])).toEqual([["reminder", "ben"]]);
});

test("a person to whom a question is handed over gets a message that says who asks and why", async () => {
  const r = await room();
  const told = await r.listener.handover({ ...used(r, "ben"), to: "cleo", note: "you know them" });
  expect(brief(told)).toEqual([true, "cleo is asked to answer it", "handed to cleo by ben: you know them"]);
  await r.turn();
  const last = [...r.shown.values()].at(-1);
  expect([last?.kind, last?.to, last?.text, last?.question?.outcome]).toEqual([
    "pending",
    "cleo",
    "ben asks you to answer it: you know them",
    "handed to cleo by ben: you know them",
  ]);
  const no = await r.listener.handover({ ...used(r, "ben"), to: "dan", note: "" });
  expect([no.ok, no.text]).toEqual([false, `dan may not review ${r.id}; it can be handed to: cleo`]);
});

test("a wrong secret, another message, or an account that is not linked changes nothing, and the attempt is recorded", async () => {
  const r = await room();
  const mine = used(r, "ben");
  const wrong = [
    { ...mine, secret: `${mine.secret}x` },
    { ...mine, message: "m99" },
    { ...mine, notice: "ntc_none" },
    { ...mine, message: used(r, "cleo").message },
  ];
  for (const one of wrong) {
    expect((await r.listener.reply({ ...one, text: "hello" })).ok).toBe(false);
    expect((await r.listener.snooze({ ...one, until: "5m" })).ok).toBe(false);
    expect((await r.listener.handover({ ...one, to: "cleo", note: "" })).ok).toBe(false);
  }
  const stranger = await r.listener.reply({ ...used(r, "ben", "U-stranger"), text: "hello" });
  expect([stranger.ok, stranger.text]).toEqual([false, expect.stringContaining("not linked")]);
  const row = await r.approval(r.id);
  expect([row.replies, row.snoozed, row.handed]).toEqual([undefined, undefined, undefined]);
  const { store, workspace } = r.deps;
  const where = { kinds: ["review.refused"] as const };
  const entries = await store.read({ ask: "entries", workspace, where, limit: 9, order: "oldest" });
  expect(entries.map(({ subject, body }) => [subject.person, body?.json["verdict"]])).toEqual([
    ["slack:U-stranger", "reply"],
  ]);
});

test("an account whose person may not answer is told so, whoever's message it used", async () => {
  const r = await room();
  const told = await r.listener.reply({ ...used(r, "ben", "U-dan"), text: "let me" });
  expect([told.ok, told.text]).toEqual([false, `dan may not review ${r.id}; it is for group:leads`]);
});

test("after the question is answered, the same messages only say what happened", async () => {
  const r = await room();
  await r.approve(r.id, "cleo");
  const told = await r.listener.reply({ ...used(r, "ben"), text: "wait" });
  expect([told.ok, told.text, told.shown?.question?.outcome]).toEqual([
    false,
    expect.stringContaining("approved"),
    "approved by cleo",
  ]);
  expect(await handOver(r.deps, r.id, { by: "ben", assurance: "tty", to: "cleo", note: "" })).toMatchObject({
    ok: false,
    code: "LEEWAY_ALREADY_RESOLVED",
  });
});
