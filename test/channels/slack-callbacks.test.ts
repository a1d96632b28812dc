import { expect, test } from "vitest";
import { linkCode } from "../../src/gate/people/contacts.ts";
import { textsIn } from "./slack-rules.ts";
import { CHAT, pressed, type SlackService, slackService, submitted } from "./slack-service.ts";
import { approvalOf, type Playing, playing, send, until } from "./suite.ts";

// What Slack sends to the server, and what the server does with it.

type Slack = Omit<Playing, "stage"> & { slack: SlackService };

async function playingSlack(given: { chat?: string } = {}): Promise<Slack> {
  let slack: SlackService | undefined;
  const { stage: _, ...play } = await playing("slack", async () => {
    slack = await slackService(given);
    return slack;
  });
  if (slack === undefined) throw new Error("Slack did not start");
  return { ...play, slack };
}

async function contactsOf({ on }: Slack, name: string) {
  const { people } = (await on.deps.standing.current()).rows;
  return people.find((one) => one.name === name)?.contacts?.map(({ linkedMs: _, ...rest }) => rest) ?? [];
}

async function codeFor({ on }: Slack, name: string): Promise<string> {
  const code = await linkCode(on.deps, "slack", { by: name, assurance: "password" });
  if (!code.ok) throw new Error(code.reason.say);
  return code.value;
}

/** Why notices were given up. */
async function deadIn({ on }: Slack): Promise<readonly string[]> {
  const { store, workspace } = on.deps;
  const rows = await store.read({ ask: "rows", workspace, table: "notices", where: {}, limit: 100, order: "oldest" });
  return rows.flatMap(({ row }) => (row.state === "dead" ? [String(row.why)] : []));
}

const MINUTE_MS = 60_000;
const CHALLENGE = JSON.stringify({ type: "url_verification", challenge: "3eZbrw1a", token: "x" });

test("slack: the request with which Slack verifies the address is answered", async () => {
  const { on, slack } = await playingSlack();
  expect(await send(on, slack.signed(CHALLENGE, { type: "application/json" }))).toEqual({
    status: 200,
    body: { challenge: "3eZbrw1a" },
  });
});

test("slack: a request counts for five minutes, and only with the signature of the app", async () => {
  const { on, slack } = await playingSlack();
  const statusOf = async (how: { atMs?: number; secret?: string; headers?: Record<string, string> }) =>
    (await send(on, slack.signed(CHALLENGE, { type: "application/json", ...how }))).status;
  const nowMs = Date.now();
  expect([
    await statusOf({ atMs: nowMs - 4 * MINUTE_MS }),
    await statusOf({ atMs: nowMs - 6 * MINUTE_MS }),
    await statusOf({ atMs: nowMs + 6 * MINUTE_MS }),
    await statusOf({ secret: "another" }),
    await statusOf({ headers: { "x-slack-signature": "" } }),
    await statusOf({ headers: { "x-slack-request-timestamp": "soon" } }),
  ]).toEqual([200, 401, 401, 401, 401, 401]);
});

test("slack: a request that Slack would not send is refused", async () => {
  const { on, slack } = await playingSlack();
  const requests = [
    slack.signed("no JSON", { type: "application/json" }),
    slack.signed("a=b"),
    slack.signed("payload=no+JSON"),
    slack.signed("<xml/>", { type: "text/xml" }),
    slack.interaction({
      type: "block_actions",
      user: { id: "U1", team_id: "T1" },
      actions: [{ action_id: "leeway_approve" }],
    }),
    slack.interaction({ type: "block_actions", user: { id: "U1" }, actions: [] }),
  ];
  for (const request of requests) expect((await send(on, request)).status, request.body).toBe(400);
});

test("slack: Slack's checks of the address and notes about itself are accepted and change nothing", async () => {
  const { on, slack } = await playingSlack();
  const note = JSON.stringify({ type: "app_rate_limited", team_id: "T1", minute_rate_limited: 1 });
  for (const request of [slack.signed("ssl_check=1&token=x"), slack.signed(note, { type: "application/json" })])
    expect(await send(on, request)).toEqual({ status: 200, body: {} });
});

test("slack: a code links the account that sent it with the slash command", async () => {
  const play = await playingSlack();
  const { on, slack, ask } = play;
  const answer = await send(on, slack.command(`link ${await codeFor(play, "ana")}`, "U0NEW"));
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ response_type: "ephemeral", text: "linked: messages for ana now come here" });
  expect(await contactsOf(play, "ana")).toEqual([{ channel: "slack", account: "T1/U0NEW", label: "name-of-U0NEW" }]);
  const id = await ask();
  const seen = await until(slack.seen, (all) => all.some(({ text }) => text.includes(`/approvals/${id}`)));
  const asking = seen.filter(({ text }) => text.includes(`/approvals/${id}`));
  expect(asking.map(({ to }) => to)).toEqual(["D0NEW"]);
});

