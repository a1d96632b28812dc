import { expect, test } from "vitest";
import { sessionsOf } from "./session.ts";

const call = (session: string, atMs: number, more: { agent?: string; root?: string; cwd?: string } = {}) => ({
  session,
  agent: "coder",
  tool: "Bash",
  atMs,
  ...more,
});

test("sessions that wait for somebody come first, then active ones, then those that have ended; the newest first", () => {
  const found = sessionsOf({
    calls: [call("new", 50), call("old", 40), call("over", 30), call("asks", 20, { cwd: "/a" }), call("asks", 10)],
    questions: [{ session: "asks", agent: "coder", openedMs: 20 }],
    ended: [{ session: "over", atMs: 31 }],
  });
  expect(found).toEqual([
    {
      session: "asks",
      agent: "coder",
      state: "waiting",
      questions: 1,
      calls: 2,
      lastMs: 20,
      lastTool: "Bash",
      cwd: "/a",
    },
    { session: "new", agent: "coder", state: "active", questions: 0, calls: 1, lastMs: 50, lastTool: "Bash" },
    { session: "old", agent: "coder", state: "active", questions: 0, calls: 1, lastMs: 40, lastTool: "Bash" },
    { session: "over", agent: "coder", state: "finished", questions: 0, calls: 1, lastMs: 30, lastTool: "Bash" },
  ]);
});

test("a session that was ended and used again is active, and one with an open question is never finished", () => {
  const state = (calls: ReturnType<typeof call>[], questions: { session: string; agent: string; openedMs: number }[]) =>
    sessionsOf({ calls, questions, ended: [{ session: "s", atMs: 10 }] }).map((one) => one.state);
  expect(state([call("s", 20)], [])).toEqual(["active"]);
  expect(state([call("s", 5)], [{ session: "s", agent: "coder", openedMs: 5 }])).toEqual(["waiting"]);
});

test("the test calls of doctor are not listed once their session has ended", () => {
  const probe = call("leeway-doctor-1", 5);
  const listed = (ended: { session: string; atMs: number }[]) =>
    sessionsOf({ calls: [probe], questions: [], ended }).map(({ session }) => session);
  expect([listed([]), listed([{ session: probe.session, atMs: 6 }])]).toEqual([[probe.session], []]);
});

test("sub-agents belong to the session of the agent at the top; calls without a session are left out", () => {
  const { session: _, ...alone } = call("x", 1);
  const found = sessionsOf({
    calls: [call("s", 2, { agent: "reviewer", root: "claude-code" }), alone],
    questions: [],
    ended: [],
  });
  expect(found.map(({ session, agent }) => [session, agent])).toEqual([["s", "claude-code"]]);
});

test("an old question is listed though none of the recent calls belongs to its session", () => {
  const questions = [{ session: "s", agent: "reviewer", root: "codex", openedMs: 3 }];
  expect(sessionsOf({ calls: [], questions, ended: [] })).toEqual([
    { session: "s", agent: "codex", state: "waiting", questions: 1, calls: 0, lastMs: 3 },
  ]);
});
