import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { submit } from "../../src/gate/calls/submit.ts";
import { openDeps } from "../../src/open.ts";
import { serverAt } from "../../src/store/postgres/server/server.ts";
import { asAna, PASSPHRASE } from "../cli/person.ts";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { newDatabase } from "./database.ts";

// Two machines on one database, which goes back behind what one of them has appended. The other one appended nothing of it.

let on: Machine;
let other: Machine;
let url: string;
beforeEach(async () => {
  [on, other] = [machine(), machine()];
  url = await newDatabase();
  for (const one of [on, other]) Object.assign(one.env, { LEEWAY_DB: url, LEEWAY_KEY: "ab".repeat(32) });
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const person = ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, person)).code).toBe(0);
});
afterEach(() => {
  on.remove();
  other.remove();
});

const opened = (at: Machine) => openDeps({ env: at.env, cwd: at.project, policy: { tiers: { "fs.read": "auto" } } });
type Opened = Awaited<ReturnType<typeof opened>>;

const call = async (deps: Opened, callId: string) => {
  const { outcome, code, reason } = await submit(deps, {
    ...{ workspace: "default", agent: "coder", tool: "read_file", args: { path: "a" }, callId },
    ...{ traceId: "trace_1", chain: [], claims: {} },
  });
  return outcome === "run" ? outcome : { code, reason };
};

/** As after a fail-over to a standby that was behind: the last two entries and their calls are gone. */
async function goBack(): Promise<void> {
  const server = serverAt(url);
  await server.use((session) =>
    session.exec(
      `delete from calls where place % ${2 ** 40} > (select entry - 2 from chains); ` +
        `delete from entries where place % ${2 ** 40} > (select entry - 2 from chains); ` +
        "update chains set entry = entry - 2, stamp = stamp + 1, hash = (select hash from entries order by place desc limit 1)",
    ),
  );
  await server.close();
}

test("a machine that finds its entries missing pauses the others, until a person recovers", async () => {
  const [mine, theirs, late] = [await opened(on), await opened(other), await opened(on)];
  expect([await call(mine, "c1"), await call(theirs, "c2"), await call(late, "c3")]).toEqual(["run", "run", "run"]);
  expect([await call(mine, "lost"), await call(late, "lost too")]).toEqual(["run", "run"]);
  await goBack();
  expect(await call(theirs, "before anybody has noticed")).toBe("run");
  expect(await call(mine, "new")).toMatchObject({ code: "LEEWAY_WENT_BACK" });
  expect(await call(theirs, "after")).toMatchObject({ code: "LEEWAY_PAUSED" });
  const status = await leeway(other, ["status"]);
  expect(status.stdout).toContain("the database went back behind what the machine");
  expect((await asAna(on, ["recover", "--because", "the standby was behind"])).code).toBe(0);
  expect(await call(theirs, "recovered")).toBe("run");
  // A process that notices only now refuses by itself, and disturbs nobody: a person has recovered since.
  expect(await call(late, "again")).toMatchObject({ reason: expect.stringContaining("stop this process") });
  expect(await call(theirs, "still")).toBe("run");
  for (const deps of [mine, theirs, late]) await deps.close();
}, 120_000);
