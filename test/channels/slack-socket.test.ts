import { expect, test } from "vitest";
import { linkCode } from "../../src/gate/people/contacts.ts";
import { textsIn } from "./slack-rules.ts";
import { APP_TOKEN, pressed, type SlackService, slackService } from "./slack-service.ts";
import { approvalOf, type Playing, playing, send, until } from "./suite.ts";

// Slack without an address of the server: it sends what people do over a connection that the server opens.

type Given = { appToken?: string };

async function socketMode({
  appToken = APP_TOKEN,
}: Given = {}): Promise<Omit<Playing, "stage"> & { slack: SlackService }> {
  let slack: SlackService | undefined;
  const { stage: _, ...play } = await playing("slack", async () => {
    slack = await slackService();
    const { signingSecret: __, ...settings } = slack.settings as { signingSecret: string };
    slack.settings = { ...settings, appToken: "env:SLACK_APP" };
    slack.env = { ...slack.env, SLACK_APP: appToken };
    return slack;
  });
  if (slack === undefined) throw new Error("Slack did not start");
  return { ...play, slack };
}

async function asked() {
  const play = await socketMode();
  const { slack, ask } = play;
  await slack.socket.connected();
  const id = await ask();
  const [message] = await until(slack.seen, (all) => all.some(({ buttons }) => buttons.includes("approve")));
  if (message === undefined) throw new Error("no message");
  return { ...play, id, message };
}

async function connectionIn({ on }: Pick<Playing, "on">) {
  const { body } = await on.ask("GET", "/v1/channels", { cookie: await on.signIn() });
  return body.channels[0].connection;
}

test("a button that comes over the connection approves as the person whose account pressed it, once", async () => {
  const { on, slack, id, message } = await asked();
  const { request, responseUrl } = pressed(slack, message, "approve", "U0ANA");
  const answer = await slack.socket.deliver(request, { id: "one" });
  expect(answer).toEqual({ envelope_id: "one" });
  const told = await until(
    () => slack.responses(responseUrl),
    (all) => all.length > 0,
  );
  expect(textsIn(told).join("\n")).toContain("approved by ana");
  await slack.socket.deliver(request, { id: "one" });
  await slack.socket.deliver(request, { id: "two" });
  const { state, reviews } = await approvalOf(on, id);
  expect([state, reviews.map(({ by, assurance }: { by: string; assurance: string }) => [by, assurance])]).toEqual([
    "approved",
    [["ana", "channel"]],
  ]);
});

test("a form is answered over the connection with what became of it", async () => {
  const { on, slack, id, message } = await asked();
  if (slack.press === undefined) throw new Error("no buttons");
  const form = await slack.press(message, "deny", "U0ANA", {
    note: "not today",
    send: async (callback) => ({ status: 200, body: (await slack.socket.deliver(callback))?.payload }),
  });
  const answer = await slack.socket.deliver(form);
  expect(answer?.payload).toMatchObject({ response_action: "update", view: { type: "modal" } });
  expect(textsIn(answer?.payload).join("\n")).toContain("denied by ana: not today");
  expect(await approvalOf(on, id)).toMatchObject({ state: "denied", note: "not today" });
});

test("an account is linked by a code that comes over the connection, by a command or by a message", async () => {
  const { on, slack } = await socketMode();
  await slack.socket.connected();
  const code = async () => {
    const made = await linkCode(on.deps, "slack", { by: "ana", assurance: "passkey" });
    return made.ok ? made.value : "";
  };
  const answer = await slack.socket.deliver(slack.command(`link ${await code()}`, "U0ONE"));
  expect(answer?.payload).toMatchObject({ response_type: "ephemeral", text: "linked: messages for ana now come here" });
  const event = { type: "message", channel_type: "im", channel: "D0TWO", user: "U0TWO", text: `link ${await code()}` };
  expect(await slack.socket.deliver(slack.event(event), { id: "three" })).toEqual({ envelope_id: "three" });
  const { people } = (await on.deps.standing.current()).rows;
  expect(people.find(({ name }) => name === "ana")?.contacts?.map(({ account }) => account)).toEqual(["T1/U0TWO"]);
});

test("an account that nobody linked is refused over the connection too, and recorded", async () => {
  const { on, slack, id, message } = await asked();
  await slack.socket.deliver(pressed(slack, message, "approve", "U0STRANGER").request);
  const cookie = await on.signIn();
  const ledger = await until(
    async () => JSON.stringify((await on.ask("GET", "/v1/ledger?kinds=review.refused", { cookie })).body),
    (text) => text.includes("slack:T1/U0STRANGER"),
  );
  expect(ledger).toContain("slack:T1/U0STRANGER");
  expect(await approvalOf(on, id)).toMatchObject({ state: "pending", reviews: [] });
});

test("without a signing secret, requests to the address of the server are not heard", async () => {
  const { on, slack, id, message } = await asked();
  expect((await send(on, pressed(slack, message, "approve", "U0ANA").request)).status).toBe(404);
  expect((await approvalOf(on, id)).state).toBe("pending");
});

test("a connection that Slack replaces is followed by the next before it ends, and what is sent on either counts", async () => {
  const { on, slack, id, message } = await asked();
  const [old] = slack.socket.open();
  slack.socket.disconnect("refresh_requested");
  await slack.socket.connected(2);
  const link = old === undefined ? {} : { link: old };
  expect(await slack.socket.deliver(pressed(slack, message, "approve", "U0ANA").request, link)).toBeDefined();
  expect((await approvalOf(on, id)).state).toBe("approved");
  expect(slack.socket.links.flatMap(({ peer }) => peer.faults)).toEqual([]);
});

test("a connection that breaks is opened anew, and the page says how it stands", async () => {
  const { on, slack } = await asked();
  expect(await connectionIn({ on })).toEqual({ ok: true, atMs: expect.any(Number) });
  slack.fails({ error: "internal_error", method: "apps.connections.open" });
  slack.socket.open()[0]?.peer.break();
  await until(
    () => connectionIn({ on }),
    (stands) => !stands.ok && stands.failure.includes("internal_error"),
  );
  slack.fails(undefined);
  await slack.socket.connected();
  await until(
    () => connectionIn({ on }),
    (stands) => stands.ok,
  );
});

test("a wrong token and a mode that is switched off are told with what to do", async () => {
  const wrong = await socketMode({ appToken: "xapp-another" });
  const refused = await until(
    () => connectionIn(wrong),
    (stands) => stands !== undefined,
  );
  expect(refused).toMatchObject({
    ok: false,
    failure: expect.stringContaining("invalid_auth of apps.connections.open"),
  });
  const { on, slack } = await asked();
  slack.socket.greets.value = false;
  slack.socket.disconnect("link_disabled");
  const off = await until(
    () => connectionIn({ on }),
    (stands) => !stands.ok,
  );
  expect(off.failure).toBe("socket mode is switched off: switch it on at the page Socket Mode of the app");
});

test("the connection ends when the server ends", async () => {
  const { on, slack } = await asked();
  await on.again();
  await slack.socket.connected(1);
  expect(slack.socket.links.length).toBe(2);
});
