import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { canonical } from "../../src/core/values/canonical.ts";
import { edit as editCall } from "../../src/gate/approvals/edit.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim } from "../../src/gate/calls/claim.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { addPerson, checkPassphrase, setPassphrase } from "../../src/gate/people/people.ts";
import { endSignIn, signInOf, startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken, noteUse, tokenOf } from "../../src/gate/people/tokens.ts";
import { listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { attacked, ok } from "./attacked.ts";

// Rows that somebody without the key adds, edits or restores with SQL, also while a gate has the database open.

const at = attacked();
const { withDeps, edit, rowsOf, setUp, ask, expectTampered } = at;

const TAMPERED = { code: "LEEWAY_TAMPERED" };
const CHANGED = "version = version + 1";

/** The result of a promise, including a refusal by the store. */
const outcome = (done: Promise<unknown>): Promise<unknown> => done.catch((error) => error.refused ?? error);

/** The reads of one turn share a snapshot: the gate sees new data when the turn is over. */
const seen = () => sleep(5);

const PLANTS: readonly [what: string, sql: string][] = [
  [
    "a second row under the name of a person, which would be found first",
    `insert into people (place, space, id, version, state, sort_ms, row)
       select -1, space, 'zzz', 1, state, sort_ms, json_set(row, '$.admin', json('true')) from people where id = 'ben'`,
  ],
  [
    "a person",
    `insert into people (space, id, version, state, sort_ms, row)
       select space, 'eve', 1, state, sort_ms, json_set(row, '$.name', 'eve') from people where id = 'ana'`,
  ],
  [
    "a declaration",
    `insert into declarations (space, id, version, state, sort_ms, row) values (1, 'dec_1', 1, 'live', 1,
       '{"id":"dec_1","workspace":"default","about":{"of":"tool","tool":"wire"},"class":"none","because":"","declaredBy":"ana","createdMs":1,"state":"live"}')`,
  ],
  [
    "a promotion",
    `insert into promotions (space, id, version, state, agent, sort_ms, row) values (1, 'pro_1', 1, 'promote', 'coder', 1,
       '{"id":"pro_1","workspace":"default","kind":"promote","agent":"coder","tier":"auto","because":"","by":"ana","atMs":1}')`,
  ],
  [
    "an accepted policy",
    `insert into policies (space, id, version, state, sort_ms, row) values (1, '/leeway.yaml', 1, 'accepted', 1,
       '{"id":"/leeway.yaml","workspace":"default","state":"accepted","version":"sha256:0","path":"/leeway.yaml","text":"version: 1\\ntier: auto\\n","atMs":1}')`,
  ],
  ["another text of a policy", "update policies set row = json_set(row, '$.text', 'version: 1')"],
  ["a removal of a person", "delete from people where id = 'ben'"],
  ["another epoch", "update chains set epoch = epoch + 1"],
];

test.each(PLANTS)("after somebody wrote %s into the database, everything is denied", async (_, sql) => {
  await setUp();
  edit(sql);
  await expectTampered();
});

test("rows of another database with the same key are refused", async () => {
  await setUp();
  const env = { HOME: at.home, XDG_STATE_HOME: join(at.home, "state") };
  const other = await openDeps({ env, cwd: at.home, workspace: "other" });
  ok(await addPerson(other, { name: "ben", by: "ana", assurance: "tty" }));
  await other.close();
  edit(
    "update people set row = json_set(row, '$.workspace', 'default') where space = 2; delete from people where space = 1; update people set space = 1",
  );
  await expectTampered();
});

test("an act based on a row that somebody edited is not marked, so nobody becomes admin indirectly", async () => {
  await setUp();
  await withDeps(async (deps) => {
    await deps.standing.current();
    edit(`update people set ${CHANGED}, row = json_set(row, '$.admin', json('true')) where id = 'ben'`);
    await seen();
    const asBen = { by: "ben", assurance: "tty", passphrase: "another one" } as const;
    expect(await outcome(setPassphrase(deps, "ben", asBen))).toMatchObject(TAMPERED);
  });
  await expectTampered();
});

test("a token whose expiry was edited does not last longer", async () => {
  await setUp();
  const text = await withDeps(async (deps) => {
    const made = ok(await addToken(deps, { agent: "coder" }, { by: "ana", assurance: "tty", forMs: 60_000 }));
    expect(await tokenOf(deps, made.text)).toMatchObject({ id: made.token.id });
    edit(`update tokens set ${CHANGED}, row = json_set(row, '$.untilMs', 9000000000000000)`);
    await seen();
    expect(await outcome(noteUse(deps, made.token))).toMatchObject(TAMPERED);
    return made.text;
  });
  await withDeps(async (deps) => {
    expect(await outcome(tokenOf(deps, text))).toMatchObject(TAMPERED);
    expect(await verifyLedger(deps)).toMatchObject({ ok: false, rows: [{ table: "tokens" }] });
  });
});

test("an old passphrase whose row somebody restored is not accepted, even if the current row is put back afterwards", async () => {
  await setUp();
  const before = rowsOf("people").find(({ id }) => id === "ana")?.row ?? "";
  await withDeps(async (deps) => {
    ok(await setPassphrase(deps, "ana", { by: "ana", assurance: "tty", passphrase: "brand new one" }));
    const now = rowsOf("people").find(({ id }) => id === "ana")?.row ?? "";
    edit(`update people set ${CHANGED}, row = ? where id = 'ana'`, before);
    await seen();
    expect(await outcome(checkPassphrase(deps, "ana", "correct horse", { to: "approve" }))).toMatchObject(TAMPERED);
    edit(`update people set ${CHANGED}, row = ? where id = 'ana'`, now);
    await seen();
    expect(await checkPassphrase(deps, "ana", "brand new one", { to: "approve" })).toMatchObject({ ok: true });
    expect(await verifyLedger(deps)).toMatchObject({ ok: true });
  });
});

test("an ended sign-in does not work again after its old row was restored, and verify names it", async () => {
  await setUp();
  const text = await withDeps(async (deps) => {
    const { signIn, text } = ok(await startSignIn(deps, "ana", { assurance: "password", browser: "" }));
    expect(await verifyLedger(deps)).toMatchObject({ ok: true });
    const [live] = rowsOf("signins");
    ok(await endSignIn(deps, signIn.id, { by: "ana" }));
    edit(`update signins set ${CHANGED}, state = 'live', row = ?`, live?.row ?? "");
    return text;
  });
  await withDeps(async (deps) => {
    expect(await signInOf(deps, text)).toBeUndefined();
    expect(await verifyLedger(deps)).toMatchObject({ ok: false, rows: [{ table: "signins" }] });
  });
});

function asked(deps: Deps, over: object = {}) {
  const call = { workspace: "default", agent: "coder", tool: "delete_file", args: { path: "a.ts" }, callId: "c1" };
  return submit(deps, { ...call, traceId: "trace_1", cwd: at.home, chain: [], claims: {}, ...over }, DEFAULT_CALLER);
}

const YES = { verdict: "approve", note: "", assurance: "tty", bulk: false } as const;

test("an approval that somebody wrote into the database does not count when the policy now requires two", async () => {
  await setUp();
  const id = await withDeps(async (deps) => {
    const { approvalId = "", digest } = await asked(deps);
    const done = ok(await review(deps, approvalId, { by: "ana", digest, ...YES }));
    return done.state === "approved" ? done.executionId : "";
  });
  edit(
    "update approvals set row = json_insert(row, '$.reviews[#]', json_set(json_extract(row, '$.reviews[0]'), '$.by', 'ben'))",
  );
  const two = { reviewers: ["ana", "ben"], approvals: { assurance: "any" as const, quorum: 2 } };
  await withDeps(async (deps) => {
    expect(await outcome(claim(deps, id, "caller"))).toMatchObject(TAMPERED);
    expect(await asked(deps)).toMatchObject({ outcome: "denied", ...TAMPERED });
  }, two);
});

test("a script changed after its approval does not start because somebody wrote its new hash into the call", async () => {
  await setUp();
  const script = (name: string, text: string) => writeFileSync(join(at.home, name), text);
  script("good.sh", "echo good\n");
  script("evil.sh", "echo evil\n");
  const bash = (name: string, callId: string) => ({ tool: "shell", args: { command: `bash ${name}` }, callId });
  const id = await withDeps(async (deps) => {
    const { approvalId = "", digest } = await asked(deps, bash("good.sh", "c1"));
    await asked(deps, bash("evil.sh", "c2"));
    const done = ok(await review(deps, approvalId, { by: "ana", digest, ...YES }));
    return done.state === "approved" ? done.executionId : "";
  });
  script("good.sh", "echo evil\n");
  await withDeps(async (deps) => {
    const hashOf = async (callId: string) => {
      const decided = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 10, order: "oldest" });
      const json = decided.find(({ body }) => body?.json["callId"] === callId)?.body?.json;
      return /"hash":"(hmac[^"]*)"[^}]*"use":"script"/.exec(canonical(json ?? {}))?.[1] ?? "none";
    };
    const [was, is] = [await hashOf("c1"), await hashOf("c2")];
    expect(was).not.toBe(is);
    edit("update entries set body = replace(body, ?, ?)", was, is);
    await seen();
    expect(await outcome(claim(deps, id, "caller"))).toMatchObject(TAMPERED);
    expect(await asked(deps, bash("good.sh", "c1"))).toMatchObject({ outcome: "denied", ...TAMPERED });
  });
});

