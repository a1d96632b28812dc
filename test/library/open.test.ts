import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { policySchema } from "../../src/core/policy/document.ts";
import { match } from "../../src/core/policy/match-shape.ts";
import { acceptPolicy } from "../../src/gate/standing/policy.ts";
import {
  type Gate,
  type GateOpening,
  isNotExecuted,
  type MatchInput,
  openGate,
  type PolicyLayer,
} from "../../src/index.ts";
import { policyFrom } from "../../src/testing.ts";
import { PATIENT, POLICY, refusalFrom } from "./gates.ts";

let home: string;
const gates: Gate[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "leeway-open-"));
});
afterEach(async () => {
  for (const gate of gates.splice(0)) await gate.close();
  rmSync(home, { recursive: true, force: true });
});

type LocalOpening = Omit<GateOpening, "server">;

async function open(opening: GateOpening = {}): Promise<Gate> {
  const gate = await openGate({ env: envOf(home), cwd: home, ...(opening as LocalOpening) });
  gates.push(gate);
  return gate;
}

function envOf(folder: string): Record<string, string> {
  return { XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
}

test("a gate keeps its database and key in the state folder, readable only by the user", async () => {
  const gate = await open({ policy: POLICY });
  await gate.submit({ tool: "look" });
  const folder = join(home, "state", "leeway");
  expect([
    existsSync(join(folder, "leeway.db")),
    statSync(folder).mode & 0o777,
    statSync(join(folder, "leeway.key")).mode & 0o777,
  ]).toEqual([true, 0o700, 0o600]);
});

test("questions, approvals and records are kept after the gate is closed", async () => {
  const first = await open({ policy: POLICY });
  await first.people.add({ name: "ana" });
  const { approvalId = "", digest } = await first.submit({ agent: "shop", tool: "pay", args: { amount: 5 } });
  await first.close();

  const second = await open({ policy: POLICY });
  expect((await second.approvals.get(approvalId)).args).toEqual({ amount: 5 });
  await second.review(approvalId, { by: "ana", verdict: "approve", digest });
  await second.close();

  const third = await open({ policy: POLICY });
  const pay = third.guard("pay", ({ amount }: { amount: number }) => `paid ${amount}`, { waitMs: 0 });
  expect(await third.as({ agent: "shop" }, () => pay({ amount: 5 }))).toBe("paid 5");
  expect((await third.ledger.verify()).ok).toBe(true);
});

test("two gates on one database see each other's answers while they wait", async () => {
  const [asking, answering] = [await open({ policy: POLICY }), await open({ policy: POLICY })];
  await answering.people.add({ name: "ana" });
  const paying = asking.guard("pay", () => "paid")({});
  const question = await vi.waitFor(async () => {
    const [one] = await answering.approvals.list({ state: "pending" });
    if (one === undefined) throw new Error("nothing is asked yet");
    return one;
  }, PATIENT);
  await answering.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });
  expect(await paying).toBe("paid");
});

test("a gate runs a call by itself if it is approved after its caller stopped waiting", async () => {
  const gate = await open({ policy: POLICY });
  await gate.people.add({ name: "ana" });
  const ran: unknown[] = [];
  const out = await gate.guard("propose", (args) => ran.push(args))({ at: "noon" });
  if (!isNotExecuted(out) || out.approvalId === undefined) throw new Error("it was not proposed");
  const { digest } = await gate.approvals.get(out.approvalId);
  await gate.review(out.approvalId, { by: "ana", verdict: "approve", digest });
  await vi.waitFor(() => expect(ran).toEqual([{ at: "noon" }]), PATIENT);
});

test("a closed gate decides nothing, and callers that wait are told", async () => {
  const gate = await open({ policy: POLICY });
  const fn = vi.fn();
  const look = gate.guard("look", fn);
  const waiting = refusalFrom(gate.guard("pay", fn)({}));
  await vi.waitFor(async () => expect(await gate.approvals.list({ state: "pending" })).toHaveLength(1), PATIENT);
  await gate.close();
  await gate.close();
  const reasons = [
    (await waiting).reason,
    (await refusalFrom(look({}))).reason,
    (await refusalFrom(gate.grants.list())).reason,
  ];
  expect([reasons, fn.mock.calls.length]).toEqual([
    [
      "the database cannot be used: the gate is closed",
      "the decision could not be recorded: the gate is closed",
      "the database cannot be used: the gate is closed",
    ],
    0,
  ]);
});

