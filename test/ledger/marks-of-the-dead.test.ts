import { join } from "node:path";
import { expect, test } from "vitest";
import { loadKey } from "../../src/config/key-file.ts";
import { rowHashOf } from "../../src/core/rows/row-hash.ts";
import { addPerson, removePerson } from "../../src/gate/people/people.ts";
import { addToken, liveTokensOf, revokeToken, tokenOf } from "../../src/gate/people/tokens.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { ledgerId } from "../../src/gate/record/sealing.ts";
import { demote, promote } from "../../src/gate/standing/agents.ts";
import { addDeclaration, forgetDeclaration } from "../../src/gate/standing/declarations.ts";
import { addGrant, listGrants, revokeGrant } from "../../src/gate/standing/grants.ts";
import { liftPause, setPause } from "../../src/gate/standing/pause.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { aesSealer } from "../../src/system.ts";
import { STANDING_OF_VERSION_9 } from "../fixtures/databases.ts";
import { attacked, ok } from "./attacked.ts";

// The mark covers the rows in force. Here somebody writes the database without the key, and makes ended rows look as if
// they were in force, or rows in force look as if they had ended.

const at = attacked();
const { withDeps, edit, rowsOf, setUp, ask, expectTampered } = at;

const TAMPERED = { code: "LEEWAY_TAMPERED" };
const ANA = { by: "ana", assurance: "tty" } as const;
const GRANT = {
  subject: { agent: "coder" },
  covers: { class: "process.exec" as const, targets: [], level: "execute" as const },
  because: "x",
  ...ANA,
};

const outcome = (done: Promise<unknown>): Promise<unknown> => done.catch((error) => error.refused ?? error);

/** One ended row of each table, and its content before it ended. */
async function setUpDead(): Promise<{ [table: string]: string }> {
  await setUp();
  return withDeps(async (deps) => {
    const grant = ok(await addGrant(deps, GRANT));
    const pause = ok(await setPause(deps, { scope: { of: "agent", name: "other" }, because: "x", by: "ana" }));
    const about = { of: "tool", tool: "wire" } as const;
    const declared = ok(await addDeclaration(deps, { about, class: "none", because: "x", ...ANA }));
    ok(await promote(deps, { agent: "coder", tier: "auto", because: "x", ...ANA }));
    const before = Object.fromEntries(
      ["grants", "pauses", "declarations", "promotions"].map((table) => [table, rowsOf(table)[0]?.row ?? ""]),
    );
    ok(await revokeGrant(deps, grant.id, { by: "ana" }));
    ok(await liftPause(deps, pause.id, ANA));
    ok(await forgetDeclaration(deps, declared.id, { by: "ana" }));
    ok(await demote(deps, { agent: "coder", tier: "notify", because: "x", by: "ana" }));
    return before;
  });
}

const STATES = { grants: "live", pauses: "set", declarations: "live", promotions: "promote" } as const;

test.each(Object.entries(STATES))(
  "an ended row of %s is not in force again after somebody restored its old content",
  async (table, state) => {
    const before = await setUpDead();
    await withDeps(async (deps) => expect((await ask(deps, "read_file")).outcome).toBe("run"));
    const first = `where place = (select min(place) from ${table})`;
    edit(`update ${table} set version = version + 1, state = ?, row = ? ${first}`, state, before[table] ?? "");
    await expectTampered();
  },
);

test.each(Object.entries(STATES))(
  "an ended row of %s is not in force even if its state column was changed",
  async (table, state) => {
    await setUpDead();
    edit(`update ${table} set state = ? where place = (select min(place) from ${table})`, state);
    await expectTampered();
  },
);

test("a pause in force does not end by a change of its state column", async () => {
  await setUp();
  await withDeps(async (deps) => {
    ok(await setPause(deps, { scope: { of: "everything" }, because: "stop", by: "ana" }));
  });
  edit("update pauses set state = 'lifted'");
  await expectTampered();
});

