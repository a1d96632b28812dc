import { expect, test } from "vitest";
import { letterOf } from "../../src/channels/email-letter.ts";
import { cardOf as feishuCard } from "../../src/channels/feishu/card.ts";
import { messageOf } from "../../src/channels/slack/message.ts";
import { PLAN_TOOL, type PlanWidth } from "../../src/core/standing/plan.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submitPlan } from "../../src/gate/calls/plan.ts";
import { shownQuestion } from "../../src/gate/notices/outgoing.ts";
import type { Outgoing } from "../../src/ports.ts";
import { cardOf } from "../../src/service/views/cards.ts";
import { office } from "../verbs/kit.ts";

/** The notice about a plan of these commands, as a channel sends it. */
async function noticeOf(commands: readonly string[], width?: PlanWidth): Promise<Outgoing> {
  const at = await office("version: 1\ntier: ask\n");
  const { tool: _, args: __, ...asks } = at.call(PLAN_TOOL);
  const steps = commands.map((command) => ({
    call: at.call("Bash", { command }, { cwd: "/project" }),
    ...(width === undefined ? {} : { width }),
  }));
  const done = await submitPlan(at.deps, { asks, title: "Release 1.4", steps }, DEFAULT_CALLER);
  const asked = await at.approval(done.ok ? done.value.receipt?.approvalId : undefined);
  return {
    id: "ntc_1",
    workspace: "default",
    kind: "pending",
    to: "ana",
    title: "coder asks",
    text: "",
    ref: asked.id,
    channel: "slack",
    state: "queued",
    language: "en",
    secret: "s3cret",
    link: "https://leeway.example/approvals/apr_1",
    address: { to: "place", place: "C1" },
    question: await shownQuestion(at.deps, { cardOf }, asked, "en"),
  } as unknown as Outgoing;
}

const CHANNELS = {
  slack: (notice: Outgoing) => JSON.stringify(messageOf(notice)),
  feishu: (notice: Outgoing) => JSON.stringify(feishuCard(notice)),
  email: (notice: Outgoing) => JSON.stringify(letterOf(notice, { domain: "example.com", account: "ana@example.com" })),
};
const APPROVES = { slack: "leeway_approve", feishu: '"verdict":"approve"' };
const COMMANDS = ["git tag v1.4", "git push origin v1.4", "npm publish"];

test.for(["slack", "feishu", "email"] as const)(
  "%s shows every step of a plan and what becomes of it",
  async (channel) => {
    const shown = CHANNELS[channel](await noticeOf(COMMANDS));
    expect(shown).toContain("title: Release 1.4");
    for (const [at, command] of COMMANDS.entries()) {
      expect(shown).toContain(`${at + 1}. Bash: allowed once if you approve`);
      expect(shown).toContain(`command: ${command}`);
    }
  },
);

test.for(["slack", "feishu"] as const)(
  "a plan can be approved in %s if all of it is shown there and it allows exactly its calls",
  async (channel) => {
    const sent = CHANNELS[channel];
    const isApprovable = (shown: string) => shown.includes(APPROVES[channel]);
    const short = sent(await noticeOf(COMMANDS));
    expect([isApprovable(short), short.includes("#remember")]).toEqual([true, false]);
    const long = Array.from({ length: 50 }, (_, n) => `git tag v${n} -m '${"long ".repeat(60)}'`);
    expect(isApprovable(sent(await noticeOf(long)))).toBe(false);
    const wide = sent(await noticeOf(["git commit -m one"], "near"));
    expect([isApprovable(wide), wide.includes("just signed in")]).toEqual([false, true]);
  },
);