test("a database in memory leaves no files behind", async () => {
  const gate = await open({ db: ":memory:", policy: POLICY });
  await gate.submit({ tool: "look" });
  expect(readdirSync(home)).toEqual([]);
});

test("without a policy the preset standard applies, and a project's file applies after a person accepted it", async () => {
  const path = join(home, "leeway.yaml");
  const gate = await open();
  const tier = async () => (await gate.check({ tool: "write_file", args: { path: "a.txt", text: "" } })).decision.tier;
  expect(await tier()).toBe("notify");
  await gate.people.add({ name: "ana" });
  writeFileSync(path, "version: 1\ntiers: { fs.write: auto }\n");
  const reopened = await open();
  const tierNow = async () =>
    (await reopened.check({ tool: "write_file", args: { path: "a.txt", text: "" } })).decision.tier;
  expect(await tierNow()).toBe("notify");
  const version = policyFrom("version: 1\ntiers: { fs.write: auto }\n", path).version;
  expect((await refusalFrom(reopened.policy.accept(path, { by: "ana", version }))).code).toBe("LEEWAY_ASSURANCE");
  const terminal = await openDeps({ cwd: home, env: envOf(home) });
  expect((await acceptPolicy(terminal, path, { by: "ana", assurance: "tty", version })).ok).toBe(true);
  await terminal.close();
  expect(await tierNow()).toBe("auto");
  expect((await reopened.policy.inForce()).layers.map((layer) => [layer.source, layer.from])).toEqual([
    [path, "accepted"],
  ]);
});

test("a gate that cannot be opened reports why and what to do", async () => {
  expect((await refusalFrom(open({ polcy: POLICY } as never))).message).toBe(
    "polcy: unknown key; did you mean policy?",
  );
  const refusals = [
    await refusalFrom(open({ server: "http://127.0.0.1:4141" })),
    await refusalFrom(open({ env: { LEEWAY_URL: "http://127.0.0.1:4141" } })),
    // @ts-expect-error: no tier
    await refusalFrom(open({ policy: { tiers: { "fs.write": "maybe" } } })),
    await refusalFrom(open({ policy: "nowhere.yaml" })),
    await refusalFrom(open({ env: { XDG_STATE_HOME: "state" } })),
  ];
  expect(refusals.map(({ code, reason }) => [code, reason])).toEqual([
    ["LEEWAY_BAD_INPUT", "a server is named, but LEEWAY_TOKEN is not set"],
    ["LEEWAY_BAD_INPUT", "LEEWAY_URL is set, but LEEWAY_TOKEN is not"],
    ["LEEWAY_POLICY_INVALID", expect.stringMatching(/^the policy option:4:17: .*maybe/)],
    ["LEEWAY_POLICY_INVALID", expect.stringMatching(/nowhere\.yaml:1:1: there is no such file/)],
    ["LEEWAY_BAD_INPUT", "XDG_STATE_HOME is not an absolute path: `state`"],
  ]);
});

test("a reason names a policy that is an object without a line, because an object has none", async () => {
  const gate = await open({ policy: { version: 1, tiers: { "fs.write": "ask" } } });
  const { decision } = await gate.check({ tool: "write_file", args: { path: "a.txt", text: "" } });
  expect(decision.because).toEqual(["the row for class fs.write is ask (in the policy option of the program)"]);
});

test("a call without its own folder is checked from the folder in which the gate was opened", async () => {
  const folder = join(home, "project");
  const below = join(folder, "private");
  mkdirSync(below, { recursive: true });
  writeFileSync(join(folder, "leeway.yaml"), "version: 1\n");
  const gate = await open({ cwd: below });
  const { effect } = await gate.check({ tool: "write_file", args: { path: "src/a.ts", text: "" } });
  expect(effect.parts.flatMap((part) => part.targets)).toMatchObject([
    { kind: "path", path: join(realpathSync(below), "src/a.ts") },
  ]);
});

