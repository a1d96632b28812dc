import { expect, test } from "vitest";
import { linkCode, setReach } from "../../src/gate/people/contacts.ts";
import type { Served } from "../http/served.ts";
import { feishuServer } from "./feishu-server.ts";
import { type FeishuStage, feishuStage, KEYS, press } from "./feishu-stage.ts";
import { approvalOf, approve, type Callback, link, playing, send, until } from "./suite.ts";

// What Feishu sends to the server, and what the server does with it.

type Given = Parameters<typeof feishuStage>;

async function playFeishu(...given: Given) {
  const stage = await feishuStage(...given);
  return { ...(await playing("feishu", async () => stage)), stage, feishu: stage.feishu };
}

async function asked(...given: Given) {
  const play = await playFeishu(...given);
  const id = await play.ask();
  const [message] = await until(play.stage.seen, (all) => all.some(({ buttons }) => buttons.length > 0));
  if (message === undefined) throw new Error("no message");
  return { ...play, id, message };
}

test("an account that was replaced and has left the company does not unlink the account that replaced it", async () => {
  const { on, stage, feishu } = await playFeishu();
  feishu.state.people.delete("ou_ana");
  await link(on, { channel: "feishu", account: "ou_ben", label: "ben" }, "ana");
  const { store, workspace } = on.deps;
  const where = { collect: "dead feishu" } as const;
  await until(
    () => store.read({ ask: "count", workspace, table: "notices", where }),
    (count) => count === 1,
  );
  await until(stage.seen, (all) => all.some(({ to }) => to === "ou_ben"));
  const { people } = (await on.deps.standing.current()).rows;
  const own = people.find(({ name }) => name === "ana")?.contacts?.map(({ account }) => account);
  expect(own).toEqual(["ou_ben"]);
});

const CHALLENGE = { challenge: "ajls384kdjx98XX", token: KEYS.verificationToken, type: "url_verification" };

test("the address is verified with an encrypted challenge, unsigned as Feishu sends it", async () => {
  const { on, stage } = await playFeishu();
  const answer = await send(on, stage.feishu.signed(CHALLENGE, { isUnsigned: true }));
  expect(answer).toEqual({ status: 200, body: { challenge: CHALLENGE.challenge } });
});

test("without an encryption key the address is verified with a plain challenge that has the right token", async () => {
  const { on, stage } = await playFeishu({}, { verificationToken: KEYS.verificationToken });
  expect(await send(on, stage.feishu.signed(CHALLENGE))).toEqual({
    status: 200,
    body: { challenge: CHALLENGE.challenge },
  });
  expect(await send(on, stage.feishu.signed({ ...CHALLENGE, token: "guessed" }))).toEqual({
    status: 401,
    body: { refused: "token" },
  });
});

test("a request that Feishu did not sign for this app, or signed long ago, is refused, and the answer says what is wrong", async () => {
  const { on, feishu, message, id } = await asked();
  const good = () => press(feishu, message, "approve", "ou_ana");
  const stolen = await feishuServer({ ...KEYS, encryptKey: "another key" });
  const event = { operator: { open_id: "ou_ana" } };
  const minutes = (count: number) => ({ atMs: Date.now() + count * 60_000 });
  const { "x-lark-signature": _, ...unsigned } = good().headers;
  const wrong: readonly [Callback, { status: number; body: object }][] = [
    [
      { ...good(), headers: { ...good().headers } },
      { status: 401, body: { refused: "signature" } },
    ],
    [
      { ...good(), headers: unsigned },
      { status: 401, body: { refused: "signature" } },
    ],
    [stolen.callback("card.action.trigger", event), { status: 401, body: { refused: "signature" } }],
    [stolen.signed(CHALLENGE, { isUnsigned: true }), { status: 401, body: { refused: "encryption" } }],
    [
      { ...good(), headers: {}, body: JSON.stringify(CHALLENGE) },
      { status: 401, body: { refused: "encryption" } },
    ],
    [
      { ...good(), headers: {}, body: "[" },
      { status: 400, body: { refused: "body" } },
    ],
    [feishu.callback("card.action.trigger", event, minutes(-6)), { status: 401, body: { refused: "timestamp" } }],
    [feishu.callback("card.action.trigger", event, minutes(6)), { status: 401, body: { refused: "timestamp" } }],
    [feishu.callback("x", event, { app: "cli_other" }), { status: 401, body: { refused: "app" } }],
    [feishu.callback("x", event, { eventToken: "guessed" }), { status: 401, body: { refused: "token" } }],
    [feishu.signed({ ...event, token: KEYS.verificationToken }), { status: 400, body: { refused: "schema" } }],
  ];
  for (const [callback, expected] of wrong) expect(await send(on, callback)).toEqual(expected);
  await stolen.close();
  expect((await approvalOf(on, id)).reviews).toEqual([]);
});

