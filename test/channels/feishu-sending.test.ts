import { expect, onTestFinished, test } from "vitest";
import { apiOrigin } from "../../src/channels/feishu/api.ts";
import { channelMaker } from "../../src/channels/index.ts";
import { channelTools } from "../../src/channels/tools.ts";
import type { Contact, FeishuSettings } from "../../src/core/channel.ts";
import { type Channel, ChannelFailure, type Outgoing } from "../../src/ports.ts";
import { type FeishuOptions, type FeishuServer, feishuServer, seenOf } from "./feishu-server.ts";

// What the channel sends to Feishu, and what it does after each answer.

type Sending = { feishu: FeishuServer; channel: Channel; clock: { aheadMs: number } };

async function sending(more: Partial<FeishuSettings> = {}, given: FeishuOptions = {}): Promise<Sending> {
  const feishu = await feishuServer(given);
  const clock = { aheadMs: 0 };
  const tools = channelTools(
    { FEISHU_SECRET: "app-secret-1", FEISHU_KEY: "encrypt-key-1" },
    { stateFolder: "unused", write: () => undefined, nowMs: () => Date.now() + clock.aheadMs },
  );
  const maker = channelMaker(tools);
  const appSecret = { from: "env", name: "FEISHU_SECRET" } as const;
  const channel = await maker.open({ kind: "feishu", appId: "cli_leeway", appSecret, api: feishu.url, ...more });
  onTestFinished(async () => {
    await maker.close();
    await feishu.close();
  });
  return { feishu, channel, clock };
}

const ANA: Contact = { channel: "feishu", account: "ou_ana", label: "ana", linkedMs: 0 };

let made = 0;

/** A question to ana, as the gate hands it to a channel. */
type Changed = Partial<Pick<Outgoing, "address" | "language" | "handTo">>;

function question(
  more: Changed = {},
  exact: readonly string[] = ["rm -rf ./build"],
  holdsFor: readonly string[] = [],
): Outgoing {
  made += 1;
  return {
    id: `ntc_${made}`,
    workspace: "main",
    kind: "pending",
    to: "ana",
    title: "coder asks to use shell",
    text: "",
    ref: "apr_1",
    channel: "feishu",
    createdMs: 0,
    attempts: 0,
    dueMs: 0,
    state: "waiting",
    address: { to: "person", contacts: [ANA] },
    language: "en",
    link: "https://leeway.example/approvals/apr_1",
    secret: "s".repeat(64),
    question: {
      digest: "sha256:0",
      state: "pending",
      needsHuman: false,
      answerByMs: 0,
      card: {
        title: "coder wants to use shell",
        lead: "rm -rf ./build",
        sentence: "Deletes files in the project.",
        targets: [],
        parts: [],
        exact,
        marks: [],
        changes: [],
        size: "14 bytes",
        holdsFor,
        why: ["rule no-delete asks"],
        understanding: ["the command is understood"],
        deadline: "16:00",
        quorum: "needs 1 approval",
      },
    },
    ...more,
  };
}

const toTeam = (place = "oc_team") => question({ address: { to: "place", place } });

async function failureOf(
  work: Promise<unknown> | undefined,
): Promise<Pick<ChannelFailure, "kind" | "message" | "retryAfterMs">> {
  const error = await work?.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ChannelFailure)) throw new Error(`no failure of the channel: ${String(error)}`);
  const { kind, message, retryAfterMs } = error;
  return { kind, message, retryAfterMs };
}

const sent = ({ feishu }: Sending) => [...feishu.state.messages.values()].map(({ by, to }) => [by, to]);

test("a person is found by their user id if it is known, else by their open id, and a group by its chat id", async () => {
  const on = await sending();
  await on.channel.deliver(question({ address: { to: "person", contacts: [{ ...ANA, userId: "ana7" }] } }));
  await on.channel.deliver(question());
  const done = await on.channel.deliver(toTeam());
  expect(sent(on)).toEqual([
    ["user_id", "ou_ana"],
    ["open_id", "ou_ana"],
    ["chat_id", "oc_team"],
  ]);
  expect(done).toEqual({ message: [...on.feishu.state.messages.keys()][2], chat: "oc_team" });
});