test("a changed ended row has no effect on decisions, and verify names it", async () => {
  await setUpDead();
  edit("update grants set row = json_set(row, '$.because', 'another reason')");
  await withDeps(async (deps) => {
    expect((await ask(deps, "read_file")).outcome).toBe("run");
    expect(await verifyLedger(deps)).toMatchObject({ ok: false, rows: [{ table: "grants" }] });
  });
});

test("a grant that somebody added by hand is not shown to anybody", async () => {
  await setUpDead();
  await withDeps(async (deps) => {
    expect((await listGrants(deps)).map(({ grant }) => grant.state)).toEqual(["revoked"]);
    edit(
      `insert into grants (space, id, version, state, sort_ms, row)
         select space, 'grt_planted', 1, 'revoked', sort_ms, json_remove(json_set(row, '$.id', 'grt_planted', '$.state', 'live'), '$.atMs') from grants`,
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await listGrants(deps)).map(({ grant }) => grant.state)).toEqual(["revoked"]);
  });
});

/** Two tokens of one agent, one of them revoked later, with the rows and the bucket from before that. */
async function setUpTokens() {
  await setUp();
  return withDeps(async (deps) => {
    const [one, two] = [
      ok(await addToken(deps, { agent: "coder" }, ANA)),
      ok(await addToken(deps, { agent: "coder" }, ANA)),
    ];
    const [before] = rowsOf("tokens");
    const [bucket] = rowsOf("buckets").filter(({ id }) => id.startsWith("tokens/"));
    ok(await revokeToken(deps, one.token.id, { by: "ana" }));
    expect(await tokenOf(deps, one.text)).toBeUndefined();
    expect(await tokenOf(deps, two.text)).toMatchObject({ id: two.token.id });
    return { one, two, before: before?.row ?? "", bucket: bucket?.row ?? "" };
  });
}

const REVIVE = "update tokens set version = version + 1, state = 'live', collect = 'tokens/er', row = ? where id = ?";

test("a revoked token does not work again after somebody restored its old row, and verify names it", async () => {
  const { one, two, before } = await setUpTokens();
  edit(REVIVE, before, one.token.id);
  await withDeps(async (deps) => {
    expect(await outcome(tokenOf(deps, one.text))).toMatchObject(TAMPERED);
    // Nobody can say which rows of the bucket the gate wrote.
    expect(await outcome(tokenOf(deps, two.text))).toMatchObject(TAMPERED);
    expect(await verifyLedger(deps)).toMatchObject({ ok: false, rows: [{ table: "tokens", id: one.token.id }] });
  });
});

test("a revoked token does not work again with a missing bucket or with the bucket of somebody else", async () => {
  const { one, before } = await setUpTokens();
  for (const collect of ["null", "'tokens/na'"]) {
    edit(REVIVE.replace("'tokens/er'", collect), before, one.token.id);
    await withDeps(async (deps) => expect(await outcome(tokenOf(deps, one.text))).toMatchObject(TAMPERED));
  }
});

test("an old token together with its old bucket does not match the mark, and everything is denied", async () => {
  const { one, before, bucket } = await setUpTokens();
  edit(REVIVE, before, one.token.id);
  edit("update buckets set version = version + 1, row = ? where id like 'tokens/%'", bucket);
  await expectTampered();
});

test("a token that somebody hid ends when its person is removed", async () => {
  await setUp();
  await withDeps(async (deps) => {
    ok(await addPerson(deps, { name: "eve", ...ANA }));
    const hidden = ok(await addToken(deps, { person: "eve", can: "approve" }, ANA));
    expect(await liveTokensOf(deps, { person: "eve" })).toHaveLength(1);
    edit("update tokens set state = 'revoked', collect = null where id = ?", hidden.token.id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await outcome(removePerson(deps, "eve", ANA))).toMatchObject(TAMPERED);
  });
});