test("with a verification token alone, buttons work and a request with another token or an old time is refused", async () => {
  const { on, feishu, message, id } = await asked({}, { verificationToken: KEYS.verificationToken });
  const good = press(feishu, message, "approve", "ou_ana");
  const forged = { ...good, body: good.body.replace(KEYS.verificationToken, "guessed") };
  expect(await send(on, forged)).toEqual({ status: 401, body: { refused: "token" } });
  const old = { ...good, body: good.body.replace(/"create_time":"\d+"/, `"create_time":"${Date.now() - 400_000}000"`) };
  expect(await send(on, old)).toEqual({ status: 401, body: { refused: "timestamp" } });
  expect((await approvalOf(on, id)).reviews).toEqual([]);
  expect((await send(on, good)).body).toMatchObject({ toast: { type: "success", content: "approved by ana" } });
});

test("a denial has the reason that was typed, and the card in the answer shows it and has no buttons", async () => {
  const { on, feishu, message, id } = await asked();
  const { status, body } = await send(on, press(feishu, message, "deny", "ou_ana", " not on a Friday "));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    toast: { type: "success", content: "denied by ana: not on a Friday" },
    card: { type: "raw", data: { schema: "2.0", header: { template: "red" } } },
  });
  const card = JSON.stringify(body);
  expect([card.includes("callback"), card.includes('"form"'), card.includes(`/approvals/${id}`)]).toEqual([
    false,
    false,
    true,
  ]);
  expect((await approvalOf(on, id)).reviews).toMatchObject([{ by: "ana", verdict: "deny", note: "not on a Friday" }]);
});

test("a click on a card that somebody answered meanwhile says what happened", async () => {
  const { on, feishu, message, id } = await asked();
  const click = press(feishu, message, "deny", "ou_ana", "too late");
  await approve(on, id);
  const { body } = await send(on, click);
  expect(body).toMatchObject({ toast: { type: "warning" } });
  expect(JSON.stringify(body)).toContain("approved by ana");
  expect((await approvalOf(on, id)).state).toBe("approved");
});

test("of two clicks that arrive in another order, the first to arrive counts, and the answer to the other says so", async () => {
  const { on, feishu, message, id } = await asked();
  const first = press(feishu, message, "approve", "ou_ana");
  const second = press(feishu, message, "deny", "ou_ana", "wait");
  expect((await send(on, second)).body).toMatchObject({ toast: { content: "denied by ana: wait" } });
  expect(JSON.stringify((await send(on, first)).body)).toContain("denied by ana: wait");
  expect((await approvalOf(on, id)).reviews).toHaveLength(1);
});

test("an event that Feishu sends again with a new signature counts once", async () => {
  const { on, stage } = await playFeishu();
  const event = writing("hello", { open_id: "ou_ana" });
  for (let n = 0; n < 3; n++) {
    const again = stage.feishu.callback("im.message.receive_v1", event, { id: "event-1" });
    expect(await send(on, again)).toEqual({ status: 200, body: {} });
  }
  expect(stage.feishu.replies()).toHaveLength(1);
});

test("buttons of the app's other cards and events of other kinds change nothing", async () => {
  const { on, feishu, id } = await asked();
  const operator = { open_id: "ou_ana" };
  const others = [
    feishu.callback("card.action.trigger", { operator, action: { value: { key: "x" } }, context: {} }),
    feishu.callback("card.action.trigger", { operator, action: { tag: "input" } }),
    feishu.callback("im.chat.member.bot.added_v1", {}),
  ];
  for (const callback of others) expect(await send(on, callback)).toEqual({ status: 200, body: {} });
  expect((await approvalOf(on, id)).reviews).toEqual([]);
});

type Where = { chat_type?: string; mentions?: object[] };

function writing(text: string, sender_id: object, where: Where = {}, sender_type = "user") {
  const { chat_type = "p2p", mentions } = where;
  return {
    sender: { sender_id, sender_type, tenant_key: "2ca1d211f64f6438" },
    message: {
      message_id: "om_written",
      create_time: String(Date.now()),
      chat_id: "oc_written",
      chat_type,
      message_type: "text",
      content: JSON.stringify({ text }),
      ...(mentions === undefined ? {} : { mentions }),
    },
  };
}

async function write(on: Served, { feishu }: FeishuStage, ...said: Parameters<typeof writing>): Promise<string> {
  const before = feishu.replies().length;
  const { status, body } = await send(on, feishu.callback("im.message.receive_v1", writing(...said)));
  expect([status, body]).toEqual([200, {}]);
  return feishu
    .replies()
    .slice(before)
    .map(({ text }) => text)
    .join("\n");
}

async function codeFor(on: Served, person: string): Promise<string> {
  const made = await linkCode(on.deps, "feishu", { by: person, assurance: "passkey" });
  if (!made.ok) throw new Error(made.reason.say);
  return made.value;
}