test("an approved call may be claimed by a gate that was opened in another folder", async () => {
  const [here, there] = [join(home, "here"), join(home, "there")];
  for (const folder of [here, there]) mkdirSync(folder);
  const policy: PolicyLayer = { ...POLICY, tiers: { "fs.write": "ask" } };
  const asking = await open({ policy, cwd: here });
  await asking.people.add({ name: "ana" });
  const { approvalId = "", digest } = await asking.submit({ tool: "write_file", args: { path: "a.txt", text: "x" } });
  const running = await open({ policy, cwd: there });
  await running.review(approvalId, { by: "ana", verdict: "approve", digest });
  const { executionId = "" } = await running.wait(approvalId);
  expect((await running.claim(executionId)).args).toEqual({ path: "a.txt", text: "x" });
});

test("invalid options open no gate", async () => {
  expect((await refusalFrom(open({ callback: {} as never }))).reason).toBe(
    "callback/name: expected text, found undefined",
  );
  expect((await refusalFrom(open({ agent: "" }))).reason).toBe("agent: the text is empty");
  expect(readdirSync(home)).toEqual([]);
});

test("an unaccepted leeway.yaml in an outer folder does not make that folder the project", async () => {
  const cwd = join(home, "work", "app");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(home, "leeway.yaml"), "version: 1\npreset: autonomous\n");
  const gate = await open({ cwd });
  const reaches = async () => {
    const paths = [join(home, "elsewhere.txt"), join(cwd, "a.txt")];
    const effects = await Promise.all(
      paths.map((path) => gate.classify({ tool: "write_file", args: { path, content: "" } })),
    );
    return effects.map(({ parts: [part] }) => part.reach);
  };
  expect(await reaches()).toEqual(["host", "project"]);
  expect((await gate.check({ tool: "write_file", args: { path: "../../a.txt" }, cwd })).decision.tier).toBe("ask");
});

test("opening a gate without anybody who can answer gives a warning", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  try {
    const first = await open({ policy: POLICY });
    expect(warned.mock.calls).toEqual([
      [
        expect.stringMatching(/^nobody is set up who could answer, .* run `leeway init`/),
        { code: "LEEWAY_NO_REVIEWER" },
      ],
    ]);
    await first.people.add({ name: "ana" });
    warned.mockClear();
    await open({ policy: POLICY });
    const empty = await open({ db: ":memory:", policy: POLICY });
    expect(warned.mock.calls).toEqual([]);
    // A database in memory has no people yet, so it is said when a call waits, and once.
    for (let count = 0; count < 2; count++) await empty.submit({ tool: "pay", args: { count } });
    await vi.waitFor(() => expect(warned).toHaveBeenCalled(), PATIENT);
    expect(warned.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^a call waits for an answer, and nobody .* only in memory; add somebody with gate\.people\.add/,
        ),
        { code: "LEEWAY_NO_REVIEWER" },
      ],
    ]);
  } finally {
    warned.mockRestore();
  }
});

test("the TypeScript type of a policy has exactly the keys of the file", () => {
  const keys: Record<keyof PolicyLayer, true> = {
    version: true,
    preset: true,
    tier: true,
    tiers: true,
    tools: true,
    agents: true,
    human: true,
    reviewers: true,
    rules: true,
    approvals: true,
    headless: true,
    limits: true,
    channels: true,
    box: true,
    root: true,
  };
  expect(Object.keys(keys)).toEqual(Object.keys(policySchema["properties"] as object));
  const inMatch: Record<keyof MatchInput, true> = {
    agent: true,
    tool: true,
    class: true,
    capability: true,
    method: true,
    mcp: true,
    args: true,
    reversible: true,
    reach: true,
    understood: true,
    path: true,
    command: true,
    domain: true,
    when: true,
  };
  expect(Object.keys(inMatch).sort()).toEqual(Object.keys(match.schema["properties"] as object).sort());
  // @ts-expect-error a key that the file does not have
  const mistyped: PolicyLayer = { tire: "ask" };
  expect(mistyped).toEqual({ tire: "ask" });
});
