import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PASSPHRASE } from "../cli/person.ts";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { endAll, type Up, up } from "../cli/servers.ts";
import { newDatabase } from "./database.ts";
import { pauseMs } from "./processes.ts";
import { asking } from "./standby.ts";

let on: Machine;
let url: string;
let token: string;
beforeEach(async () => {
  on = machine();
  url = await newDatabase();
  on.env["LEEWAY_DB"] = url;
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const person = ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, person)).code).toBe(0);
  token = (await leeway(on, ["tokens", "add", "--agent", "coder"])).stdout.trim();
  // A server signs everything when it stops.
  expect((await (await up(on)).stop()).code).toBe(0);
});
afterEach(() => {
  endAll();
  on.remove();
});

/** As after an older dump was restored: only the first two entries are there. */
const goBack = () =>
  asking(
    url,
    `delete from leeway.entries where place % ${2 ** 40} > 2;
     update leeway.chains set entry = 2, stamp = stamp + 1,
       hash = (select hash from leeway.entries order by place desc limit 1)`,
  );

const call = (server: Up, body: object) =>
  fetch(`${server.url}/v1/calls`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ args: {}, cwd: on.project, ...body }),
  });

test("a server whose database went back says so once, in words, and not with every look", async () => {
  const server = await up(on);
  await goBack();
  await expect.poll(async () => (await call(server, { tool: "read_file" })).status, { timeout: 10_000 }).toBe(503);
  await pauseMs(6_000);
  const { stderr } = await server.stop();
  const warnings = stderr.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const { warning } = JSON.parse(line) as { warning?: unknown };
    return warning === undefined ? [] : [warning];
  });
  expect(warnings).toEqual([expect.stringMatching(/^nothing runs, because .*`leeway recover`$/)]);
}, 60_000);

test("a call that waits for a person is refused as soon as the server knows that its database went back", async () => {
  const server = await up(on);
  const startedMs = performance.now();
  const waiting = call(server, { tool: "tool_nobody_knows", wait: 25 });
  await expect
    .poll(async () => Number((await asking(url, "select count(*) as n from leeway.approvals"))[0]?.["n"]))
    .toBe(1);
  await goBack();
  const answer = await waiting;
  const { error } = (await answer.json()) as { error?: { code: string } };
  expect([answer.status, error?.code]).toEqual([503, "LEEWAY_WENT_BACK"]);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
}, 60_000);
