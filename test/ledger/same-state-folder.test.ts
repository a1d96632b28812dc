import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { addPerson } from "../../src/gate/people/people.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { openDeps } from "../../src/open.ts";
import { compiled } from "../cli/program.ts";
import { newDatabase } from "../postgres/database.ts";

// Each process signs what people did, beside the database. So a process may know a checkpoint that is newer than what it has read.

const folder = mkdtempSync(join(tmpdir(), "leeway-same-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PROCESSES = ["a", "b", "c"];
const CALLERS = 4;

test.each([
  { engine: "SQLite", calls: 25, database: async () => join(folder, "leeway.db") },
  { engine: "PostgreSQL", calls: 10, database: newDatabase },
])(
  "processes with one state folder that work at the same time on $engine call nothing damaged",
  async ({ engine, calls, database }) => {
    const db = await database();
    const env = { HOME: folder, XDG_STATE_HOME: join(folder, engine), PATH: process.env["PATH"] ?? "" };
    const before = await openDeps({ db, env, policy: { tier: "auto" } });
    await addPerson(before, { name: "ana", admin: true, by: "ana", assurance: "tty" });
    await before.close();
    const ended = await Promise.all(PROCESSES.map((name) => pays(name, { db, env, calls, callers: CALLERS })));
    expect(ended).toEqual(PROCESSES.map(() => ({ paid: calls * CALLERS, refusals: [] })));
    const deps = await openDeps({ db, env, policy: { tier: "auto" } });
    expect(await verifyLedger(deps)).toMatchObject({ ok: true });
    await deps.close();
  },
  120_000,
);

async function pays(name: string, given: object): Promise<unknown> {
  const worker = join(dirname(fileURLToPath(import.meta.url)), "payer.mjs");
  const child = spawn(process.execPath, [worker, compiled(), name], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(given));
  return JSON.parse(await text(child.stdout));
}
