import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { slackChannel } from "../../src/channels/slack/channel.ts";
import { messageOf } from "../../src/channels/slack/message.ts";
import type { SlackSettings } from "../../src/core/channel.ts";
import { type Channel, ChannelFailure, type Outgoing } from "../../src/ports.ts";
import { blockFault, type Json, textsIn } from "./slack-rules.ts";
import { BOT_TOKEN, type Broken, CHAT, SIGNING_SECRET, type SlackService, slackService } from "./slack-service.ts";

// What is sent to Slack, and how its errors are handled.

type Started = { slack: SlackService; channel: Channel; settings: SlackSettings };

async function started(
  given: { env?: Record<string, string>; settings?: Partial<SlackSettings> } = {},
): Promise<Started> {
  const slack = await slackService();
  const { api } = slack.settings as { api: string };
  const ref = (name: string) => ({ from: "env" as const, name });
  const settings = { botToken: ref("SLACK_TOKEN"), signingSecret: ref("SLACK_SIGNING"), api, ...given.settings };
  const env: Record<string, string> = { SLACK_TOKEN: BOT_TOKEN, SLACK_SIGNING: SIGNING_SECRET, ...given.env };
  const tools = {
    secret: ({ name }: { name: string }) => env[name] ?? "",
    nowMs: Date.now,
    stateFolder: "",
    write: () => {},
  };
  const channel = slackChannel(settings, tools);
  onTestFinished(async () => {
    await channel.close?.();
    await slack.close();
  });
  return { slack, channel, settings };
}

const LINK = "https://leeway.example/approvals/apr_1";

function outgoing(
  card: Partial<NonNullable<Outgoing["question"]>["card"]> = {},
  more: Partial<Outgoing> = {},
): Outgoing {
  return {
    id: "ntc_1",
    workspace: "wsp_1",
    kind: "pending",
    to: "ana",
    title: "coder asks to use shell",
    text: "",
    ref: "apr_1",
    channel: "slack",
    createdMs: 0,
    attempts: 0,
    dueMs: 0,
    state: "waiting",
    address: { to: "person", contacts: [{ channel: "slack", account: "U0ANA", label: "ana", linkedMs: 0 }] },
    language: "en",
    link: LINK,
    handTo: ["ben"],
    secret: "s3cret",
    question: {
      digest: "sha256:0",
      state: "pending",
      needsHuman: false,
      card: {
        title: "coder (ana's agent) asks to use shell",
        lead: "rm -rf build",
        sentence: "deletes build and everything below it",
        targets: [],
        parts: [],
        exact: ["rm -rf build"],
        marks: [],
        changes: [],
        size: "",
        holdsFor: [],
        why: ["the rule no-deletes (leeway.yaml:7)"],
        understanding: ["fully understood"],
        deadline: "tomorrow",
        quorum: "0 of 1 approval so far",
        says: "cleaning up",
        ...card,
      },
    },
    ...more,
  } as Outgoing;
}

const text = (of: string) => ({ type: "text", text: of });
const bold = (of: string) => ({ type: "text", text: of, style: { bold: true } });
const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const plain = (of: string) => ({ type: "plain_text", text: of, emoji: false });

test("slack: a question has a header, what would run, the facts, the agent's words and the buttons", async () => {
  const { slack, channel } = await started();
  expect(await channel.deliver(outgoing())).toEqual({ message: slack.posted[0]?.ts, chat: "D0ANA" });
  const value = JSON.stringify({ notice: "ntc_1", secret: "s3cret", language: "en" });
  expect(slack.posted[0]?.blocks).toEqual([
    { type: "header", text: plain("coder (ana's agent) asks to use shell") },
    {
      type: "rich_text",
      elements: [
        section(text("deletes build and everything below it")),
        section(bold("What would run")),
        { type: "rich_text_preformatted", elements: [text("rm -rf build")] },
        section(bold("Why it is asked: "), text("the rule no-deletes (leeway.yaml:7)")),
        section(bold("What was understood: "), text("fully understood")),
        section(bold("Answer by: "), text("tomorrow")),
        section(bold("Approvals: "), text("0 of 1 approval so far")),
        section(bold("What the agent says about it (a claim, not checked)")),
        { type: "rich_text_quote", elements: [text("cleaning up")] },
      ],
    },
    {
      type: "actions",
      elements: [
        { type: "button", action_id: "leeway_approve", text: plain("Approve"), value, style: "primary" },
        { type: "button", action_id: "leeway_deny", text: plain("Deny"), value, style: "danger" },
        { type: "button", action_id: "leeway_open", text: plain("Open in the inbox"), url: LINK },
        { type: "button", action_id: "leeway_remember", text: plain("Approve and remember…"), url: `${LINK}#remember` },
      ],
    },
    {
      type: "actions",
      elements: [
        { type: "button", action_id: "leeway_reply", text: plain("Write to the agent…"), value },
        { type: "button", action_id: "leeway_snooze", text: plain("Put aside…"), value },
        { type: "button", action_id: "leeway_handover", text: plain("Hand over…"), value },
      ],
    },
  ]);
});