test("slack: the slash command with a wrong code or other words links nothing, and the answer says what to do", async () => {
  const play = await playingSlack();
  const { on, slack } = play;
  const wrong = await send(on, slack.command("link AAAAAAAA", "U0NEW"));
  const help = await send(on, slack.command("approve everything", "U0ANA"));
  expect(wrong.body).toMatchObject({ response_type: "ephemeral", text: expect.stringContaining("code") });
  const stranger = await send(on, slack.command("hello", "U0STRANGER"));
  expect(stranger.body).toMatchObject({ response_type: "ephemeral", text: expect.stringContaining("link CODE") });
  expect(help.body).toMatchObject({
    response_type: "ephemeral",
    text: expect.stringContaining("do not answer questions"),
  });
  expect(await contactsOf(play, "ana")).toEqual([slack.contact?.("ana")]);
});

const message = (user: string, text: string, more = {}) => ({
  type: "message",
  channel_type: "im",
  channel: `D${user.slice(1)}`,
  user,
  text,
  ts: "1.1",
  ...more,
});

test("slack: a code in a direct message links the account, and a repeated event does nothing twice", async () => {
  const play = await playingSlack();
  const { on, slack } = play;
  const event = message("U0NEW", ` Link *${await codeFor(play, "ana")}* `);
  expect((await send(on, slack.event(event, { id: "Ev1" }))).status).toBe(200);
  expect((await send(on, slack.event(event, { id: "Ev1", retry: 1 }))).status).toBe(200);
  expect((await send(on, slack.event(event, { id: "Ev1", retry: 2 }))).status).toBe(200);
  const replies = await until(
    () => slack.posted.filter(({ text }) => text.includes("linked: messages for ana")),
    (all) => all.length > 0,
  );
  expect(replies.map(({ channel }) => channel)).toEqual(["D0NEW"]);
  expect(slack.called.map(({ method }) => method).filter((method) => method === "users.info")).toHaveLength(1);
  expect(await contactsOf(play, "ana")).toEqual([{ channel: "slack", account: "T1/U0NEW", label: "name-of-U0NEW" }]);
});

test("slack: without the permission to read names, a linked account is shown by its id", async () => {
  const play = await playingSlack();
  play.slack.scopes.splice(play.slack.scopes.indexOf("users:read"), 1);
  await send(play.on, play.slack.event(message("U0NEW", `link ${await codeFor(play, "ana")}`)));
  expect(await contactsOf(play, "ana")).toEqual([{ channel: "slack", account: "T1/U0NEW", label: "U0NEW" }]);
});

test("slack: words never answer a question", async () => {
  const { on, slack, ask } = await playingSlack();
  const id = await ask();
  await until(slack.seen, (all) => all.length > 0);
  for (const text of ["approve", "yes", `approve ${id}`, "APPROVED ✅"])
    expect((await send(on, slack.event(message("U0ANA", text)))).status).toBe(200);
  const replies = await until(
    () => slack.posted.filter(({ text }) => text.includes("do not answer questions")),
    (all) => all.length === 4,
  );
  expect(new Set(replies.map(({ channel }) => channel))).toEqual(new Set(["D0ANA"]));
  expect(await approvalOf(on, id)).toMatchObject({ state: "pending", reviews: [] });
});

test("slack: messages of bots, edits, and messages in channels get no reply", async () => {
  const { on, slack } = await playingSlack();
  const others = [
    message("U0BOT", "linked", { bot_id: "B1" }),
    message("U0ANA", "link X", { subtype: "message_changed" }),
    message("U0ANA", "link AAAAAAAA", { channel_type: "channel" }),
    { type: "app_home_opened", user: "U0ANA" },
  ];
  for (const event of others) expect(await send(on, slack.event(event))).toEqual({ status: 200, body: {} });
  expect(slack.posted.filter(({ text }) => /link CODE|do not answer/.test(text))).toEqual([]);
  expect(slack.called.filter(({ method }) => method === "users.info")).toEqual([]);
});

