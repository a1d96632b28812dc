import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { asAna, ended, PASSPHRASE, setUpAna } from "../cli/person.ts";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { screen } from "../cli/screen.ts";
import { endAll, up } from "../cli/servers.ts";
import { newDatabase } from "./database.ts";
import { asking } from "./standby.ts";

let on: Machine;
beforeEach(async () => {
  on = machine();
  await setUpAna(on);
});
afterEach(() => on.remove());
afterAll(endAll);

const LONG_MS = 180_000;
const file = () => join(on.home, "state", "leeway", "leeway.db");
const shown = (url: string) => url.replace(/\/\/.*@/, "//");

test(
  "an admin moves the database to PostgreSQL and back; everybody who opens the old one is told where it went",
  async () => {
    const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", "mkdir", "made"]);
    expect((await asAna(on, ["approve", JSON.parse(asked.stdout).approvalId])).code).toBe(0);
    const before = JSON.parse((await leeway(on, ["verify", "--json"])).stdout);
    const url = await newDatabase();
    const alone = await leeway(on, ["migrate-store", "--to", url]);
    expect([alone.code, alone.stderr]).toEqual([
      5,
      expect.stringContaining("a person at a terminal is needed to move"),
    ]);
    const moved = await asAna(on, ["migrate-store", "--to", url]);
    expect([moved.code, moved.text]).toEqual([0, expect.stringContaining(`moved ${file()} to ${shown(url)}`)]);
    const said = moved.text.replaceAll("\n", "");
    expect(said).toContain(`LEEWAY_DB=postgres://postgres@${shown(url).slice("postgres://".length)}`);
    expect(moved.text).not.toContain("postgres:postgres@");

    const old = await leeway(on, ["run", "--", "ls"]);
    expect([old.code, old.stderr]).toEqual([1, expect.stringContaining(`the database was moved to ${shown(url)}`)]);
    expect(old.stderr).toContain("set LEEWAY_DB to it");
    const env = { LEEWAY_DB: url };
    const verified = await leeway(on, ["verify", "--json"], { env });
    // The passphrase was given once more, and a checkpoint was signed, before anything was moved.
    const now = JSON.parse(verified.stdout);
    expect([verified.code, now.ok, now.checkpoints >= before.checkpoints]).toEqual([0, true, true]);
    // The approval that was given before the move still counts, once.
    const ran = await leeway(on, ["run", "--", "mkdir", "made"], { env });
    expect([ran.code, existsSync(join(on.project, "made"))]).toEqual([0, true]);

    const elsewhere = join(on.home, "back.db");
    const back = screen(on, ["migrate-store", "--from", url, "--to", elsewhere, "--as", "ana"], { columns: 120 });
    await back.shows("passphrase of ana");
    back.type(`${PASSPHRASE}\r`);
    expect((await ended(back)).code).toBe(0);
    const again = await leeway(on, ["verify", "--json"], { env: { LEEWAY_DB: elsewhere } });
    expect([again.code, JSON.parse(again.stdout).entries > now.entries]).toEqual([0, true]);
    expect((await leeway(on, ["run", "--", "ls"], { env })).stderr).toContain(`the database was moved to ${elsewhere}`);
  },
  LONG_MS,
);

test(
  "a changed entry is named, and nothing is moved; neither while a server runs, nor to a file, nor without a target",
  async () => {
    await leeway(on, ["run", "--", "ls"]);
    const url = await newDatabase();
    const server = await up(on);
    // Nobody is asked for a passphrase first.
    const running = await leeway(on, ["migrate-store", "--to", url]);
    expect([running.code, running.stderr]).toEqual([
      1,
      `leeway: another process uses ${file()}: the server at ${server.url} (pid ${server.pid})
  hint: stop the server, then run the command again; nothing was moved\n`,
    ]);
    await server.stop();
    for (const [args, why] of [
      [["--to", join(on.home, "other.db")], "are of the same kind"],
      [[], "--to is missing"],
    ] as const) {
      const ran = await leeway(on, ["migrate-store", ...args]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    const db = openDatabase(file());
    db.exec("update entries set body = replace(body, 'ls', 'rm') where place % 1099511627776 = 4");
    db.exec("update entries set actor = 'agent:mallory' where place % 1099511627776 = 4");
    db.close();
    const changed = await asAna(on, ["migrate-store", "--to", url]);
    const told = changed.text.replaceAll("\n", " ");
    expect([changed.code, told]).toEqual([1, expect.stringContaining("is broken at entry 4")]);
    expect(told).toContain("nothing was moved");
    expect((await leeway(on, ["migrate-store", "--cancel"])).stderr).toContain("is not being moved");
    expect((await leeway(on, ["verify"])).stderr).toContain("broken at entry 4");
  },
  LONG_MS,
);

test(
  "a target with a table of somebody else is refused, also beside empty tables of ours, and the old database stays in use",
  async () => {
    for (const isUsed of [false, true]) {
      const url = await newDatabase();
      if (isUsed) expect((await leeway(on, ["status"], { env: { LEEWAY_DB: url } })).code).toBe(0);
      await asking(url, "create schema if not exists leeway; create table leeway.notes (note text)");
      const refused = await asAna(on, ["migrate-store", "--to", url]);
      const told = refused.text.replaceAll(/\s+/g, " ");
      expect([refused.code, told]).toEqual([
        1,
        expect.stringContaining("has something of somebody else in it (notes)"),
      ]);
      expect((await leeway(on, ["run", "--", "ls"])).code).toBe(0);
    }
  },
  LONG_MS,
);
