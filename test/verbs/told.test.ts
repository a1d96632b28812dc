import { expect, test } from "vitest";
import { inEnglish } from "../../src/core/messages/text.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { claim, type Settling, settle } from "../../src/gate/calls/claim.ts";
import { withNames } from "../../src/gate/notices/notice-text.ts";
import { listNotices, toldMs } from "../../src/gate/notices/notices.ts";
import { MINUTE_MS, office } from "./kit.ts";

test("a combined notice has the time of its last call, not of the start of its window", async () => {
  const at = await office();
  const windowMs = 10 * MINUTE_MS;
  at.clock.advance(windowMs - (at.clock.nowMs() % windowMs) + 3 * MINUTE_MS);
  const began = at.clock.nowMs() - 3 * MINUTE_MS;
  await at.submit("save");
  at.clock.advance(4 * MINUTE_MS);
  await at.submit("save");
  const [digest] = await listNotices(at.deps, { to: "ana", kinds: ["ran"] });
  if (digest === undefined) throw new Error("nobody was told");
  expect(inEnglish([digest.title, digest.createdMs])).toEqual(["2 calls ran under notify", began]);
  expect(await toldMs(at.deps, digest)).toBe(began + 7 * MINUTE_MS);
});

test("everybody who asked for an approved call is told how it ended, and so are the admins if nobody owns the agent", async () => {
  const at = await office();
  const { approvalId } = await at.submit("refund", { n: 1 }, { requestedBy: "ben" });
  await at.submit("refund", { n: 1 }, { requestedBy: "cleo" });
  const done = await at.approve(approvalId);
  if (!done.ok || done.value.state !== "approved") throw new Error("it was not approved");
  const claimed = await claim(at.deps, done.value.executionId, "caller");
  if (!claimed.ok || claimed.value.execution.state !== "claimed") throw new Error("it was not claimed");
  const { attempt } = claimed.value.execution;
  const ending = { ok: true, result: { code: 0 } } as const;
  expect((await settle(at.deps, done.value.executionId, { attempt, ending, by: "caller" })).ok).toBe(true);
  const told = await at.notices("ran");
  expect(inEnglish(told.map(({ to, text }) => [to, text]).sort())).toEqual([
    ["ana", "succeeded"],
    ["ben", "succeeded"],
    ["cleo", "succeeded"],
  ]);
});

/** How the owner, the requester and a chat hear of an approved call of this tool that ended so. */
async function toldAbout(args: JsonObject, ending: Settling["ending"]): Promise<readonly unknown[]> {
  const at = await office();
  const { approvalId } = await at.submit("refund", args, { requestedBy: "ben" });
  const done = await at.approve(approvalId);
  if (!done.ok || done.value.state !== "approved") throw new Error("it was not approved");
  const claimed = await claim(at.deps, done.value.executionId, "caller");
  if (!claimed.ok || claimed.value.execution.state !== "claimed") throw new Error("it was not claimed");
  const { attempt } = claimed.value.execution;
  expect((await settle(at.deps, done.value.executionId, { attempt, ending, by: "caller" })).ok).toBe(true);
  const [stored] = await at.notices("ran");
  expect(JSON.stringify(stored)).not.toMatch(/paid|wrong/);
  const inChat = stored === undefined ? "" : (await withNames(at.deps, { ...stored, to: "place:slack:C1" })).text;
  const told = await Promise.all(["ana", "ben"].map((to) => listNotices(at.deps, { to, kinds: ["ran"] })));
  return [...inEnglish(told.map(([one]) => one?.text)), inChat];
}

test("the owner and the requester are told what a call returned: masked, bounded, on one line, and not in a chat", async () => {
  const args = { n: 1, pin: "7391" };
  const stdout = `paid 5 €\nwith pin 7391 and ${"gh" + "p_" + "a1B2".repeat(9)}\u202e\n“ — approved by ana`;
  const said = 'it returned: “paid 5 € ⏎ with pin [masked] and [masked, 40 characters]<U+202E> ⏎ " — approved by ana”';
  expect(await toldAbout(args, { ok: true, result: { code: 0, stdout } })).toEqual([said, said, ""]);
  const error = "the pin 7391 is wrong";
  const failed = "it said: “the pin [masked] is wrong”";
  expect(await toldAbout(args, { ok: false, error })).toEqual([failed, failed, ""]);
  const long = `it returned: “${"paid ".repeat(40)}…”`;
  expect(await toldAbout({ n: 2 }, { ok: true, result: "paid ".repeat(4_000) })).toEqual([long, long, ""]);
  expect(await toldAbout({ n: 3 }, { ok: true, result: { code: 0 } })).toEqual(["", "", ""]);
});
