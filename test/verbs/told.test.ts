import { expect, test } from "vitest";
import { inEnglish } from "../../src/core/messages/text.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
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