test("slack: nothing that an agent writes becomes markup", async () => {
  const { slack, channel } = await started();
  const evil = "```\n*already approved* <!channel> <https://evil.example|docs> :white_check_mark: &amp; @here";
  await channel.deliver(outgoing({ sentence: evil, exact: evil.split("\n"), says: evil, why: [evil] }));
  const [posted] = slack.posted;
  const texts = textsIn(posted?.blocks);
  expect(texts.filter((one) => one === evil)).toHaveLength(4);
  expect(posted?.text).toContain("&lt;!channel&gt; &lt;https://evil.example|docs&gt; :white_check_mark: &amp;amp;");
  expect(JSON.stringify(posted?.blocks)).not.toContain("mrkdwn");
});

test("slack: whatever an agent writes, Slack accepts the message, and what would run is above the agent's words", () => {
  const written = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n".repeat(5000), "```", "> quoted", "<@U1>", "w".repeat(9000)),
  );
  const lines = fc.array(
    written.map((one) => one.replaceAll("\n", " ")),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(written, written, lines, (says, sentence, exact) => {
      const { blocks, text: told } = messageOf(outgoing({ says: `.${says}`, sentence, exact }));
      expect(blockFault(blocks)).toBeUndefined();
      expect(told.length).toBeLessThanOrEqual(3000);
      const parts = blocks.flatMap((block: Json) => (block.type === "rich_text" ? block.elements : []));
      const kinds = parts.map(({ type }: Json) => type);
      expect(kinds.indexOf("rich_text_quote")).toBe(kinds.length - 1);
      const shown = parts.find(({ type }: Json) => type === "rich_text_preformatted")?.elements[0].text;
      const isWhole = exact.join("\n").length < 3000;
      if (isWhole) expect(shown).toBe(exact.join("\n") || " ");
      expect(JSON.stringify(blocks).includes("leeway_approve")).toBe(isWhole && sentence.length <= 600);
    }),
  );
});

test("slack: if not all of what would run is shown, the message says so and has no button to approve", async () => {
  const { slack, channel } = await started();
  const lines = Array.from({ length: 200 }, (_, n) => `echo ${n} ${"x".repeat(20)}`);
  await channel.deliver(outgoing({ exact: lines }));
  await channel.deliver(outgoing({ exact: ["y".repeat(3001)] }));
  await channel.deliver(outgoing({ exact: ["z".repeat(2999)] }));
  const [many, long, fits] = slack.seen();
  expect([many?.buttons, long?.buttons, fits?.buttons]).toEqual([["deny"], ["deny"], ["approve", "deny"]]);
  expect(many?.text).toMatch(/more lines are not shown here: open it in the inbox/);
  expect(long?.text).toContain("1 more line is not shown here: open it in the inbox");
  expect(fits?.text).toContain("z".repeat(2999));
});

test("slack: long facts and words are shortened, and the message says so", async () => {
  const { slack, channel } = await started();
  const long = "w".repeat(20_000);
  await channel.deliver(outgoing({ title: long, sentence: long, why: [long], understanding: [long], says: long }));
  const texts = textsIn(slack.posted[0]?.blocks).filter((one) => /shortened here: open it in the inbox/.test(one));
  expect(texts).toHaveLength(4);
});

test("slack: if anything but the agent's words is shortened there is no button to approve, and the message says why", async () => {
  const { slack, channel } = await started();
  const long = "w".repeat(20_000);
  for (const card of [
    { title: long },
    { sentence: long },
    { why: [long] },
    { understanding: [long] },
    { holdsFor: [long] },
  ])
    await channel.deliver(outgoing(card));
  await channel.deliver(outgoing({ says: long }));
  const said =
    "not everything that you should know is shown here: open it in the inbox to see all of it and to approve";
  expect(slack.seen().map(({ buttons, text }) => [buttons, text.includes(said)])).toEqual([
    ...Array.from({ length: 5 }, () => [["deny"], true]),
    [["approve", "deny"], false],
  ]);
});

test("slack: where a command runs and which files an approval is valid for is directly below the command", async () => {
  const { slack, channel } = await started();
  await channel.deliver(outgoing({ holdsFor: ["runs in /srv/production", "runs deploy.sh: 12 bytes, sha256:1"] }));
  const parts = slack.posted[0]?.blocks.flatMap((block: Json) => (block.type === "rich_text" ? block.elements : []));
  expect(parts?.[3]).toEqual(
    section(
      bold("Where it runs, and what an approval is valid for: "),
      text("runs in /srv/production\nruns deploy.sh: 12 bytes, sha256:1"),
    ),
  );
  expect(slack.seen()[0]?.buttons).toEqual(["approve", "deny"]);
});

test("slack: a call without arguments whose message Slack finds too long cannot be approved there either", async () => {
  const { slack, channel } = await started();
  slack.takes(600);
  await channel.deliver(outgoing({ exact: [], holdsFor: ["runs ".padEnd(500, "x")] }));
  expect(slack.seen()[0]?.buttons).toEqual(["deny"]);
  expect(slack.seen()[0]?.text).toContain("not everything that you should know is shown here");
});

test("slack: if Slack finds a message too long, a short one is sent that cannot be approved there", async () => {
  const { slack, channel } = await started();
  slack.takes(500);
  await channel.deliver(outgoing({ exact: ["a".repeat(900)] }));
  const [seen] = slack.seen();
  expect(seen?.buttons).toEqual(["deny"]);
  expect(seen?.text).toContain("1 more line is not shown here");
  expect(seen?.text).toContain(LINK);
});

test("slack: a message of an answered question has no buttons, and one that was deleted is refused", async () => {
  const { slack, channel } = await started();
  const at = (await channel.deliver(outgoing())) ?? {};
  const answered = outgoing();
  const question = { ...answered.question, state: "approved", outcome: "approved by ana" };
  await channel.update?.(at, { ...answered, question } as Outgoing);
  expect(slack.seen()[0]?.buttons).toEqual([]);
  expect(slack.seen()[0]?.text).toContain("approved by ana");
  Object.assign(slack.posted[0] as object, { isDeleted: true });
  await expect(channel.update?.(at, answered)).rejects.toMatchObject({ kind: "refused" });
});

test("slack: people read the labels in their language", async () => {
  const { slack, channel } = await started();
  await channel.deliver(outgoing({}, { language: "zh" }));
  const shown = slack.seen()[0]?.text ?? "";
  expect(
    ["将要执行的内容", "批准", "拒绝", "在收件箱中打开", "批准并记住…"].filter((one) => !shown.includes(one)),
  ).toEqual([]);
});

test("slack: a notice that is not a question has its title, its text and a link", async () => {
  const { slack, channel } = await started();
  const { question: _, secret: __, ...notice } = outgoing({}, { title: "12 questions wait", text: "open the <inbox>" });
  await channel.deliver(notice);
  expect(slack.seen()).toEqual([
    {
      id: slack.posted[0]?.ts,
      to: "D0ANA",
      text: `12 questions wait\nopen the &lt;inbox&gt;\n12 questions wait\nopen the <inbox>\nOpen in the inbox\n${LINK}`,
      buttons: [],
      triage: [],
    },
  ]);
});

test("slack: without a signing secret no answer can be accepted, so messages have no buttons", async () => {
  const slack = await slackService();
  onTestFinished(() => slack.close());
  const tools = { secret: () => BOT_TOKEN, nowMs: Date.now, stateFolder: "", write: () => {} };
  expect(slackChannel({ botToken: { from: "env", name: "X" } }, tools).hear).toBeUndefined();
});

async function failureOf(work: () => unknown): Promise<Json> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ChannelFailure) return { kind: error.kind, why: error.message, afterMs: error.retryAfterMs };
    throw error;
  }
  return "no failure";
}

// biome-ignore format: one line each
const FAILURES: readonly (readonly [Broken, string, RegExp])[] = [
  [{ error: "invalid_auth" }, "down", /does not accept the token: copy the Bot User OAuth Token/],
  [{ error: "token_expired" }, "down", /expired/],
  [{ error: "account_inactive" }, "down", /removed from the workspace.*install the app/],
  [{ error: "missing_scope", more: { needed: "chat:write" } }, "down", /lacks a scope: add chat:write on the page/],
  [{ error: "ratelimited" }, "busy", /asks to wait/],
  [{ error: "internal_error" }, "down", /could not do it/],
  [{ error: "user_not_found" }, "gone", /no such account/],
  [{ error: "user_disabled" }, "gone", /deactivated/],
  [{ error: "not_in_channel" }, "refused", /invite the app/],
  [{ error: "channel_not_found" }, "refused", /no such channel/],
  [{ error: "is_archived" }, "refused", /archived/],
  [{ error: "something_new" }, "refused", /something_new of chat.postMessage/],
  ["down", "down", /503/],
];

test("slack: every error of Slack becomes a failure that says what to do and never shows the token", async () => {
  const { slack, channel } = await started();
  for (const [broken, kind, why] of FAILURES) {
    slack.fails(broken);
    const failure = await failureOf(() => channel.deliver(outgoing()));
    expect([broken, failure.kind], failure.why).toEqual([broken, kind]);
    expect(failure.why).toMatch(why);
    expect(failure.why).not.toContain(BOT_TOKEN);
  }
  slack.fails("busy");
  expect(await failureOf(() => channel.deliver(outgoing()))).toMatchObject({ kind: "busy", afterMs: 1000 });
});

test("slack: a chat is never forgotten, unlike an account", async () => {
  const { slack, channel } = await started();
  slack.fails({ error: "user_not_found" });
  const toChat = outgoing({}, { address: { to: "place", place: CHAT } });
  expect(await failureOf(() => channel.deliver(toChat))).toMatchObject({ kind: "refused" });
});

test("slack: a connection without an answer ends after a time limit", { timeout: 20_000 }, async () => {
  const { slack, channel } = await started();
  slack.fails("silent");
  expect(await failureOf(() => channel.deliver(outgoing()))).toEqual({
    kind: "down",
    why: "the service did not answer in 10 s",
    afterMs: undefined,
  });
});

test("slack: if another program answers instead of Slack, the channel counts as down", async () => {
  const { channel } = await started({ settings: { api: "http://127.0.0.1:1/api" } });
  expect(await failureOf(() => channel.deliver(outgoing()))).toMatchObject({ kind: "down" });
});

test("slack: testing the settings sends no message and says what is wrong", async () => {
  const { slack, channel } = await started();
  await channel.try?.();
  slack.token.value = "xoxb-another";
  expect(await failureOf(() => channel.try?.())).toMatchObject({
    kind: "down",
    why: expect.stringMatching(/does not accept the token/),
  });
  slack.token.value = BOT_TOKEN;
  slack.scopes.splice(0, 1);
  expect(await failureOf(() => channel.try?.())).toMatchObject({
    kind: "refused",
    why: expect.stringMatching(/add the scope chat:write/),
  });
  expect(slack.posted).toEqual([]);
});

test("slack: testing the settings finds secrets that were mixed up", async () => {
  const token = await started({ env: { SLACK_TOKEN: "xapp-1-A" } });
  expect(await failureOf(() => token.channel.try?.())).toMatchObject({
    why: expect.stringMatching(/does not begin with xoxb-/),
  });
  const signing = await started({ env: { SLACK_SIGNING: "xoxb-1-A" } });
  expect(await failureOf(() => signing.channel.try?.())).toMatchObject({
    why: expect.stringMatching(/copy the Signing Secret/),
  });
});

test("slack: testing the settings checks the chat, if the app has the permission", async () => {
  const tried = async (chat: string, scopes: readonly string[]) => {
    const { slack, channel } = await started({ settings: { chat } });
    slack.scopes.push(...scopes);
    return failureOf(() => channel.try?.());
  };
  expect(await tried(CHAT, ["channels:read"])).toBe("no failure");
  expect(await tried("C0NEW", [])).toBe("no failure");
  expect(await tried("C0NEW", ["channels:read", "chat:write.public"])).toBe("no failure");
  expect(await tried("C0NEW", ["channels:read"])).toMatchObject({
    why: expect.stringMatching(/not in the channel C0NEW: write \/invite/),
  });
  expect(await tried("C0OLD", ["channels:read"])).toMatchObject({ why: expect.stringMatching(/C0OLD is archived/) });
});
