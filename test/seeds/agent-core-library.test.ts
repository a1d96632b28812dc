import { expect, test, vi } from "vitest";
import { autoApprove, denyAll, type Gate, interactive, type PolicyLayer } from "../../src/index.ts";
import { systemClock } from "../../src/system.ts";
import { opened, PATIENT, refusalFrom } from "../library/gates.ts";

// Rows of agent-core's table about its registry, policies and front end, through the library.

const SRC = "/project/src";
const write = (name: string) => ({
  agent: "coder",
  session: "s1",
  tool: "write_file",
  args: { path: `${SRC}/${name}`, text: "x" },
});
const asking: PolicyLayer = { tiers: { write_file: "ask", shell: "ask" } };

function sessionGrant(gate: Gate, session: string, path: string) {
  const targets = [{ kind: "path", path, recursive: true }] as const;
  const covers = { class: "fs.write", targets, level: "write" } as const;
  return gate.grants.add({ subject: { agent: "coder", session }, covers, because: "refactoring", by: "ana" });
}

async function pendingOf(gate: Gate) {
  return (await gate.approvals.list({ state: "pending" })).map((approval) => approval.id);
}

test("A9: a grant of session 1 does not cover a request of session 2", async () => {
  const { gate } = await opened(asking);
  await sessionGrant(gate, "s1", SRC);
  const outcomes = [];
  for (const session of ["s1", "s2"]) outcomes.push((await gate.submit({ ...write("a.ts"), session })).outcome);
  expect(outcomes).toEqual(["run", "pending"]);
});

test("A10: a covered request runs immediately and creates no event", async () => {
  const ask = vi.fn();
  const { gate, deps } = await opened(asking, { callback: interactive(ask) });
  await sessionGrant(gate, "s1", SRC);
  const receipt = await gate.submit(write("a.ts"));
  const notices = await deps.store.read({ ask: "count", workspace: "default", table: "notices", where: {} });
  expect([receipt.outcome, receipt.approvalId, ask.mock.calls.length, notices]).toEqual(["run", undefined, 0, 0]);
});

test("A11: an uncovered request that is granted for the session creates an event with its id, and a later one is granted automatically", async () => {
  const ask = vi.fn(() => ({ by: "ana", verdict: "approve" as const, remember: { session: true as const } }));
  const { gate } = await opened(asking, { callback: interactive(ask) }, { clock: systemClock });
  const writeFile = gate.guard("write_file", () => "written");
  const run = () => gate.as({ agent: "coder", session: "s1" }, () => writeFile(write("a.ts").args));
  expect([await run(), await run()]).toEqual(["written", "written"]);
  const [approved] = await gate.approvals.list();
  expect(ask.mock.calls).toMatchObject([[{ id: approved?.id }]]);
  const [held] = await gate.grants.list();
  expect([held?.grant.subject, held?.used]).toEqual([{ agent: "coder", session: "s1" }, 1]);
});

test("A12: an uncovered request that is denied is not granted", async () => {
  const callback = interactive(() => ({ by: "ana", verdict: "deny" }));
  const { gate } = await opened(asking, { callback }, { clock: systemClock });
  const fn = vi.fn();
  const refusal = await refusalFrom(gate.guard("write_file", fn)(write("a.ts").args));
  expect([refusal.code, fn.mock.calls.length]).toEqual(["LEEWAY_REVIEW_DENIED", 0]);
});

test("A13: if one of two requests in a batch is covered, only the other creates an event; if both are covered, both run without an event", async () => {
  const { gate } = await opened(asking);
  await sessionGrant(gate, "s1", SRC);
  const [covered, other] = await gate.submitAll([write("a.ts"), write("../secrets/key.pem")]);
  expect([covered?.outcome, other?.outcome, await pendingOf(gate)]).toEqual(["run", "pending", [other?.approvalId]]);
  const both = await gate.submitAll([write("b.ts"), write("deep/c.ts")]);
  expect([both.map(({ outcome }) => outcome), (await pendingOf(gate)).length]).toEqual([["run", "run"], 1]);
});

test("A14: after one of two grants is revoked, the other still works", async () => {
  const { gate } = await opened(asking);
  const [one, two] = [await sessionGrant(gate, "s1", SRC), await sessionGrant(gate, "s1", "/project/docs")];
  await gate.grants.revoke(one.id, { by: "ana" });
  const live = (await gate.grants.list()).filter(({ grant }) => grant.state === "live").map(({ grant }) => grant.id);
  const receipts = await gate.submitAll([write("a.ts"), write("../docs/a.md")]);
  expect([live, receipts.map(({ outcome }) => outcome)]).toEqual([[two.id], ["pending", "run"]]);
});

