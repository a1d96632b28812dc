import { readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { submit } from "../../src/gate/calls/submit.ts";
import { openDeps } from "../../src/open.ts";
import { serverAt } from "../../src/store/postgres/server/server.ts";
import { asAna, PASSPHRASE } from "../cli/person.ts";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { newDatabase } from "./database.ts";

let on: Machine;
let url: string;
const forwarders: Server[] = [];
beforeEach(async () => {
  on = machine();
  url = await newDatabase();
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const person = ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, person, { env: { LEEWAY_DB: url } })).code).toBe(0);
});
afterEach(() => {
  for (const one of forwarders.splice(0)) one.close();
  on.remove();
});

/** Another port that leads to the same PostgreSQL. */
async function otherPort(): Promise<string> {
  const { port } = new URL(url);
  const forwarder = createServer((socket) => {
    const there = connect(Number(port), "127.0.0.1");
    for (const one of [socket, there]) one.on("error", () => undefined);
    socket.pipe(there).pipe(socket);
  });
  forwarders.push(forwarder);
  await new Promise<void>((resolve) => forwarder.listen(0, "127.0.0.1", resolve));
  return url.replace(`:${port}/`, `:${(forwarder.address() as AddressInfo).port}/`);
}

/** The folders with checkpoints of databases elsewhere than in the state folder. */
const kept = () => readdirSync(join(on.home, "state", "leeway", "checkpoints")).filter((name) => name.startsWith("@"));

test("a database is the same one under another name of its host and at another port, and its checkpoints go on", async () => {
  const spellings = [url.replace("127.0.0.1", "localhost"), await otherPort(), url];
  for (const [i, LEEWAY_DB] of spellings.entries()) {
    const env = { LEEWAY_DB };
    expect(await leeway(on, ["tokens", "add", "--agent", `agent-${i}`], { env })).toMatchObject({ code: 0 });
    const verified = await leeway(on, ["verify"], { env });
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
  }
  expect(kept()).toHaveLength(1);
}, 120_000);

test("a copy of the database on the same server is found: nothing runs with it, and its entries are not called broken", async () => {
  const { pathname } = new URL(url);
  const name = pathname.slice(1);
  const server = serverAt(url.replace(pathname, "/postgres"));
  await server.use((session) => session.exec(`create database ${name}_copy template ${name}`));
  await server.close();
  const env = { LEEWAY_DB: `${url}_copy` };
  const refused = await leeway(on, ["tokens", "add", "--agent", "coder"], { env });
  expect([refused.code === 0, refused.stderr]).toEqual([
    false,
    expect.stringContaining("this is a copy of a database that was signed in another place"),
  ]);
  const verified = await leeway(on, ["verify"], { env });
  expect([verified.code, verified.stdout]).toEqual([1, ""]);
  expect(verified.stderr).toMatch(
    /^leeway: all \d+ entries are whole, but nothing runs, because this is a copy of a database that was signed in another place\n/,
  );
  expect(verified.stderr).not.toContain("do not trust");
}, 120_000);

test("what a running process found missing stays refused after its end, until a person recovers", async () => {
  const env = { LEEWAY_DB: url };
  const deps = await openDeps({
    env: { ...on.env, ...env },
    cwd: on.project,
    policy: { tiers: { "fs.read": "auto" } },
  });
  const call = (callId: string) =>
    submit(deps, {
      ...{ workspace: "default", agent: "coder", tool: "read_file", args: { path: "a" }, callId },
      ...{ traceId: "trace_1", chain: [], claims: {} },
    });
  expect((await call("c1")).outcome).toBe("run");
  const server = serverAt(url);
  // A dump from before the call is restored: the entry was not signed yet.
  await server.use((session) =>
    session.exec(
      `delete from entries where place % ${2 ** 40} = (select entry from chains); delete from calls; ` +
        "update chains set entry = entry - 1, stamp = stamp + 1, hash = (select hash from entries order by place desc limit 1)",
    ),
  );
  await server.close();
  const lost = /a process of this machine had appended entry \d+, and the database no longer has it/;
  expect(await call("c2")).toMatchObject({
    outcome: "denied",
    code: "LEEWAY_WENT_BACK",
    reason: expect.stringMatching(lost),
  });
  await deps.close();
  for (const args of [["tokens", "add", "--agent", "coder"], ["verify"]]) {
    const refused = await leeway(on, args, { env });
    expect([args, refused.code === 0, refused.stderr]).toEqual([args, false, expect.stringMatching(lost)]);
  }
  Object.assign(on.env, env);
  expect((await asAna(on, ["recover", "--because", "a dump was restored"])).code).toBe(0);
  expect((await leeway(on, ["tokens", "add", "--agent", "coder"], { env })).code).toBe(0);
}, 120_000);