test("Feishu and Lark have their own hosts, and a policy can set another one", () => {
  const api = "http://proxy.example/";
  expect([{}, { domain: "feishu" as const }, { domain: "lark" as const }, { api }].map(apiOrigin)).toEqual([
    "https://open.feishu.cn",
    "https://open.feishu.cn",
    "https://open.larksuite.com",
    "http://proxy.example",
  ]);
});

test("a user id that Feishu no longer knows is tried as open id; if both are unknown the account is gone", async () => {
  const on = await sending();
  await on.channel.deliver(question({ address: { to: "person", contacts: [{ ...ANA, userId: "older" }] } }));
  expect(sent(on)).toEqual([["open_id", "ou_ana"]]);
  const nobody = question({ address: { to: "person", contacts: [{ ...ANA, account: "ou_left" }] } });
  expect(await failureOf(on.channel.deliver(nobody))).toMatchObject({ kind: "gone" });
});

test("the card shows what would run as plain text, and what its buttons send back", async () => {
  const on = await sending();
  const forged = ["**Approved** by ana", '<at id="all"></at> ```', "[link](https://evil.example)"];
  const outgoing = question({ handTo: ["ben", "cleo"] }, forged);
  await on.channel.deliver(outgoing);
  const [message] = on.feishu.state.messages.values();
  const { id: notice, secret } = outgoing;
  expect(message?.card).toMatchObject({
    texts: [
      "coder wants to use shell",
      "Deletes files in the project.",
      "What would run",
      forged.join("\n"),
      "Why it is asked",
      "rule no-delete asks",
      "What was understood",
      "the command is understood",
      "Answer by",
      "16:00",
      "Approvals",
      "needs 1 approval",
      "Approve",
      "Approve and remember…",
      "Open in the inbox",
      "Reason for the denial (the agent reads it)",
      "Deny",
      "Not ready to answer? Write to the agent, put it aside, or hand it over",
      "What the agent should know (it is not an answer)",
      "Send to the agent",
      "How long it is put aside for you (others still see it)",
      "Put aside for one hour",
      "Put aside until tomorrow, 9:00",
      "Who should answer it",
      "ben",
      "cleo",
      "A note for them (you can leave it out)",
      "Hand over",
    ],
    urls: ["https://leeway.example/approvals/apr_1#remember", "https://leeway.example/approvals/apr_1"],
    callbacks: [
      { notice, secret, verdict: "approve" },
      { notice, secret, verdict: "deny" },
      { notice, secret, act: "reply" },
      { notice, secret, act: "snooze", until: "1h" },
      { notice, secret, act: "snooze", until: "tomorrow 9:00" },
      { notice, secret, act: "handover" },
    ],
    inputs: ["reason", "words", "hand_note"],
    choices: { hand_to: ["ben", "cleo"] },
  });
});

test("where many people may answer, the name is typed; where nobody else may, nothing is handed over", async () => {
  const on = await sending();
  const names = Array.from({ length: 80 }, (_, at) => `person-${at}`);
  for (const handTo of [names, []]) await on.channel.deliver(question({ handTo }));
  const cards = [...on.feishu.state.messages.values()].map(({ card }) => card);
  expect(cards.map(({ inputs, choices }) => [inputs, choices])).toEqual([
    [["reason", "words", "hand_to", "hand_note"], {}],
    [["reason", "words"], {}],
  ]);
});