test("a person links their account with a code, then gets messages by its user id, and answers there", async () => {
  const { on, stage, ask } = await playFeishu();
  stage.feishu.state.people.set("ou_carol", "carol9");
  expect(await write(on, stage, "link WRONGCODE", { open_id: "ou_carol", user_id: "carol9" })).toContain("code");
  const code = await codeFor(on, "ana");
  const told = await write(on, stage, `Link  ${code.toLowerCase()} `, { open_id: "ou_carol", user_id: "carol9" });
  expect(told).toBe("linked: messages for ana now come here");
  const people = (await on.deps.standing.current()).rows.people;
  expect(people.find(({ name }) => name === "ana")?.contacts).toMatchObject([
    { channel: "feishu", account: "ou_carol", userId: "carol9", label: "carol9" },
  ]);
  const id = await ask();
  const [message] = await until(stage.seen, (all) => all.some(({ buttons }) => buttons.length > 0));
  const held = [...stage.feishu.state.messages.values()].find(({ card }) => card.callbacks.length > 0);
  expect([message === undefined, held?.to, held?.by]).toEqual([false, "ou_carol", "user_id"]);
  if (held === undefined) throw new Error("no message");
  await send(on, press(stage.feishu, held, "approve", "ou_carol"));
  expect(await approvalOf(on, id)).toMatchObject({ state: "approved", reviews: [{ by: "ana", assurance: "channel" }] });
});

test("a code that was used links no second account", async () => {
  const { on, stage } = await playFeishu();
  const code = await codeFor(on, "ben");
  const where = { chat_type: "group", mentions: [{ key: "@_user_1", id: { open_id: "ou_bot" } }] };
  expect(await write(on, stage, `@_user_1 link ${code}`, { open_id: "ou_ben" }, where)).toContain("linked");
  expect(await write(on, stage, `link ${code}`, { open_id: "ou_thief" })).not.toContain("linked");
  const people = (await on.deps.standing.current()).rows.people;
  expect(people.find(({ name }) => name === "ben")?.contacts).toMatchObject([{ account: "ou_ben" }]);
  expect(await codeFor(on, "ben")).not.toBe(code);
});

test("words never approve a call: the person who writes is told where to answer, in their language", async () => {
  const { on, stage, id } = await asked();
  for (const words of ["approve", `approve ${id}`, "批准", "yes", "link", "link this please"]) {
    expect(await write(on, stage, words, { open_id: "ou_ana" })).toBe(
      `messages here do not answer questions: press a button of the question, or open the inbox: ${on.pages}/`,
    );
  }
  await setReach(on.deps, "ana", { language: "zh" });
  expect(await write(on, stage, "approve", { open_id: "ou_ana" })).toContain("在此发送的消息不会答复任何询问");
  expect(await write(on, stage, "approve", { open_id: "ou_stranger" })).toContain("not linked to anybody");
  expect((await approvalOf(on, id)).reviews).toEqual([]);
});

test("what people write to each other in a group, and what bots write, is not answered", async () => {
  const { on, stage } = await playFeishu();
  expect(await write(on, stage, "lunch?", { open_id: "ou_ben" }, { chat_type: "group" })).toBe("");
  expect(await write(on, stage, "hello", { open_id: "ou_other_bot" }, {}, "app")).toBe("");
});

test("a message is handled even if the reply to it cannot be sent", async () => {
  const { on, stage } = await playFeishu();
  const code = await codeFor(on, "ben");
  stage.feishu.state.once.set("POST /open-apis/im/v1/messages/om_written/reply", "down");
  expect(await write(on, stage, `link ${code}`, { open_id: "ou_ben" })).toBe("");
  const people = (await on.deps.standing.current()).rows.people;
  expect(people.find(({ name }) => name === "ben")?.contacts).toMatchObject([{ account: "ou_ben" }]);
});

test("in a group chat a question that needs two people keeps its buttons until the second has answered", async () => {
  const { on, feishu, stage, ask } = await playFeishu({ chat: "oc_team" });
  await write(on, stage, `link ${await codeFor(on, "ben")}`, { open_id: "ou_ben" });
  const id = await ask(1, "release");
  const inGroup = () => stage.seen().filter(({ to }) => to === "oc_team");
  const [card] = await until(inGroup, (all) => all.length > 0);
  if (card === undefined) throw new Error("no card in the group");
  expect((await send(on, press(feishu, card, "approve", "ou_ana"))).body).toMatchObject({
    toast: { type: "success", content: "1 of 2 approvals so far" },
  });
  const [after] = await until(inGroup, ([one]) => one?.text.includes("1 of 2 approvals so far") === true);
  expect(after?.buttons).toEqual(["approve", "deny"]);
  await send(on, press(feishu, card, "approve", "ou_ben"));
  expect((await approvalOf(on, id)).state).toBe("approved");
  await until(stage.seen, (all) => all.every(({ text, buttons }) => buttons.length === 0 || !text.includes(id)));
});

test("without a verification token and an encryption key messages have no buttons, and no request is accepted", async () => {
  const { on, stage, ask } = await playFeishu({}, {});
  const id = await ask();
  const [message] = await until(stage.seen, (all) => all.length > 0);
  expect([message?.buttons, message?.text.includes(`/approvals/${id}`)]).toEqual([[], true]);
  expect((await send(on, stage.feishu.signed(CHALLENGE))).status).toBe(404);
});