test("A15: clearing or cancelling a session removes its grants and pending requests, and a waiting caller gets an error", async () => {
  const { gate } = await opened(asking, {}, { clock: systemClock });
  await sessionGrant(gate, "s1", SRC);
  const writeFile = gate.guard("write_file", () => "never");
  const waiting = refusalFrom(
    gate.as({ agent: "coder", session: "s1" }, () => writeFile({ path: "/project/other.ts", text: "x" })),
  );
  await vi.waitFor(async () => expect(await pendingOf(gate)).toHaveLength(1), PATIENT);
  expect(await gate.endSession("s1", { by: "ana" })).toMatchObject({ grants: 1, approvals: 1 });
  expect([(await waiting).code, await pendingOf(gate)]).toEqual(["LEEWAY_CANCELLED", []]);
  expect((await gate.submit(write("a.ts"))).outcome).toBe("pending");
});

test("A18: AutoApprove allows, DenyAll denies with a reason, custom DenyAll denies with its own text, and Interactive asks the user", async () => {
  const ask = vi.fn();
  const answers = [];
  for (const callback of [autoApprove, denyAll(), denyAll("Sandbox mode"), interactive(ask)]) {
    const { gate } = await opened(asking, { callback });
    const { outcome, decision } = await gate.submit(write("a.ts"));
    answers.push([outcome, decision.because.join("; ").replace(/ \(.*\)$/, "")]);
  }
  expect(answers).toEqual([
    ["run", "policy callback auto-approve says auto: the program allows it"],
    ["denied", "policy callback deny-all says deny: Permission denied by policy"],
    ["denied", "policy callback deny-all says deny: Sandbox mode"],
    ["pending", "the row for tool write_file is ask"],
  ]);
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(1), PATIENT);
});

test("A20: an edit of two files with the id tool-1 gives the requests tool-1-0 and tool-1-1", async () => {
  const { gate } = await opened(asking);
  const receipts = await gate.submitAll([write("a.ts"), write("b.ts")], { callId: "tool-1" });
  expect(receipts.map(({ callId }) => callId)).toEqual(["tool-1-0", "tool-1-1"]);
  expect(new Set(receipts.map(({ approvalId }) => approvalId)).size).toBe(2);
});

test("A21: the panel offers several widths for a file, never all similar commands for a command, and by default an approval is for one call", async () => {
  const { gate } = await opened(asking);
  const file = await gate.submit(write("a.ts"));
  const command = await gate.submit({ agent: "coder", tool: "shell", args: { command: "git status" } });
  const offered = async (id = "") => (await gate.grants.suggest(id)).flatMap(({ covers }) => covers.targets);
  expect(await offered(file.approvalId)).toEqual([
    { kind: "path", path: `${SRC}/a.ts`, recursive: false },
    { kind: "path", path: SRC, recursive: false },
    { kind: "path", path: SRC, recursive: true },
  ]);
  const forCommand = await offered(command.approvalId);
  expect(forCommand.filter((target) => target.kind === "command" && target.words[0] === "*")).toEqual([]);
  expect(forCommand.filter((target) => target.kind !== "command")).toEqual([]);
  await gate.review(file.approvalId ?? "", { by: "ana", verdict: "approve", digest: file.digest });
  expect(await gate.grants.list()).toEqual([]);
});

test("A22: an unknown tool is asked about and never guessed, and the waiting caller of a cancelled run is told that its time is over", async () => {
  const { gate } = await opened();
  const unknown = await gate.submit({ agent: "coder", tool: "frobnicate", args: {} });
  const effect = await gate.classify({ tool: "frobnicate" });
  expect([unknown.outcome, effect.understood, effect.parts[0].class]).toEqual(["pending", "not", "unknown"]);
  expect((await refusalFrom(gate.claim("exe_nothing"))).code).toBe("LEEWAY_NOT_FOUND");
  const stopped = await gate.wait(unknown.approvalId ?? "", { timeoutMs: 600_000, signal: AbortSignal.abort() });
  expect([stopped.outcome, stopped.code]).toEqual(["pending", "LEEWAY_PENDING"]);
});