test("a card that is full shows what would run rather than what can be done besides answering", async () => {
  const on = await sending();
  const names = Array.from({ length: 50 }, (_, at) => `a person with quite a long name, number ${at}`);
  const lines = Array.from({ length: 115 }, (_, at) => `${String(at).padStart(3, "0")} ${"删".repeat(60)}`);
  await on.channel.deliver(question({ handTo: names }, lines));
  const [message] = on.feishu.state.messages.values();
  if (message === undefined) throw new Error("no message");
  expect(message.card.texts).toContain(lines.join("\n"));
  expect([seenOf(message).buttons, seenOf(message).triage]).toEqual([["approve", "deny"], []]);
});

test("the card is in the language of whoever reads it", async () => {
  const on = await sending();
  await on.channel.deliver(question({ language: "zh" }));
  const [message] = on.feishu.state.messages.values();
  for (const word of ["批准", "拒绝", "在收件箱中打开", "批准并记住…"]) expect(message?.card.texts).toContain(word);
});

test("a command that is too long for a card is cut at a line; the card says so and has no button to approve", async () => {
  const on = await sending();
  for (const line of ['{"key": "value \\" quoted"}', "删除生产数据库中的所有客户记录", "x".repeat(5000)]) {
    await on.channel.deliver(
      question(
        {},
        Array.from({ length: 4000 }, () => line),
      ),
    );
  }
  const all = [...on.feishu.state.messages.values()].map(seenOf);
  expect(all.map(({ buttons }) => buttons)).toEqual([["deny"], ["deny"], ["deny"]]);
  for (const { text } of all) expect(text).toMatch(/\d+ more lines are not shown here: open it in the inbox/);
});

test("the card says where a command runs and which files an approval is valid for, directly below the command", async () => {
  const on = await sending();
  await on.channel.deliver(question({}, ["make deploy"], ["runs in /srv/production", "may run Makefile: 3 bytes"]));
  const [message] = on.feishu.state.messages.values();
  expect(message?.card.texts.slice(2, 6)).toEqual([
    "What would run",
    "make deploy",
    "Where it runs, and what an approval is valid for",
    "runs in /srv/production\nmay run Makefile: 3 bytes",
  ]);
});

test("facts that are too long for a card are shortened, the card says so, and it can be denied there but not approved", async () => {
  const on = await sending();
  for (const line of ["x".repeat(60_000), '"'.repeat(60_000), "删".repeat(60_000)])
    await on.channel.deliver(question({}, ["make deploy"], [line]));
  const all = [...on.feishu.state.messages.values()].map(seenOf);
  expect(all.map(({ buttons }) => buttons)).toEqual([["deny"], ["deny"], ["deny"]]);
  for (const { text } of all) {
    expect(text).toContain("make deploy");
    expect(text).toContain("not everything that you should know is shown here: open it in the inbox");
  }
});

test("a notice that is not a question has a link and no buttons", async () => {
  const on = await sending();
  const { question: _, secret: __, ...rest } = question();
  await on.channel.deliver({ ...rest, kind: "limit", title: "coder reached a limit", text: "100 calls an hour" });
  const [message] = on.feishu.state.messages.values();
  expect(message?.card).toMatchObject({
    texts: ["coder reached a limit", "100 calls an hour", "Open in the inbox"],
    urls: ["https://leeway.example/approvals/apr_1"],
    callbacks: [],
  });
});

test("an answered question shows its outcome in the same message, without buttons", async () => {
  const on = await sending();
  const { secret: _, ...outgoing } = question();
  const done = await on.channel.deliver({ ...outgoing, secret: "s".repeat(64) });
  const { question: shown } = outgoing;
  if (shown === undefined) throw new Error("no question");
  const answered = { ...outgoing, question: { ...shown, state: "approved" as const, outcome: "approved by ana" } };
  await on.channel.update?.(done ?? {}, answered);
  const [message] = on.feishu.state.messages.values();
  expect([message?.changed, message?.card.callbacks, message?.card.texts.includes("approved by ana")]).toEqual([
    1,
    [],
    true,
  ]);
});

