import { expect, test } from "vitest";
import { inEnglish } from "../../src/core/messages/text.ts";
import { check } from "../../src/gate/calls/judging.ts";
import { endSession } from "../../src/gate/calls/sessions.ts";
import { find } from "../../src/gate/find-row.ts";
import {
  addPerson,
  changePerson,
  checkPassphrase,
  listPeople,
  removePerson,
  setPassphrase,
} from "../../src/gate/people/people.ts";
import { listEntries } from "../../src/gate/record/ledger.ts";
import { addGrant, listGrants, revokeGrant, suggestGrants } from "../../src/gate/standing/grants.ts";
import { liftPause, listPauses, setPause } from "../../src/gate/standing/pause.ts";
import { acceptPolicy, diffPolicy, policyInForce } from "../../src/gate/standing/policy.ts";
import { standingView } from "../../src/gate/standing/standing.ts";
import type { FoundPolicies } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { policyFrom } from "../../src/testing.ts";
import { DAY_MS, office, POLICY } from "./kit.ts";

const TO = { to: "look" };
const REFUNDS = { tool: { name: "refund" }, targets: [], level: "admin" } as const;

test("the first person becomes an admin, and everybody else is added by an admin", async () => {
  const { deps, kinds } = await office(POLICY, { people: false });
  expect(await addPerson(deps, { name: "ana", by: "ana", assurance: "tty" })).toMatchObject({
    ok: true,
    value: { admin: true },
  });
  expect(await addPerson(deps, { name: "ben", by: "ben", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
  expect(await addPerson(deps, { name: "ben", by: "ana", assurance: "tty" })).toMatchObject({
    ok: true,
    value: { admin: false },
  });
  expect(await addPerson(deps, { name: "ben", by: "ana", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_BAD_INPUT",
  });
  expect(await addPerson(deps, { name: "group:leads", by: "ana", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_BAD_INPUT",
  });
  expect(await addPerson(deps, { name: "cy", by: "ben", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
  expect((await listPeople(deps)).map((person) => person.name)).toEqual(["ana", "ben"]);
  expect(await kinds()).toEqual(["person.added", "person.added"]);
});

test("the last admin cannot be removed, and a removed person can no longer answer", async () => {
  const { deps, submit, approve } = await office();
  expect(await removePerson(deps, "ana", { by: "ana", assurance: "tty" })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  await addPerson(deps, { name: "eve", admin: true, by: "ana", assurance: "tty" });
  expect((await removePerson(deps, "ana", { by: "eve", assurance: "tty" })).ok).toBe(true);
  const { approvalId } = await submit("refund");
  expect(await approve(approvalId, "ana")).toMatchObject({ code: "LEEWAY_NOT_A_REVIEWER" });
  expect((await approve(approvalId, "eve")).ok).toBe(true);
});

test("an admin changes a person's role and groups, other fields stay, and the record contains the old values", async () => {
  const { deps } = await office();
  const ana = { by: "ana", assurance: "tty" } as const;
  await addPerson(deps, { name: "eve", groups: ["ops"], ...ana });
  expect(await changePerson(deps, "eve", { groups: ["leads", "ops", "leads"], ...ana })).toMatchObject({
    ok: true,
    value: { name: "eve", admin: false, auditor: false, groups: ["leads", "ops"] },
  });
  expect(await changePerson(deps, "eve", { admin: true, ...ana })).toMatchObject({
    ok: true,
    value: { admin: true, auditor: false, groups: ["leads", "ops"] },
  });
  const [last] = await listEntries(deps, {}, { limit: 1, order: "newest" });
  expect(last).toMatchObject({ kind: "person.changed", actor: "person:ana", subject: { person: "eve" } });
  expect(last?.body?.json).toEqual({
    admin: true,
    auditor: false,
    groups: ["leads", "ops"],
    was: { admin: false, auditor: false, groups: ["leads", "ops"] },
    assurance: "tty",
    rows: [expect.objectContaining({ table: "people", id: "eve" })],
  });
});

test("a changed role applies immediately: an admin who became an auditor can decide nothing", async () => {
  const { deps, submit, approve } = await office();
  const ana = { by: "ana", assurance: "tty" } as const;
  await addPerson(deps, { name: "eve", admin: true, ...ana });
  const { approvalId } = await submit("refund");
  const grant = { subject: { agent: "coder" }, covers: REFUNDS, because: "a test" } as const;
  expect((await addGrant(deps, { ...grant, tier: "auto", by: "eve", assurance: "tty" })).ok).toBe(true);
  expect((await changePerson(deps, "eve", { admin: false, auditor: true, ...ana })).ok).toBe(true);
  expect((await listGrants(deps)).map((held) => held.grant.state)).toEqual(["revoked"]);
  expect(await approve(approvalId, "eve")).toMatchObject({ code: "LEEWAY_NOT_A_REVIEWER" });
  expect(await changePerson(deps, "ben", { admin: true, by: "eve", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
});

test("only an admin changes people, the last admin stays one, and an admin cannot be an auditor", async () => {
  const { deps, kinds } = await office();
  const ana = { by: "ana", assurance: "tty" } as const;
  const before = (await kinds()).length;
  const refusals = [
    await changePerson(deps, "ben", { admin: true, by: "ben", assurance: "tty" }),
    await changePerson(deps, "ana", { admin: false, ...ana }),
    await changePerson(deps, "ana", { auditor: true, ...ana }),
    await changePerson(deps, "ana", { admin: false, auditor: true, ...ana }),
    await changePerson(deps, "nobody", { admin: true, ...ana }),
    await changePerson(deps, "ben", ana),
    await addPerson(deps, { name: "eve", admin: true, auditor: true, ...ana }),
  ];
  expect(inEnglish(refusals.map((one) => (one.ok ? "done" : [one.code, one.reason])))).toEqual([
    ["LEEWAY_FORBIDDEN", "only an admin may change people"],
    ["LEEWAY_FORBIDDEN", "ana is the last admin"],
    ["LEEWAY_BAD_INPUT", "a person cannot be both an admin and an auditor"],
    ["LEEWAY_FORBIDDEN", "ana is the last admin"],
    ["LEEWAY_NOT_FOUND", "nobody is not a known person"],
    ["LEEWAY_BAD_INPUT", "nothing would change"],
    ["LEEWAY_BAD_INPUT", "a person cannot be both an admin and an auditor"],
  ]);
  expect(await kinds()).toHaveLength(before);
});

test.each([
  ["take the admin role from each other", changePerson],
  ["remove each other", removePerson],
])("if two admins %s at the same time, one stays an admin", async (_does, act) => {
  const { deps } = await office();
  await addPerson(deps, { name: "eve", admin: true, by: "ana", assurance: "tty" });
  const done = await Promise.all([
    act(deps, "eve", { admin: false, by: "ana", assurance: "tty" }),
    act(deps, "ana", { admin: false, by: "eve", assurance: "tty" }),
  ]);
  expect(done.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await listPeople(deps)).filter(({ admin, state }) => admin && state === "active")).toHaveLength(1);
});

test("a passphrase is stored as a hash, and a wrong one reveals nothing", async () => {
  const { deps, rows } = await office();
  expect((await setPassphrase(deps, "ben", { passphrase: "correct horse", by: "ben", assurance: "tty" })).ok).toBe(
    true,
  );
  expect(await setPassphrase(deps, "ben", { passphrase: "mine now", by: "dan", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
  expect(JSON.stringify(await rows("people"))).not.toContain("correct horse");
  expect((await checkPassphrase(deps, "ben", "correct horse", TO)).ok).toBe(true);
  const refusals = [
    await checkPassphrase(deps, "ben", "wrong", TO),
    await checkPassphrase(deps, "dan", "", TO),
    await checkPassphrase(deps, "nobody", "wrong", TO),
  ];
  expect(new Set(refusals.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(refusals[0]).toMatchObject({ ok: false, code: "LEEWAY_FORBIDDEN" });
});

test("a pause applies from the next call, to what it names and nothing else", async () => {
  const { deps, submit } = await office();
  const scopes = [
    { of: "agent", name: "coder" },
    { of: "session", name: "s1" },
    { of: "tool", name: "lookup" },
    { of: "everything" },
  ] as const;
  for (const scope of scopes) {
    const set = await setPause(deps, { scope, because: "look", by: "ben" });
    expect((await submit("lookup", {}, { session: "s1" })).code).toBe("LEEWAY_PAUSED");
    expect(await listPauses(deps)).toHaveLength(1);
    const elsewhere = await submit("save", {}, { agent: "tester", session: "s2" });
    expect(elsewhere.code).toBe(scope.of === "everything" ? "LEEWAY_PAUSED" : undefined);
    if (!set.ok) throw new Error(set.reason.say);
    expect(await liftPause(deps, set.value.id, { by: "dan", assurance: "tty" })).toMatchObject({
      code: "LEEWAY_FORBIDDEN",
    });
    expect((await liftPause(deps, set.value.id, { by: "ana", assurance: "tty" })).ok).toBe(true);
    expect((await submit("lookup", {}, { session: "s1" })).outcome).toBe("run");
  }
  expect(await setPause(deps, { scope: { of: "everything" }, because: "", by: "coder" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
  expect(await setPause(deps, { scope: { of: "everything" }, because: "", by: "audrey" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
});

test("a grant lets covered calls run, for its time and number of uses", async () => {
  const { deps, submit, clock } = await office();
  const given = {
    subject: { agent: "coder" },
    covers: REFUNDS,
    because: "season",
    by: "ana",
    assurance: "tty",
  } as const;
  expect(await addGrant(deps, { ...given, by: "dan" })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await addGrant(deps, { ...given, usesMax: 0 })).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  expect(await addGrant(deps, { ...given, untilMs: clock.nowMs() })).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  expect(await addGrant(deps, { ...given, covers: { targets: [], level: "admin" } })).toMatchObject({
    code: "LEEWAY_BAD_INPUT",
  });
  const twice = await addGrant(deps, { ...given, usesMax: 2 });
  expect((await submit("refund", { n: 1 })).outcome).toBe("run");
  expect((await submit("refund", { n: 2 }, { agent: "tester" })).outcome).toBe("pending");
  expect((await submit("refund", { n: 3 })).outcome).toBe("run");
  expect((await submit("refund", { n: 4 })).outcome).toBe("pending");
  expect(await listGrants(deps)).toMatchObject([{ used: 2, grant: { state: "live" } }]);
  const day = await addGrant(deps, given);
  expect(day.ok ? day.value.untilMs : 0).toBe(clock.nowMs() + DAY_MS);
  expect((await submit("refund", { n: 5 })).outcome).toBe("run");
  clock.advance(DAY_MS);
  expect((await submit("refund", { n: 6 })).outcome).toBe("pending");
  expect(twice.ok && (await revokeGrant(deps, twice.value.id, { by: "ana" })).ok).toBe(true);
  expect((await listGrants(deps)).map(({ grant }) => grant.state).sort()).toEqual(["expired", "revoked"]);
});

test("a revoked grant covers nothing from the next call, and a paused grant covers nothing until the pause ends", async () => {
  const { deps, submit } = await office();
  const given = { subject: { agent: "coder" }, covers: REFUNDS, because: "", by: "ana", assurance: "tty" } as const;
  const grant = await addGrant(deps, given);
  if (!grant.ok) throw new Error(grant.reason.say);
  const paused = await setPause(deps, { scope: { of: "grant", name: grant.value.id }, because: "", by: "ana" });
  expect((await submit("refund", { n: 1 })).outcome).toBe("pending");
  if (paused.ok) await liftPause(deps, paused.value.id, { by: "ana", assurance: "tty" });
  expect((await submit("refund", { n: 2 })).outcome).toBe("run");
  await revokeGrant(deps, grant.value.id, { by: "ana" });
  expect((await submit("refund", { n: 3 })).outcome).toBe("pending");
  expect(await revokeGrant(deps, grant.value.id, { by: "ana" })).toMatchObject({ code: "LEEWAY_ALREADY_RESOLVED" });
});

test("ending a session revokes its grants, withdraws its questions and voids its unused permits", async () => {
  const { deps, submit, approve, approval, execution } = await office();
  const given = { covers: REFUNDS, because: "", by: "ana", assurance: "tty" } as const;
  await addGrant(deps, { ...given, subject: { agent: "coder", session: "s1" } });
  await addGrant(deps, { ...given, subject: { agent: "coder", session: "s2" } });
  const open = await submit("keep", { n: 1 }, { session: "s1" });
  const ready = await submit("keep", { n: 2 }, { session: "s1" });
  const other = await submit("keep", { n: 3 }, { session: "s2" });
  const done = await approve(ready.approvalId);
  const ended = await endSession(deps, { session: "s1", agent: "coder", by: "coder" });
  expect(ended).toEqual({ ok: true, value: { grants: 1, approvals: 1, executions: 1 } });
  expect((await approval(open.approvalId)).state).toBe("cancelled");
  expect((await approval(other.approvalId)).state).toBe("pending");
  expect((await execution(done.ok && done.value.state === "approved" ? done.value.executionId : "")).state).toBe(
    "void",
  );
  expect((await submit("refund", {}, { session: "s1" })).outcome).toBe("pending");
  expect((await submit("refund", {}, { session: "s2" })).outcome).toBe("run");
});

test("when an agent's host ends, proposals and questions that need a person stay, because nobody waits for them", async () => {
  const policy =
    "version: 1\ntools: { note: { class: none }, sign: { class: none } }\ntiers: { note: suggest, sign: ask }\nhuman: { tools: [sign] }\n";
  const { deps, submit, approval } = await office(policy);
  const asked = await Promise.all(["note", "sign"].map((tool) => submit(tool, { n: 1 }, { session: "s1" })));
  const states = () => Promise.all(asked.map(async ({ approvalId }) => (await approval(approvalId)).state));
  const ending = { session: "s1", agent: "coder", by: "coder" };
  expect(await endSession(deps, { ...ending, isHost: true })).toEqual({
    ok: true,
    value: { grants: 0, approvals: 0, executions: 0 },
  });
  expect(await states()).toEqual(["pending", "pending"]);
  await endSession(deps, ending);
  expect(await states()).toEqual(["cancelled", "cancelled"]);
});

test("suggestions say which earlier calls they would have covered", async () => {
  const text = "version: 1\ntier: ask\n";
  const { deps, submit } = await office(text);
  const write = (path: string) => submit("write_file", { path, text: "x" }, { cwd: "/project" });
  await write("src/a.ts");
  await write("src/b.ts");
  const { approvalId = "" } = await write("src/c.ts");
  const suggested = await suggestGrants(deps, approvalId);
  if (!suggested.ok) throw new Error(suggested.reason.say);
  expect(suggested.value.offers.map((one) => one.coveredBefore)).toEqual([1, 3, 3]);
  expect(suggested.value.offers[0]?.covers.targets).toEqual([
    { kind: "path", path: "/project/src/c.ts", recursive: false },
  ]);
});

test("checking decides like submitting and records nothing", async () => {
  const { deps, call, rows, kinds } = await office();
  const before = await kinds();
  for (const [tool, tier] of [
    ["lookup", "auto"],
    ["refund", "ask"],
    ["ship", "deny"],
    ["what", "ask"],
  ] as const) {
    const { decision, digest } = await check(deps, call(tool));
    expect([decision.tier, digest.startsWith("sha256:")]).toEqual([tier, true]);
  }
  expect(await rows("calls")).toEqual([]);
  expect(await kinds()).toEqual(before);
});

test("every row is found by its id, or by a start of the id that matches only one row", async () => {
  const { deps, submit } = await office();
  const { id, approvalId = "" } = await submit("refund");
  await submit("lookup");
  expect(await find(deps, id)).toMatchObject({ ok: true, value: { table: "calls", row: { id } } });
  expect(await find(deps, approvalId.slice(0, -1))).toMatchObject({ ok: true, value: { table: "approvals" } });
  expect(await find(deps, "call_")).toMatchObject({ code: "LEEWAY_AMBIGUOUS" });
  expect(await find(deps, "call_zzz")).toMatchObject({ code: "LEEWAY_NOT_FOUND" });
  expect(await find(deps, "latest")).toMatchObject({ code: "LEEWAY_NOT_FOUND" });
});

test("a policy file applies after an admin accepted it; if changed it can only be stricter, and if broken or missing the accepted text applies", async () => {
  const path = "/project/leeway.yaml";
  const loose = `${POLICY}`;
  let text: string | undefined = loose;
  let found: FoundPolicies | undefined;
  const policies = {
    current: () => {
      found ??= {
        named: false,
        files:
          text === undefined ? [] : [{ path, text, loaded: { ok: true as const, policy: policyFrom(text, path) } }],
        places: [path],
        project: "/project",
      };
      return found;
    },
    parse: (given: string, at: string) => ({ ok: true as const, policy: policyFrom(given, at) }),
  };
  const change = (next: string | undefined) => {
    text = next;
    found = undefined;
  };
  const store = memoryStore();
  const { deps, submit } = await office(POLICY, {
    store,
    policies,
    standing: standingView(store, "default", policies),
  });
  expect((await policyInForce(deps)).layers.map((layer) => layer.from)).toEqual(["preset", "beside"]);
  expect((await submit("save")).outcome).toBe("pending");
  expect((await submit("ship", { n: 1 })).outcome).toBe("pending");
  const { version } = policyFrom(loose, path);
  const ana = { by: "ana", assurance: "tty", version } as const;
  expect(await acceptPolicy(deps, path, { ...ana, by: "ben" })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await acceptPolicy(deps, path, { by: "ana", version: "sha256:old", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_DIGEST_MISMATCH",
  });
  expect((await acceptPolicy(deps, path, ana)).ok).toBe(true);
  expect((await policyInForce(deps)).layers).toMatchObject([{ from: "accepted", by: "ana" }]);
  expect((await submit("save", { n: 2 })).outcome).toBe("run");
  expect((await submit("ship", { n: 2 })).outcome).toBe("denied");
  expect((await submit("refund")).outcome).toBe("pending");
  change(loose.replace("tier: ask", "tier: auto"));
  expect((await submit("refund", { n: 2 })).outcome).toBe("pending");
  change(loose.replace("db.read: auto", "db.read: deny"));
  expect((await submit("lookup")).outcome).toBe("denied");
  change(undefined);
  expect((await submit("lookup", { n: 2 })).outcome).toBe("run");
  expect(await acceptPolicy(deps, path, ana)).toMatchObject({ code: "LEEWAY_NOT_FOUND" });
});

test("another policy is tried on recorded calls, and only the differences are shown", async () => {
  const { deps, submit } = await office();
  const lookup = await submit("lookup", { id: 1 });
  await submit("refund", { amount: 1 });
  const ship = await submit("ship");
  const other = POLICY.replace("db.read: auto", "db.read: ask").replace("deploy.write: deny", "deploy.write: auto");
  const diff = await diffPolicy(deps, policyFrom(other), { limit: 100 });
  expect([diff.compared, diff.skipped]).toEqual([3, []]);
  expect(diff.changed.map(({ call, before, after }) => [call, before.outcome, after.outcome])).toEqual([
    [ship.id, "denied", "run"],
    [lookup.id, "run", "pending"],
  ]);
  expect((await diffPolicy(deps, policyFrom(POLICY), { limit: 100 })).changed).toEqual([]);
});

test("a policy compared with itself shows no differences, whatever else influenced a call", async () => {
  const few = POLICY.replace("approvals: {", "reviewers: [zoe]\napprovals: { quorum: 1,");
  const lacking = await office(few);
  expect((await lacking.submit("refund", { amount: 1 })).code).toBe("LEEWAY_NO_REVIEWER");
  const insisting = await office();
  const asked = await insisting.submit("refund", { amount: 1 });
  await insisting.deny(asked.approvalId, "ana", "no");
  expect((await insisting.submit("refund", { amount: 1 }, { callId: "again" })).code).toBe("LEEWAY_REVIEW_DENIED");
  for (const [o, text] of [
    [lacking, few],
    [insisting, POLICY],
  ] as const) {
    expect((await diffPolicy(o.deps, policyFrom(text), { limit: 100 })).changed).toEqual([]);
    const loose = await diffPolicy(o.deps, policyFrom(text.replace("tier: ask", "tier: auto")), { limit: 100 });
    expect(loose.changed.map(({ after }) => after.outcome)).toContain("run");
  }
});

test("a passphrase shorter than eight characters is refused", async () => {
  const { deps } = await office();
  const ana = { by: "ana", assurance: "tty" } as const;
  expect(await addPerson(deps, { name: "eve", passphrase: "seven77", ...ana })).toMatchObject({
    code: "LEEWAY_BAD_INPUT",
  });
  expect(await setPassphrase(deps, "ben", { passphrase: "", ...ana })).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  expect((await listPeople(deps)).map(({ name }) => name)).not.toContain("eve");
  expect((await addPerson(deps, { name: "eve", passphrase: "eight888", ...ana })).ok).toBe(true);
});