test("a question whose card somebody edited cannot be approved, nor one whose requester was removed be answered by an edit", async () => {
  await setUp();
  const { approvalId = "", digest } = await withDeps((deps) => asked(deps, { requestedBy: "ben" }));
  const swap = (one: string, other: string) => edit("update entries set body = replace(body, ?, ?)", one, other);
  swap(at.home, "/elsewhere");
  await withDeps(async (deps) => {
    expect(await review(deps, approvalId, { by: "ana", digest, ...YES })).toMatchObject(TAMPERED);
  });
  swap("/elsewhere", at.home);
  edit("update approvals set row = json_remove(row, '$.requestedBy')");
  await withDeps(async (deps) => {
    const other = { by: "ben", digest, ...YES, args: { path: "b.ts" } };
    expect(await editCall(deps, approvalId, other)).toMatchObject(TAMPERED);
    expect(await ask(deps, "read_file")).toMatchObject({ outcome: "run" });
  });
});

test("a used execution is not given out again if somebody restored its row and hid the entry of its use", async () => {
  await setUp();
  const id = await withDeps(async (deps) => {
    const { approvalId = "", digest } = await asked(deps);
    const done = ok(await review(deps, approvalId, { by: "ana", digest, ...YES }));
    return done.state === "approved" ? done.executionId : "";
  });
  const ready = rowsOf("executions").find((one) => one.id === id)?.row ?? "";
  await withDeps(async (deps) => expect(await claim(deps, id, "caller")).toMatchObject({ ok: true }));
  edit(`update executions set ${CHANGED}, state = 'ready', collect = 'permit', row = ? where id = ?`, ready, id);
  edit("update entries set call = 'hidden' where kind = 'execution.claimed'");
  await withDeps(async (deps) => {
    expect(await claim(deps, id, "caller")).toMatchObject(TAMPERED);
    expect(await asked(deps)).toMatchObject({ outcome: "denied", ...TAMPERED });
    expect(await verifyLedger(deps)).toMatchObject({ ok: false });
  });
});
