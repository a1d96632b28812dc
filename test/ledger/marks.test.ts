import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import type { Sealed } from "../../src/core/secret.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim } from "../../src/gate/calls/claim.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { hashPassphrase } from "../../src/gate/people/passphrase.ts";
import { addPerson, checkPassphrase, removePerson } from "../../src/gate/people/people.ts";
import { endSignIn, signInOf, startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken, revokeToken, tokenOf } from "../../src/gate/people/tokens.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { addGrant } from "../../src/gate/standing/grants.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import { lookAtLedger } from "../../src/gate/time/clock.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { systemClock, systemMint } from "../../src/system.ts";
import { testClock, testDeps } from "../../src/testing.ts";
import { attacked, ok } from "./attacked.ts";

// What the gate does after somebody wrote to the database without the key.

const at = attacked();
const { withDeps, edit, rowsOf, setUp, ask, expectTampered } = at;

const GRANT = {
  subject: { agent: "coder" },
  covers: { class: "shell.run", targets: [], level: "execute" },
  tier: "auto",
  because: "x",
};

test("a grant that somebody added by hand covers nothing, and everything is denied", async () => {
  await setUp();
  const row = {
    id: "grt_1",
    workspace: "default",
    ...GRANT,
    grantedBy: { person: "ana" },
    createdMs: 1,
    state: "live",
  };
  edit(
    `insert into grants (space, id, version, state, agent, sort_ms, row) values (1, 'grt_1', 1, 'live', 'coder', 1, '${JSON.stringify(row)}');
     update chains set epoch = epoch + 1`,
  );
  await expectTampered();
});

test.each([
  ["lifted", "update pauses set state = 'lifted', row = json_set(row, '$.state', 'lifted', '$.atMs', 1)"],
  ["deleted", "delete from pauses"],
])("a pause that somebody %s still stops everything", async (_, sql) => {
  await setUp();
  await withDeps(async (deps) => {
    ok(await setPause(deps, { scope: { of: "everything" }, because: "stop", by: "ana" }));
  });
  edit(sql);
  await expectTampered();
});

test("a person who edited their row to become an admin does not become one, and everything is denied", async () => {
  await setUp();
  edit("update people set row = json_set(row, '$.admin', json('true')) where id = 'ben'");
  await expectTampered();
});

test("a passphrase hash that is not sealed is not accepted, even if the old row is restored afterwards", async () => {
  await setUp();
  const [ana] = rowsOf("people");
  const planted = await hashPassphrase("of my own");
  edit(`update people set row = json_set(row, '$.passphrase', '${planted}') where id = 'ana'`);
  await withDeps(async (deps) => {
    const checked = checkPassphrase(deps, "ana", "of my own", { to: "approve" });
    expect(await checked.catch((error) => error.refused)).toMatchObject({ ok: false });
  });
  await expectTampered();
  edit(`update people set row = '${ana?.row}' where id = 'ana'`);
  await withDeps(async (deps) => {
    expect((await ask(deps, "read_file")).outcome).toBe("run");
    expect(await verifyLedger(deps)).toMatchObject({ ok: true });
  });
});

test("old rows, restored with their epoch and mark, are detected as older than what was signed", async () => {
  await setUp();
  const token = await withDeps(async (deps) =>
    ok(await addToken(deps, { agent: "coder" }, { by: "ana", assurance: "tty" })),
  );
  const db = () => openDatabase(join(at.home, "state", "leeway", "leeway.db"));
  const before = db();
  const [chain] = before.prepare("select epoch, mark from chains").all();
  const [row] = before.prepare("select row, state from tokens").all();
  before.close();
  await withDeps(async (deps) => {
    ok(await revokeToken(deps, token.token.id, { by: "ana" }));
    expect(await tokenOf(deps, token.text)).toBeUndefined();
  });
  const back = db();
  back.prepare("update chains set epoch = ?, mark = ?").run(chain?.["epoch"] ?? 0, chain?.["mark"] ?? "");
  back.prepare("update tokens set row = ?, state = ?").run(row?.["row"] ?? "", row?.["state"] ?? "");
  back.close();
  await withDeps(async (deps) => {
    await expect(tokenOf(deps, token.text)).rejects.toMatchObject({ refused: { code: "LEEWAY_WENT_BACK" } });
    expect(await ask(deps, "read_file")).toMatchObject({ outcome: "denied", code: "LEEWAY_WENT_BACK" });
    expect(await verifyLedger(deps)).toMatchObject({ ok: false });
  });
});

