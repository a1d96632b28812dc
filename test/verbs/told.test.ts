import { expect, test } from "vitest";
import { listNotices, toldMs } from "../../src/gate/notices.ts";
import { MINUTE_MS, office } from "./kit.ts";

test("a digest is told as of its last call, not of where its window begins", async () => {
  const at = await office();
  const windowMs = 10 * MINUTE_MS;
  at.clock.advance(windowMs - (at.clock.nowMs() % windowMs) + 3 * MINUTE_MS);
  const began = at.clock.nowMs() - 3 * MINUTE_MS;
  await at.submit("save");
  at.clock.advance(4 * MINUTE_MS);
  await at.submit("save");
  const [digest] = await listNotices(at.deps, { to: "ana", kinds: ["ran"] });
  if (digest === undefined) throw new Error("nobody was told");
  expect([digest.title, digest.createdMs]).toEqual(["2 calls ran under notify", began]);
  expect(await toldMs(at.deps, digest)).toBe(began + 7 * MINUTE_MS);
});