test("slack: the reason of a denial is asked for in a form, reaches the agent, and is shown in every message", async () => {
  const { on, slack, ask } = await playingSlack({ chat: CHAT });
  const id = await ask();
  const [first] = await until(slack.seen, (all) => all.length === 2);
  if (first === undefined || slack.press === undefined) throw new Error("no message");
  const form = await slack.press(first, "deny", "U0ANA", {
    note: "not <today> & *never*",
    send: (one) => send(on, one),
  });
  expect(slack.opened[0]?.view).toMatchObject({ type: "modal", submit: { text: "Deny" }, close: { text: "Cancel" } });
  expect((await approvalOf(on, id)).state).toBe("pending");
  const { body } = await send(on, form);
  expect(body).toMatchObject({ response_action: "update", view: { type: "modal" } });
  expect(textsIn(body).join("\n")).toContain("denied by ana: not <today> & *never*");
  expect(await approvalOf(on, id)).toMatchObject({ state: "denied", note: "not <today> & *never*" });
  const after = await until(slack.seen, (all) => all.every(({ buttons }) => buttons.length === 0));
  const cards = after.filter(({ text }) => text.includes(`/approvals/${id}`));
  expect(cards.map(({ to, text }) => [to, text.includes("denied by ana: not <today>")]).sort()).toEqual([
    [CHAT, true],
    ["D0ANA", true],
  ]);
});

test("slack: the answer to a button or form that comes late or in another order says what happened", async () => {
  const { on, slack, ask } = await playingSlack();
  const id = await ask();
  const [first] = await until(slack.seen, (all) => all.length > 0);
  if (first === undefined || slack.press === undefined || slack.toldBack === undefined) throw new Error("no message");
  const form = await slack.press(first, "deny", "U0ANA", { note: "no", send: (one) => send(on, one) });
  const late = pressed(slack, first, "approve", "U0ANA").request;
  const approved = pressed(slack, first, "approve", "U0ANA").request;
  await send(on, approved);
  for (const callback of [form, late]) {
    const { status, body } = await send(on, callback);
    expect(await slack.toldBack(status, body, callback)).toContain("approved by ana");
  }
  expect((await approvalOf(on, id)).reviews).toHaveLength(1);
});

test("slack: a form that was opened before another person approved still counts", async () => {
  const play = await playingSlack({ chat: CHAT });
  const { on, slack, ask } = play;
  const id = await ask(1, "release");
  const [first] = await until(slack.seen, (all) => all.length > 0);
  if (first === undefined || slack.press === undefined) throw new Error("no message");
  const form = await slack.press(first, "deny", "U0ANA", { note: "no", send: (one) => send(on, one) });
  const cookie = await on.signIn("ben");
  const { digest } = await approvalOf(on, id);
  await on.ask("POST", `/v1/approvals/${id}/reviews`, { cookie, body: { verdict: "approve", digest } });
  await until(slack.seen, (all) => all.some(({ text }) => text.includes("1 of 2 approvals")));
  await send(on, form);
  expect((await approvalOf(on, id)).state).toBe("denied");
});

test("slack: if the form does not open, the person is told, and the question stays open", async () => {
  const { on, slack, ask } = await playingSlack();
  const id = await ask();
  const [first] = await until(slack.seen, (all) => all.length > 0);
  if (first === undefined) throw new Error("no message");
  const { request, responseUrl } = pressed(slack, first, "deny", "U0ANA");
  slack.fails({ error: "expired_trigger_id", method: "views.open" });
  expect(await send(on, request)).toEqual({ status: 200, body: {} });
  const [told] = await until(
    () => slack.responses(responseUrl),
    (all) => all.length > 0,
  );
  expect(told).toMatchObject({ response_type: "ephemeral", replace_original: false });
  expect(textsIn(told).join("\n")).toContain("press the button again, or open the question in the inbox");
  expect((await approvalOf(on, id)).state).toBe("pending");
});

test("slack: Slack gets its answer within three seconds, even if its own methods are slow", async () => {
  const { on, slack, ask } = await playingSlack();
  await ask();
  const [first] = await until(slack.seen, (all) => all.length > 0);
  if (first === undefined) throw new Error("no message");
  slack.fails({ afterMs: 4000 });
  for (const button of ["deny", "approve"] as const) {
    const startMs = performance.now();
    expect((await send(on, pressed(slack, first, button, "U0ANA").request)).status).toBe(200);
    expect(performance.now() - startMs).toBeLessThan(3000);
  }
});

test("slack: an account that no longer exists is unlinked, and its notice is listed with the reason", async () => {
  const play = await playingSlack();
  play.slack.fails({ error: "user_disabled", method: "chat.postMessage" });
  await play.ask();
  await until(
    () => contactsOf(play, "ana"),
    (all) => all.length === 0,
  );
  expect(
    await until(
      () => deadIn(play),
      (all) => all.length > 0,
    ),
  ).toContainEqual(expect.stringContaining("the account was deactivated in Slack"));
});