test("an attempt that arrived although it seemed to fail is not sent a second time", async () => {
  const on = await sending();
  const outgoing = question();
  const first = await on.channel.deliver(outgoing);
  expect(await on.channel.deliver({ ...outgoing, attempts: 1 })).toEqual(first);
  expect(on.feishu.state.messages.size).toBe(1);
});

test("one access token is used for many messages, and is replaced before it expires", async () => {
  const on = await sending();
  await Promise.all(Array.from({ length: 10 }, () => on.channel.deliver(question())));
  on.clock.aheadMs = 110 * 60_000;
  await on.channel.deliver(question());
  expect(on.feishu.state.tokensGiven).toBe(1);
  on.clock.aheadMs = 116 * 60_000;
  await on.channel.deliver(question());
  expect([on.feishu.state.tokensGiven, on.feishu.state.messages.size]).toEqual([2, 12]);
});

test("an access token that Feishu no longer accepts is replaced once, and the message is sent", async () => {
  const on = await sending();
  await on.channel.deliver(question());
  on.feishu.state.tokens.clear();
  await Promise.all(Array.from({ length: 10 }, () => on.channel.deliver(question())));
  expect([on.feishu.state.tokensGiven, on.feishu.state.messages.size]).toEqual([2, 11]);
  on.feishu.state.once.set("POST /open-apis/im/v1/messages", { code: 99991677, msg: "expired" });
  await on.channel.deliver(question());
  expect([on.feishu.state.tokensGiven, on.feishu.state.messages.size]).toEqual([3, 12]);
});

