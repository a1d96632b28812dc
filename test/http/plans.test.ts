import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { type Served, served } from "./served.ts";

let on: Served;
let token: string;
beforeEach(async () => {
  on = await served();
  token = await on.token({ agent: "coder" });
});
afterEach(() => on.remove());

const shell = (command: string) => ({ tool: "shell", args: { command } });

async function approved(plan: { approvalId: string; digest: string }): Promise<void> {
  const approver = await on.token({ person: "ana", can: "approve" });
  const body = { verdict: "approve", digest: plan.digest };
  const answered = await on.ask("POST", `/v1/approvals/${plan.approvalId}/reviews`, { token: approver, body });
  expect(answered).toMatchObject({ status: 200, body: { state: "approved" } });
}

test("an agent sends a plan, waits for it, and makes its calls without a further question", async () => {
  const calls = [shell("git push origin main"), shell("git status"), shell("rm -rf build")];
  const body = { title: "Tidy up", cwd: on.project, calls };
  const sent = await on.ask("POST", "/v1/plans", { token, body });
  expect(sent).toMatchObject({
    status: 202,
    body: {
      steps: [
        { is: "covered", decision: { tier: "ask", outcome: "pending" } },
        { is: "runs", decision: { tier: "auto", outcome: "run" } },
        { is: "covered", decision: { tier: "ask", outcome: "pending" } },
      ],
      receipt: { outcome: "pending", decision: { tier: "ask" } },
    },
  });
  const { receipt } = sent.body;
  const waiting = on.ask("GET", `/v1/calls/${receipt.id}/wait?timeout=20`, { token });
  const shown = await on.ask("GET", `/v1/approvals/${receipt.approvalId}`, { cookie: await on.signIn("ana") });
  expect(shown.body.card).toMatchObject({
    lead: "plan: Tidy up",
    sentence: "allows 2 of the 3 calls of this plan, once each; nothing runs now",
    steps: [
      { number: 1, command: "git push origin main", is: "covered" },
      { number: 2, command: "git status", is: "runs" },
      { number: 3, command: "rm -rf build", is: "covered", class: "fs.delete", grave: true },
    ],
  });
  await approved(receipt);
  expect((await waiting).body).toMatchObject({ outcome: "run", result: { approved: true } });
  const made = async (call: object) =>
    (await on.ask("POST", "/v1/calls", { token, body: { ...call, cwd: on.project } })).body.outcome;
  expect([await made(calls[2] ?? {}), await made(calls[0] ?? {}), await made(calls[0] ?? {})]).toEqual([
    "run",
    "run",
    "pending",
  ]);
});

test("a step asks if a file that it runs or deletes is not what it was in the plan, and runs once the file is the same again", async () => {
  const [script, deleted] = [join(on.project, "ship.sh"), join(on.project, "out.txt")];
  writeFileSync(script, "echo one\n");
  const calls = [shell("sh ship.sh"), shell("rm out.txt")];
  const sent = await on.ask("POST", "/v1/plans", { token, body: { title: "Ship", cwd: on.project, calls } });
  expect(sent.body.steps.map(({ is }: { is: string }) => is)).toEqual(["covered", "covered"]);
  await approved(sent.body.receipt);
  writeFileSync(script, "echo two\n");
  writeFileSync(deleted, "now it is there\n");
  for (const call of calls) {
    const made = await on.ask("POST", "/v1/calls", { token, body: { ...call, cwd: on.project } });
    expect([call.args.command, made.body.outcome]).toEqual([call.args.command, "pending"]);
  }
  writeFileSync(script, "echo one\n");
  unlinkSync(deleted);
  const again = await on.ask("POST", "/v1/calls", { token, body: { ...calls[1], cwd: on.project } });
  expect(again.body.outcome).toBe("run");
});

test("a step that depends on a file which an earlier step writes is asked about when it comes", async () => {
  const calls = [{ tool: "write_file", args: { path: "ship.sh", content: "echo hi\n" } }, shell("sh ship.sh")];
  const sent = await on.ask("POST", "/v1/plans", { token, body: { title: "Ship", cwd: on.project, calls } });
  expect(sent).toMatchObject({ status: 200, body: { steps: [{ is: "runs" }, { is: "asks" }] } });
  expect(sent.body).not.toHaveProperty("receipt");
});

test("the client sends plans too, and what is wrong with one is said in the same words", async () => {
  const gate = createClient({ url: on.url, token, cwd: on.project });
  const plan = await gate.submitPlan({ title: "Push", calls: [shell("git push origin main")] });
  expect(plan).toMatchObject({ steps: [{ is: "covered" }], receipt: { outcome: "pending" } });
  const calls = Array.from({ length: 51 }, (_, n) => shell(`git tag v${n}`));
  await expect(gate.submitPlan({ title: "Push", calls })).rejects.toThrow(
    "calls: there are too many: 51; send at most 50",
  );
  const wrong = await on.ask("POST", "/v1/plans", { token, body: { title: "Push", calls } });
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: { code: "LEEWAY_BAD_INPUT", message: "calls: there are too many: 51", hint: "send at most 50" } },
  });
  expect(await on.ask("POST", "/v1/plans", { token, body: { title: "Push", calls: [] } })).toMatchObject({
    status: 400,
  });
  const person = await on.token({ person: "ana", can: "approve" });
  expect(
    (await on.ask("POST", "/v1/plans", { token: person, body: { title: "x", calls: [shell("ls")] } })).status,
  ).toBe(403);
});