test("a policy text that somebody deleted is not recorded again as new", async () => {
  await setUp();
  edit("delete from policies");
  await withDeps(async (deps) => {
    expect(await ask(deps, "read_file")).toMatchObject({ outcome: "denied", ...TAMPERED });
    expect(await verifyLedger(deps)).toMatchObject({ ok: false });
  });
});

const TABLES_OF_BEFORE = ["grants", "people", "pauses", "promotions", "declarations", "policies", "tokens"] as const;

/** As version 9 left a database: no buckets, and a mark over every row that ever existed. */
async function databaseOfBefore(): Promise<void> {
  const ledger = await withDeps((deps) => ledgerId(deps));
  edit(`${STANDING_OF_VERSION_9} pragma user_version = 9`);
  const lines = TABLES_OF_BEFORE.flatMap((table) =>
    rowsOf(table).map(({ id, row }) => `${JSON.stringify(`${table}\n${id}`)} ${rowHashOf(table, JSON.parse(row))}`),
  );
  const db = openDatabase(join(at.home, "state", "leeway", "leeway.db"));
  const epoch = Number(db.prepare("select epoch from chains").get()?.["epoch"]);
  const text = [`standing "default" ${ledger} ${epoch}`, ...lines.sort()].join("\n");
  const mark = aesSealer(loadKey(join(at.home, "state", "leeway", "leeway.key"))).mark(text);
  db.prepare("update chains set mark = ?").run(mark);
  db.close();
}

test("a database with a mark of an older version gets a new mark: rows in force stay in force, and ended rows stay ended", async () => {
  const { one, two } = await setUpTokens();
  await withDeps(async (deps) => ok(await revokeGrant(deps, ok(await addGrant(deps, GRANT)).id, { by: "ana" })));
  await databaseOfBefore();
  await withDeps(async (deps) => {
    expect((await ask(deps, "read_file")).outcome).toBe("run");
    expect(await tokenOf(deps, one.text)).toBeUndefined();
    expect(await tokenOf(deps, two.text)).toMatchObject({ id: two.token.id });
    expect(await verifyLedger(deps)).toMatchObject({ ok: true });
    ok(await addGrant(deps, GRANT));
  });
  await withDeps(async (deps) => expect((await ask(deps, "read_file")).outcome).toBe("run"));
});

test("two processes that open a database with an old mark at the same time can both use it", async () => {
  await setUpTokens();
  await databaseOfBefore();
  await withDeps((here) =>
    withDeps(async (there) => {
      const asked = await Promise.all([here, there].map((deps) => ask(deps, "read_file")));
      expect(asked.map(({ outcome }) => outcome)).toEqual(["run", "run"]);
    }),
  );
});

test.each([
  ["somebody made a revoked token live again", REVIVE.replace(", collect = 'tokens/er'", "")],
  ["somebody changed an ended row", "update people set row = json_set(row, '$.admin', json('true')) where ? <> ?"],
])("a database with an old mark gets no new mark if %s", async (_, sql) => {
  const { one, before } = await setUpTokens();
  await databaseOfBefore();
  edit(sql, before, one.token.id);
  await expectTampered();
});

test.each([
  ["edits", "update tracks set row = json_set(row, '$.calls', 1000)"],
  ["deletes", "delete from tracks"],
  [
    "plants",
    "insert into tracks (space, agent, class, tool, row) select space, 'eve', class, tool, json_set(row, '$.agent', 'eve') from tracks",
  ],
])("a track record that somebody %s has no effect on decisions, and verify names it", async (_, sql) => {
  await setUp();
  await withDeps(async (deps) => expect(await verifyLedger(deps)).toMatchObject({ ok: true }));
  edit(sql);
  await withDeps(async (deps) => {
    expect((await ask(deps, "read_file")).outcome).toBe("run");
    expect(await verifyLedger(deps)).toMatchObject({ ok: false, rows: [{ table: "tracks" }] });
  });
});