test("all changes by the gate itself, in any number of processes, have a correct mark", async () => {
  await setUp();
  await withDeps((here) =>
    withDeps(async (there) => {
      for (let i = 0; i < 5; i++) {
        const deps = i % 2 === 0 ? here : there;
        ok(await addPerson(deps, { name: `p${i}`, by: "ana", assurance: "tty" }));
        ok(
          await addGrant(deps, {
            subject: { agent: "coder" },
            covers: { class: "fs.write", targets: [], level: "write" },
            because: "x",
            by: "ana",
            assurance: "tty",
          }),
        );
      }
      await Promise.all([here, there, here, there].map((deps) => ask(deps, "read_file")));
      ok(await removePerson(there, "p1", { by: "ana", assurance: "tty" }));
      expect((await ask(here, "read_file")).outcome).toBe("run");
      expect(await verifyLedger(here)).toMatchObject({ ok: true });
    }),
  );
});

test("a database of an older version is marked once when it is opened, and its passphrases are sealed", async () => {
  await withDeps(async () => undefined);
  const store = sqliteStore(join(at.home, "state", "leeway", "leeway.db"));
  // From before passphrases were sealed and the standing was marked.
  const sealer = { seal: (text: string) => text as Sealed, open: (text: string) => text, mark: () => "" };
  const deps = testDeps({ store, sealer, clock: systemClock, mint: systemMint() });
  ok(await addPerson(deps, { name: "ana", passphrase: "correct horse", by: "ana", assurance: "tty" }));
  await store.close();
  expect(rowsOf("people")[0]?.row).toContain('"passphrase":"scrypt:');
  await withDeps(async (opened) => {
    expect((await ask(opened, "read_file")).outcome).toBe("run");
    expect(await verifyLedger(opened)).toMatchObject({ ok: true });
    expect(await checkPassphrase(opened, "ana", "correct horse", { to: "approve" })).toMatchObject({ ok: true });
  });
  expect(rowsOf("people")[0]?.row).toContain('"passphrase":"sealed:');
  edit("update chains set mark = null");
  await expectTampered();
});

test("a database of an older version whose rows do not match its ledger is not marked", async () => {
  await setUp();
  rmSync(join(at.home, "state", "leeway", "checkpoints"), { recursive: true });
  edit(
    "update chains set mark = null; update people set row = json_set(row, '$.admin', json('true')) where id = 'ben'",
  );
  await expectTampered();
});

const REFUND = { tool: "delete_file", args: { path: "a.ts" } };

/** A question about one call, and its call. */
async function asked(deps: Deps) {
  const call = { workspace: "default", agent: "coder", ...REFUND, callId: "c1", traceId: "trace_1", cwd: at.home };
  return submit(deps, { ...call, chain: [], claims: {} }, DEFAULT_CALLER);
}

