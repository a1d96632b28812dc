import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { cookieOf } from "./cast.ts";
import { type Served, served } from "./served.ts";

// Only the gate writes rows. One that cannot be read was damaged, or somebody changed it: this is said, with which row it is.

let on: Served;
let token: string;
let cookie: string;
beforeAll(async () => {
  on = await served();
  token = await on.token({ agent: "coder" });
  cookie = await cookieOf(on, "ana");
});
afterAll(() => on.remove());

async function damage(sql: string, ...values: readonly string[]): Promise<void> {
  const db = openDatabase(join(on.state, "leeway.db"));
  db.prepare(sql).run(...values);
  db.close();
}

test("a row that cannot be read is reported as tampered with, with its name and what to do, and never as an internal error", async () => {
  const body = { tool: "shell", args: { command: "git push" }, cwd: on.project };
  const asked = async (callId: string) =>
    (await on.ask("POST", "/v1/calls", { token, body: { ...body, callId } })).body;
  const [one, two] = [await asked("one"), await asked("two")];
  const broken = ["null", "7", "[]"];
  for (const text of broken) {
    await damage("update approvals set row = ? where id = ?", text, one.approvalId);
    const told = await on.ask("GET", `/v1/approvals/${one.approvalId}`, { cookie });
    expect([text, told.status, told.body.error?.code]).toEqual([text, 503, "LEEWAY_TAMPERED"]);
    expect(told.body.error.message).toContain(`this row of the database cannot be read: row ${one.approvalId} (`);
    expect(told.body.error.hint).toContain("leeway verify");
  }
  await damage("update entries set subject = '{' where call = ?", two.id);
  const call = await on.ask("GET", `/v1/calls/${two.id}`, { token });
  expect([call.status, call.body.error?.code]).toEqual([503, "LEEWAY_TAMPERED"]);
  await damage("update people set row = '{\"name\":\"ben\",' where id = 'ben'");
  await damage("update chains set epoch = epoch + 1");
  const ended = await on.ask("POST", "/v1/calls", { token, body: { ...body, callId: "three" } });
  expect([ended.status, ended.body.code ?? ended.body.error?.code]).toEqual([503, "LEEWAY_TAMPERED"]);
  expect(ended.text).toContain("people ben");
  expect(on.logged.filter(({ status }) => status === 500)).toEqual([]);
});
