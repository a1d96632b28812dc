import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openGate } from "../../src/index.ts";
import { type Served, served } from "./served.ts";

let on: Served;
beforeEach(async () => {
  on = await served();
});
afterEach(() => on.remove());

test("a server whose database is gone tells everybody that nothing runs, and why, until a person recovers it", async () => {
  const token = await on.token({ agent: "coder" });
  const cookie = await on.signIn("ana");
  const after = await on.again({
    between: async () => {
      for (const side of ["", "-wal", "-shm"]) rmSync(join(on.state, `leeway.db${side}`), { force: true });
    },
  });
  on = after;
  const call = { tool: "read_file", args: { path: "a.ts" }, callId: "c1" };
  const refused = await on.ask("POST", "/v1/calls", { token, body: call });
  expect([refused.status, refused.body]).toMatchObject([503, { error: { code: "LEEWAY_WENT_BACK" } }]);
  const ready = await on.ask("GET", "/readyz");
  expect(ready.status).toBe(503);
  const page = await on.ask("GET", "/", { cookie, headers: { accept: "text/html" } });
  expect(page.status).toBe(503);
  expect(page.text).toContain("entries were signed");
  expect(page.text).toContain("leeway recover");
});

test("a program whose database is gone is refused in the same way", async () => {
  const env = { XDG_STATE_HOME: join(on.state, ".."), HOME: on.project };
  await on.close();
  for (const side of ["", "-wal", "-shm"]) rmSync(join(on.state, `leeway.db${side}`), { force: true });
  const gate = await openGate({ env, cwd: on.project, policy: { tiers: { "fs.read": "auto" } } });
  const receipt = await gate.submit({ agent: "coder", tool: "read_file", args: { path: "a.ts" } });
  expect(receipt).toMatchObject({ outcome: "denied", code: "LEEWAY_WENT_BACK" });
  let ran = false;
  const read = gate.guard("read_file", (_: { path: string }) => {
    ran = true;
  });
  await expect(read({ path: "a.ts" })).rejects.toMatchObject({ code: "LEEWAY_WENT_BACK" });
  expect(ran).toBe(false);
  await gate.close();
});