test("a used execution that is restored by hand cannot be used again", async () => {
  await setUp();
  const { executionId } = await withDeps(async (deps) => {
    const { approvalId = "", digest } = await asked(deps);
    const answer = { verdict: "approve" as const, digest, note: "", assurance: "tty" as const, bulk: false };
    const done = ok(await review(deps, approvalId, { by: "ana", ...answer }));
    if (done.state !== "approved") throw new Error(done.state);
    return done;
  });
  const [ready] = rowsOf("executions").filter(({ id }) => id === executionId);
  await withDeps(async (deps) => expect(await claim(deps, executionId, "caller")).toMatchObject({ ok: true }));
  const db = openDatabase(join(at.home, "state", "leeway", "leeway.db"));
  db.prepare("update executions set row = ?, state = 'ready', collect = 'permit' where id = ?").run(
    ready?.row ?? "",
    executionId,
  );
  db.close();
  await withDeps(async (deps) => {
    expect(await claim(deps, executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_TAMPERED" });
    expect(await asked(deps)).toMatchObject({ outcome: "denied", code: "LEEWAY_TAMPERED" });
  });
});

test("a review that somebody writes into an open question does not count towards the quorum", async () => {
  await setUp();
  const { approvalId = "", digest } = await withDeps((deps) => asked(deps));
  const planted = { by: "ana", verdict: "approve", digest, note: "", assurance: "tty", bulk: false, atMs: 1 };
  edit(`update approvals set row = json_set(row, '$.reviews', json('[${JSON.stringify(planted)}]'))`);
  await withDeps(async (deps) => {
    const answer = { verdict: "approve" as const, digest, note: "", assurance: "tty" as const, bulk: false };
    expect(await review(deps, approvalId, { by: "ana", ...answer })).toMatchObject({ code: "LEEWAY_TAMPERED" });
  });
});

test.each([
  [
    "that was ended",
    "update signins set state = 'live', row = json_remove(json_set(row, '$.state', 'live'), '$.atMs')",
  ],
  ["that claims to be fresh", "update signins set row = json_set(row, '$.provedMs', 9e15, '$.state', 'live')"],
  ["that claims to last longer", "update signins set row = json_set(row, '$.untilMs', 9e15, '$.state', 'live')"],
])("a sign-in %s is not valid merely because somebody wrote it into the database", async (what, sql) => {
  await setUp();
  const text = await withDeps(async (deps) => {
    const { signIn, text } = ok(await startSignIn(deps, "ana", { assurance: "password", browser: "" }));
    expect(await signInOf(deps, text)).toMatchObject({ id: signIn.id });
    if (what === "that was ended") ok(await endSignIn(deps, signIn.id, { by: "ana" }));
    return text;
  });
  edit(sql);
  expect(await withDeps((deps) => signInOf(deps, text))).toBeUndefined();
});

test("an expired permit, link or sign-in is not valid again after the clock was set back by 26 hours", async () => {
  const clock = testClock(Date.UTC(2026, 10, 1));
  const opening = () => {
    const policy = { tiers: { "fs.read": "auto" as const }, approvals: { assurance: "any" as const, permit: "1h" } };
    return openDeps({ env: { HOME: at.home, XDG_STATE_HOME: join(at.home, "state") }, cwd: at.home, policy, clock });
  };
  const first = await opening();
  ok(await addPerson(first, { name: "ana", by: "ana", assurance: "tty" }));
  ok(await addPerson(first, { name: "ben", by: "ana", assurance: "tty" }));
  const { approvalId = "", digest } = await asked(first);
  const answer = { verdict: "approve" as const, digest, note: "", assurance: "tty" as const, bulk: false };
  const done = ok(await review(first, approvalId, { by: "ana", ...answer }));
  const link = ok(await addToken(first, { agent: "coder" }, { by: "ana", assurance: "tty", forMs: 3_600_000 }));
  const browser = ok(await startSignIn(first, "ana", { assurance: "password", browser: "" }));
  await first.close();
  clock.advance(25 * 3_600_000);
  // A read only: nothing is recorded.
  const looking = await opening();
  await lookAtLedger(looking);
  await looking.close();
  clock.advance(-26 * 3_600_000);
  const later = await opening();
  // The first thing that this process does: the time was not read before.
  expect(await signInOf(later, browser.text)).toBeUndefined();
  const id = done.state === "approved" ? done.executionId : "";
  expect(await claim(later, id, "caller")).toMatchObject({ ok: false, code: "LEEWAY_EXPIRED" });
  expect(await tokenOf(later, link.text)).toBeUndefined();
  await later.close();
});

test("secrets in reasons and claims are masked before they are stored, and a name that looks like a secret is refused", async () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await setUp();
  await withDeps(async (deps) => {
    ok(await setPause(deps, { scope: { of: "agent", name: "other" }, because: `it used ${secret}`, by: "ana" }));
    const call = { workspace: "default", agent: "coder", tool: "read_file", args: { path: "a.ts" }, callId: "named" };
    const more = { traceId: "trace_1", cwd: at.home, chain: [], claims: { ticket: secret } };
    expect((await submit(deps, { ...call, ...more }, DEFAULT_CALLER)).outcome).toBe("run");
    const names = ["agent", "tool", "session", "run", "callId", "traceId", "replayOf", "requestedBy"];
    const others = { chain: [secret], cwd: `/tmp/${secret}`, args: { path: `/tmp/${secret}/a.ts` } };
    for (const [name, value] of [...names.map((one) => [one, secret] as const), ...Object.entries(others)]) {
      const named = await submit(deps, { ...call, ...more, callId: name, [name]: value }, DEFAULT_CALLER);
      expect([name, named.outcome, named.code]).toEqual([name, "denied", "LEEWAY_BAD_CALL"]);
    }
  });
  const kept = ["pauses", "calls", "executions", "agents"].flatMap((table) => rowsOf(table).map(({ row }) => row));
  expect(kept.filter((row) => row.includes(secret))).toEqual([]);
  const db = openDatabase(join(at.home, "state", "leeway", "leeway.db"));
  expect(db.prepare("select count(*) as count from entries where instr(body, ?) > 0").get(secret)?.["count"]).toBe(0);
  db.close();
});