test("slack: if the app is not in the chat, the error says how to invite it, and people still get their messages", async () => {
  const play = await playingSlack({ chat: "C0ELSEWHERE" });
  const id = await play.ask();
  const [why] = await until(
    () => deadIn(play),
    (all) => all.length > 0,
  );
  expect(why).toContain("invite the app: write /invite and its name in the channel");
  await until(play.slack.seen, (all) => all.some(({ to, text }) => to === "D0ANA" && text.includes(id)));
});

test("slack: with a wrong token no notice is lost: all are sent once the token is right", async () => {
  const { slack, clock, ask } = await playingSlack();
  const { value } = slack.token;
  slack.token.value = "xoxb-replaced";
  const id = await ask();
  await until(
    () => slack.called.length,
    (count) => count > 0,
  );
  expect(slack.seen()).toEqual([]);
  slack.token.value = value;
  const told = () => {
    clock.advance(5_000);
    return slack.seen().filter(({ text }) => text.includes(`/approvals/${id}`));
  };
  await until(told, (all) => all.length === 1);
});

test("slack: a button that opens a page answers nothing", async () => {
  const { on, slack, ask } = await playingSlack();
  const id = await ask();
  const [first] = await until(slack.posted.slice.bind(slack.posted), (all) => all.length > 0);
  const elements = first?.blocks.find(({ type }) => type === "actions")?.elements ?? [];
  const open = elements.find(({ url }: { url?: string }) => url !== undefined);
  const request = slack.interaction({
    type: "block_actions",
    user: { id: "U0ANA", team_id: "T1" },
    actions: [open],
  });
  expect(await send(on, request)).toEqual({ status: 200, body: {} });
  expect(await approvalOf(on, id)).toMatchObject({ state: "pending", reviews: [] });
});

test("slack: an account of another workspace with the same user id is not the same person", async () => {
  const { on, slack, ask } = await playingSlack();
  const id = await ask();
  const [first] = await until(slack.seen, (all) => all.length > 0);
  if (first === undefined || slack.toldBack === undefined) throw new Error("no message");
  const { request } = pressed(slack, first, "approve", "T2/U0ANA");
  const { status, body } = await send(on, request);
  expect(await slack.toldBack(status, body, request)).toContain("not linked");
  expect(await approvalOf(on, id)).toMatchObject({ state: "pending", reviews: [] });
  const cookie = await on.signIn();
  const { body: ledger } = await on.ask("GET", "/v1/ledger?kinds=review.refused", { cookie });
  expect(JSON.stringify(ledger)).toContain("slack:T2/U0ANA");
});

test("slack: a code that is sent from another workspace links the account there", async () => {
  const play = await playingSlack();
  const event = message("U0NEW", `link ${await codeFor(play, "ana")}`, { team: "T2", user_team: "T2" });
  await send(play.on, play.slack.event(event));
  expect(await contactsOf(play, "ana")).toEqual([{ channel: "slack", account: "T2/U0NEW", label: "name-of-U0NEW" }]);
});

test("slack: a form counts for the person who sends it, not for the person who opened it", async () => {
  const { on, slack, ask } = await playingSlack({ chat: CHAT });
  const id = await ask();
  const [first] = await until(slack.seen, (all) => all.length === 2);
  if (first === undefined || slack.toldBack === undefined) throw new Error("no message");
  const { request, trigger } = pressed(slack, first, "reply", "U0ANA");
  await send(on, request);
  const form = await until(
    () => slack.opened.find((one) => one.trigger === trigger),
    (one) => one !== undefined,
  );
  const sent = submitted(slack, form?.view, "U0STRANGER", ["I am ana"]);
  const { status, body } = await send(on, sent);
  expect(await slack.toldBack(status, body, sent)).toContain("not linked");
  expect((await approvalOf(on, id)).replies).toBeUndefined();
});

test("slack: who may answer is listed only for somebody who may hand the question over", async () => {
  const { on, slack, ask } = await playingSlack({ chat: CHAT });
  await ask(1, "release");
  const [first] = await until(slack.seen, (all) => all.length === 2);
  if (first === undefined) throw new Error("no message");
  const { request, responseUrl } = pressed(slack, first, "handover", "U0STRANGER");
  expect(await send(on, request)).toEqual({ status: 200, body: {} });
  const told = await until(
    () => slack.responses(responseUrl),
    (all) => all.length > 0,
  );
  expect(textsIn(told).join("\n")).toContain("not linked");
  expect(slack.opened).toEqual([]);
});
