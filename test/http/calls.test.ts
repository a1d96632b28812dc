import { afterEach, beforeEach, expect, test } from "vitest";
import { type Served, served } from "./served.ts";

let on: Served;
beforeEach(async () => {
  on = await served();
});
afterEach(() => on.remove());

test("an allowed call is claimed immediately, run by the agent, and settled", async () => {
  const token = await on.token({ agent: "coder" });
  const body = { tool: "read_file", args: { path: "a.txt" }, cwd: on.project };
  const run = await on.ask("POST", "/v1/calls", { token, body });
  expect(run).toMatchObject({ status: 200, body: { outcome: "run", decision: { tier: "auto" } } });
  const { id, attempt } = run.body;
  const settled = await on.ask("POST", `/v1/calls/${id}/settle`, { token, body: { attempt, ok: true, result: "hi" } });
  expect(settled).toMatchObject({ status: 200, body: { state: "succeeded" } });
  expect((await on.ask("GET", `/v1/calls/${id}`, { token })).body).toMatchObject({ outcome: "run", result: "hi" });
});

test("a call that needs an answer waits for a person, and is then claimed with exactly the approved arguments", async () => {
  const token = await on.token({ agent: "coder" });
  const args = { command: "git push origin main" };
  const pending = await on.ask("POST", "/v1/calls", { token, body: { tool: "shell", args, cwd: on.project } });
  expect(pending).toMatchObject({ status: 202, body: { outcome: "pending" } });
  const { id, approvalId, digest } = pending.body;
  const waiting = on.ask("GET", `/v1/calls/${id}/wait?timeout=20`, { token });
  const cookie = await on.signIn("ana");
  const shown = await on.ask("GET", `/v1/approvals/${approvalId}`, { cookie });
  expect(shown.body).toMatchObject({
    state: "pending",
    digest,
    card: { exact: [expect.stringContaining("git push")] },
  });
  const review = { verdict: "approve", digest, note: "fine" };
  const answered = await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { cookie, body: review });
  expect(answered).toMatchObject({ status: 200, body: { state: "approved" } });
  expect(answered.body.reviews).toMatchObject([{ by: "ana", verdict: "approve", assurance: "password" }]);
  expect((await waiting).body).toMatchObject({ outcome: "run" });
  const claimed = await on.ask("POST", `/v1/calls/${id}/claim`, { token, body: {} });
  expect(claimed).toMatchObject({ status: 200, body: { args, tool: "shell" } });
  expect(await on.ask("POST", `/v1/calls/${id}/claim`, { token, body: {} })).toMatchObject({
    status: 409,
    body: { error: { code: "LEEWAY_ALREADY_CLAIMED" } },
  });
});

test("a denial is given to the agent with its reason", async () => {
  const token = await on.token({ agent: "coder" });
  const body = { tool: "shell", args: { command: "git push" }, cwd: on.project };
  const { id, approvalId, digest } = (await on.ask("POST", "/v1/calls", { token, body })).body;
  const approver = await on.token({ person: "ana", can: "approve" });
  const review = { verdict: "deny", digest, note: "not on a Friday" };
  await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { token: approver, body: review });
  expect((await on.ask("GET", `/v1/calls/${id}`, { token })).body).toMatchObject({
    outcome: "denied",
    code: "LEEWAY_REVIEW_DENIED",
    reason: "ana denied this call: not on a Friday",
  });
});

test("an agent cannot see calls of other agents, but sees those of its sub-agents", async () => {
  const [coder, other] = [await on.token({ agent: "coder" }), await on.token({ agent: "other" })];
  const body = { tool: "read_file", args: { path: "a.txt" }, cwd: on.project, agent: "helper" };
  const { id } = (await on.ask("POST", "/v1/calls", { token: coder, body })).body;
  expect((await on.ask("GET", `/v1/calls/${id}`, { token: coder })).body).toMatchObject({
    code: "LEEWAY_CALL_RUNNING",
  });
  expect(await on.ask("GET", `/v1/calls/${id}`, { token: other })).toMatchObject({
    status: 404,
    body: { error: { code: "LEEWAY_NOT_FOUND" } },
  });
});

test("an agent cannot say who asked for the work or who reviewed it", async () => {
  const token = await on.token({ agent: "coder" });
  const body = { tool: "shell", args: { command: "git push" }, requestedBy: "ben" };
  expect(await on.ask("POST", "/v1/calls", { token, body })).toMatchObject({
    status: 400,
    body: {
      error: { code: "LEEWAY_BAD_INPUT", message: "requestedBy: an agent cannot tell a server who asked for its work" },
    },
  });
  const { requestedBy: _, ...call } = body;
  const { approvalId, digest } = (await on.ask("POST", "/v1/calls", { token, body: call })).body;
  const approver = await on.token({ person: "ana", can: "approve" });
  const forged = { verdict: "approve", digest, by: "ben" };
  expect((await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { token: approver, body: forged })).status).toBe(
    400,
  );
  expect((await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { token, body: forged })).status).toBe(403);
});

test("facts sent by an agent are refused", async () => {
  const token = await on.token({ agent: "coder" });
  const body = { tool: "write_file", args: { path: "a.txt", text: "x" }, facts: { paths: { "a.txt": "/tmp/a.txt" } } };
  for (const [path, sent] of [
    ["/v1/calls", body],
    ["/v1/calls/check", body],
    ["/v1/calls/batch", { calls: [body] }],
  ] as const) {
    const { status, body: told } = await on.ask("POST", path, { token, body: sent });
    expect([status, told.error.message]).toEqual([
      400,
      expect.stringMatching(/facts: an agent cannot say what its files contain$/),
    ]);
    expect(told.error.hint).toBe(
      "leave it out: the server looks at the files itself, and asks about those that it cannot see",
    );
  }
});

test("nobody but the gate can send the calls that apply or undo what a command changed", async () => {
  const token = await on.token({ agent: "coder" });
  for (const tool of ["leeway.apply", "leeway.undo"]) {
    const body = { tool, args: { rehearsal: "a", written: ["a.txt"] }, cwd: on.project, runBy: "leeway" };
    expect(await on.ask("POST", "/v1/calls", { token, body })).toMatchObject({
      status: 400,
      body: { error: { code: "LEEWAY_BAD_INPUT", message: `tool: only Leeway itself calls \`${tool}\`` } },
    });
  }
});
