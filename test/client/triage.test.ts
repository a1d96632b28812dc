import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LeewayRefusal, type Reply } from "../../src/index.ts";
import { question, type Side, type Sides, sides } from "./sides.ts";

// Replies to the agent, both for a gate in the program and for a gate on a server.

let both: Sides;
beforeAll(async () => {
  both = await sides();
});
afterAll(() => both.remove());

const PLACES = ["here", "there"] as const;
let count = 0;

async function guarded(side: Side, options: { onReply?: (reply: Reply) => void; waitMs?: number }) {
  const run = side.gate.guard(`triaged${++count}`, ({ n }: { n: number }) => n + 1, options);
  const result = run({ n: count });
  result.catch(() => undefined);
  return { result, id: await question(side), n: count };
}

describe.each(PLACES)("%s", (place) => {
  test("a guarded tool goes on waiting after a reply, and its program gets the reply", async () => {
    const side = await both[place]();
    const heard: Reply[] = [];
    const { result, id, n } = await guarded(side, { onReply: (reply) => void heard.push(reply) });
    await side.ana.reply(id, { by: "ana", text: "which one?" });
    await side.ana.reply(id, { by: "ana", text: "never mind" });
    await expect
      .poll(() => heard.map(({ by, text }) => [by, text]))
      .toEqual([
        ["ana", "which one?"],
        ["ana", "never mind"],
      ]);
    await side.answer(id, { verdict: "approve" });
    expect(await result).toBe(n + 1);
  });

  test("a program that throws because of a reply stops waiting, and the question stays open", async () => {
    const side = await both[place]();
    const onReply = ({ text }: Reply) => {
      throw new Error(`told: ${text}`);
    };
    const { result, id } = await guarded(side, { onReply });
    await side.ana.reply(id, { by: "ana", text: "think again" });
    await expect(result).rejects.toThrow("told: think again");
    expect((await side.ana.approvals.get(id)).state).toBe("pending");
    await side.answer(id, { verdict: "deny", note: "no" });
  });

  test("the text for the model about a call that still waits contains the replies", async () => {
    const side = await both[place]();
    const { result, id } = await guarded(side, { waitMs: 1500 });
    await side.ana.reply(id, { by: "ana", text: "say why first" });
    const refusal = await result.catch((error: unknown) => error);
    if (!(refusal instanceof LeewayRefusal)) throw new Error("it was not refused");
    expect([refusal.code, refusal.replies?.map(({ text }) => text)]).toEqual(["LEEWAY_PENDING", ["say why first"]]);
    expect(refusal.forModel).toContain('ana wrote to you about it: "say why first".');
    await side.answer(id, { verdict: "deny", note: "no" });
  });

  test("wait ends with each reply once, and a question is handed over and put aside by the same verbs", async () => {
    const side = await both[place]();
    const { approvalId: id = "" } = await side.gate.submit({ tool: "delete_file", args: { path: `triage-${place}` } });
    const first = side.gate.wait(id, { timeoutMs: 10_000 });
    await side.ana.reply(id, { by: "ana", text: "why?" });
    expect((await first).newReplies).toBe(1);
    const second = await side.gate.wait(id, { timeoutMs: 600 });
    expect([second.outcome, second.newReplies, second.replies?.length]).toEqual(["pending", undefined, 1]);
    const nobody = await side.ana.handOver(id, { by: "ana", to: "nora" }).catch((error: unknown) => error);
    expect(nobody instanceof LeewayRefusal && [nobody.code, nobody.hint]).toEqual([
      "LEEWAY_NOT_A_REVIEWER",
      "it can be handed to: ben",
    ]);
    expect((await side.ana.snooze(id, { by: "ana", until: "5m" })).snoozed).toHaveLength(1);
    expect((await side.ana.snooze(id, { by: "ana", until: "now" })).snoozed).toBeUndefined();
  });
});