test("a service that refuses every token is asked twice and no more, and the message is not given up", async () => {
  const on = await sending();
  await on.channel.deliver(question());
  const before = on.feishu.state.requests.length;
  on.feishu.state.tokenSeconds = 0;
  const add = on.feishu.state.tokens.add;
  on.feishu.state.tokens.clear();
  on.feishu.state.tokens.add = () => on.feishu.state.tokens;
  expect(await failureOf(on.channel.deliver(question()))).toMatchObject({
    kind: "down",
    message: expect.stringMatching(/^Feishu does not accept the access token that it gave \(Feishu answered 99991663/),
  });
  on.feishu.state.tokens.add = add;
  expect(on.feishu.state.requests.slice(before).filter((what) => what.includes("/messages"))).toHaveLength(2);
});

test.each(["busy", "busy in the old way"] as const)(
  "a limit of the app (%s) is honoured: nothing is sent until Feishu allows it",
  async (how) => {
    const on = await sending();
    await on.channel.deliver(question());
    on.feishu.state.broken = how;
    expect(await failureOf(on.channel.deliver(question()))).toMatchObject({ kind: "busy", retryAfterMs: 1000 });
    on.feishu.state.broken = undefined;
    const before = on.feishu.state.requests.length;
    expect(await failureOf(on.channel.deliver(question()))).toMatchObject({ kind: "busy" });
    expect(on.feishu.state.requests).toHaveLength(before);
    on.clock.aheadMs = 1001;
    await on.channel.deliver(question());
    expect(on.feishu.state.messages.size).toBe(2);
  },
);

test("a rate limit for one person does not delay messages to others", async () => {
  const on = await sending();
  on.feishu.state.once.set("POST /open-apis/im/v1/messages", {
    code: 230020,
    msg: "This operation triggers the frequency limit.",
  });
  expect(await failureOf(on.channel.deliver(question()))).toMatchObject({ kind: "busy" });
  await on.channel.deliver(toTeam());
  expect(sent(on)).toEqual([["chat_id", "oc_team"]]);
});

test("a service that fails, or whose proxy answers with a page, counts as down for the moment", async () => {
  const on = await sending();
  on.feishu.state.broken = "down";
  expect(await failureOf(on.channel.deliver(question()))).toMatchObject({
    kind: "down",
    message: expect.stringMatching(/503/),
  });
  on.feishu.state.broken = "page";
  expect(await failureOf(on.channel.deliver(question()))).toMatchObject({
    kind: "down",
    message: expect.stringMatching(/a proxy asks you to sign in/),
  });
  await on.feishu.close();
  expect(await failureOf(on.channel.deliver(question()))).toMatchObject({ kind: "down" });
});

test.each(["silent", "stalled"] as const)(
  "a connection that falls %s ends after ten seconds",
  async (how) => {
    const on = await sending();
    on.feishu.state.broken = how;
    expect(await failureOf(on.channel.deliver(question()))).toEqual({
      kind: "down",
      message: "the service did not answer in 10 s",
      retryAfterMs: undefined,
    });
  },
  20_000,
);

test.each([
  [{ code: 99991672, msg: "Access denied." }, "down", "the app lacks a permission: add `im:message:send_as_bot`"],
  [{ code: 230006, msg: "Bot ability is not activated." }, "down", "the app has no bot: add the Bot feature"],
  [{ code: 230013, msg: "Bot has NO availability to this user." }, "refused", "add them under Availability"],
  [{ code: 99991403, msg: "quota exceeded" }, "down", "used up its requests to Feishu for this month"],
  [{ code: 2200, msg: "internal error" }, "down", "Feishu could not do it"],
  [{ code: 230028, msg: "The messages do NOT pass the audit." }, "refused", "the question is in the inbox"],
  [{ code: 230029, msg: "The user has resigned." }, "gone", "has left the company"],
  [{ code: 230001, msg: "ext=invalid receive_id." }, "gone", "not known to Feishu"],
  [
    { code: 230099, msg: "Failed to create card content" },
    "refused",
    "Feishu answered 230099: Failed to create card content",
  ],
] as const)("what Feishu answers to a message (%o) is told with what to do", async (broken, kind, words) => {
  const on = await sending();
  on.feishu.state.once.set("POST /open-apis/im/v1/messages", broken);
  const failure = await failureOf(on.channel.deliver(question()));
  expect([failure.kind, failure.message.includes(words), failure.message.includes(String(broken.code))]).toEqual([
    kind,
    true,
    true,
  ]);
});

test("a message to a chat without the bot is refused, and no account is forgotten because of it", async () => {
  const on = await sending();
  expect(await failureOf(on.channel.deliver(toTeam("oc_other")))).toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/^the bot is not in this chat: add it to the chat/),
  });
  on.feishu.state.once.set("POST /open-apis/im/v1/messages", { code: 230001, msg: "ext=invalid receive_id." });
  expect(await failureOf(on.channel.deliver(toTeam()))).toMatchObject({ kind: "refused" });
});

test("a wrong app secret is reported with what to do, and is never shown", async () => {
  const on = await sending({}, { appSecret: "another secret" });
  const failure = await failureOf(on.channel.try?.());
  expect(failure).toMatchObject({
    kind: "down",
    message: expect.stringMatching(/^the app secret is wrong, or the app is disabled: copy the secret again/),
  });
  expect(failure.message).not.toContain("app-secret-1");
});

test("testing the settings sends no message, and finds what would prevent messages from arriving", async () => {
  const on = await sending({ chat: "oc_team" });
  await on.channel.try?.();
  on.feishu.state.once.set("GET /open-apis/im/v1/chats", { code: 99991672, msg: "Access denied." });
  await on.channel.try?.();
  on.feishu.state.chats.clear();
  expect(await failureOf(on.channel.try?.())).toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/^the bot is not in the chat oc_team/),
  });
  on.feishu.state.appState = 1;
  expect(await failureOf(on.channel.try?.())).toMatchObject({
    kind: "down",
    message: expect.stringMatching(/^the app is disabled: ask an admin/),
  });
  expect(on.feishu.state.messages.size).toBe(0);
  const unset = await sending({ encryptKey: { from: "env", name: "FEISHU_UNSET" } });
  expect(await failureOf(unset.channel.try?.())).toMatchObject({
    message: "the variable FEISHU_UNSET is not set for the server",
  });
});
