import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ASKING, asAna, PASSPHRASE } from "./person.ts";
import { asking, leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";
import { endAll, type Up, up } from "./servers.ts";

// One gate, read in two ways: from its database, and through its server from a machine that only has a token of ana's.

const [home, away] = [machine(), machine()];
let server: Up;
let ana: Machine;
const ids = { call: "", question: "", execution: "", grant: "" };

beforeAll(async () => {
  writeFileSync(join(home.project, "leeway.yaml"), ASKING);
  writeFileSync(join(home.home, "pw"), `${PASSPHRASE}\n`);
  const passphrase = ["--password-file", join(home.home, "pw")];
  await leeway(home, ["init", "--yes", "--name", "ana", ...passphrase]);
  const token = await leeway(home, ["tokens", "add", "--person", "ana", "--can", "approve", ...passphrase]);
  server = await up(home);
  ana = { ...away, env: { ...away.env, LEEWAY_URL: server.url, LEEWAY_TOKEN: token.stdout.trim() } };
  await leeway(home, ["run", "--agent", "coder", "--", "cat", "leeway.yaml"]);
  for (const message of ["one", "two"])
    await leeway(home, ["run", "--agent", "coder", "--wait", "1s", "--", "git", "commit", "-m", message]);
  await leeway(home, ["run", "--agent", "coder", "--", "touch", "told.txt"]);
  await asAna(home, ["grants", "add", "--agent", "coder", "--command", "npm test", "--for", "8h"]);
  await asAna(home, ["tools", "declare", "get_weather", "--does", "looks"]);
  await asAna(home, [
    "agents",
    "demote",
    "coder",
    "--tier",
    "suggest",
    "--class",
    "message.send",
    "--because",
    "slowly",
  ]);
  await leeway(ana, ["pause", "--agent", "tester", "--because", "it loops"]);
  const [first] = JSON.parse((await leeway(home, ["inbox", "--json"])).stdout).questions;
  const entries = (await leeway(home, ["log", "--json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ran = entries.find(({ subject }) => subject.execution !== undefined).subject;
  const [held] = JSON.parse((await leeway(home, ["grants", "list", "--json"])).stdout);
  Object.assign(ids, { call: ran.call, question: first.id, execution: ran.execution, grant: held.grant.id });
}, 60_000);
afterAll(async () => {
  await server.stop();
  endAll();
  for (const on of [home, away]) on.remove();
});

/** Relative times depend on when they are read. */
const still = (text: string) => text.replace(/(\d+ (ms|s|min|h)|just) (ago|now)|in \d+ (min|h)( \d+ min)?/g, "then");

const values = (lines: string) => lines.split("\n").map((line) => (line === "" ? line : JSON.parse(line)));

async function both(args: readonly string[]) {
  const ran = await Promise.all([home, ana].map((on) => leeway(on, args)));
  return ran.map(({ code, stdout, stderr }) => ({ code, stdout: still(stdout), stderr }));
}

test("commands that only read give the same output for a server as on its own machine, to people and to programs", async () => {
  const commands = [
    ["show", ids.question],
    ["show", ids.question, "--html"],
    ["show", ids.call],
    ["show", ids.execution],
    ["show", ids.grant],
    ["why", ids.call],
    ["why", ids.question],
    ["log"],
    ["log", "--kind", "approval.opened"],
    ["trust", "coder"],
    ["agents", "list"],
    ["agents", "show", "coder"],
    ["agents", "show", "nobody"],
    ["grants", "list", "--all"],
    ["tools", "list"],
    ["tools", "list", "--policy"],
    ["tokens", "list"],
    ["policy", "show"],
    ["export"],
    ["show", "apr_ffff"],
    ["show", "apr_"],
    ["show", "latest"],
    ["show", ids.call, "--html"],
    ["why", ids.grant],
    ["approve", ids.execution],
  ];
  for (const args of commands) {
    const [here, there] = await both(args);
    // Approving needs a terminal locally, and a token remotely: up to that point they are the same.
    if (args[0] !== "approve") expect([args, there]).toEqual([args, here]);
    else expect(there).toMatchObject({ code: 1, stderr: expect.stringContaining("there was no question about exe_") });
    if (args[0] === "export" || args[0] === "approve") continue;
    const [bare, again] = (await both([...args, "--json"])).map(({ stdout, ...ran }) => ({
      ...ran,
      said: values(stdout),
    }));
    expect([args, again]).toEqual([args, bare]);
  }
}, 120_000);

test("the inbox lists the same questions and notices, but a server leaves out how notices are delivered", async () => {
  const [here, there] = await both(["inbox"]);
  expect(there).toEqual(here);
  expect(here?.stdout).toMatch(/git commit -m one[\s\S]+new: 1 call ran under notify/);
  const [bare, again] = (await both(["inbox", "--json"])).map(({ stdout }) => JSON.parse(stdout));
  const shown = ({ id, kind, to, title, text, ref, state, createdMs }: Record<string, unknown>) => ({
    id,
    kind,
    to,
    title,
    text,
    ref,
    state,
    createdMs,
  });
  expect(again).toEqual({ ...bare, notices: bare.notices.map(shown) });
});

test("status shows everything that the gate knows about itself, and only the local one adds what is on its machine", async () => {
  const [here, there] = (await both(["status", "--json"])).map(({ stdout }) => JSON.parse(stdout));
  const { project, database, stateFolder, key, overrides, background, server: running, ...gate } = here;
  const pauses = gate.pauses.map(({ lift: _, ...pause }: { lift: string }) => pause);
  expect(there).toEqual({ ...gate, pauses, server: server.url });
  expect([background, running.url, key, Object.keys(overrides)]).toEqual([
    0,
    server.url,
    join(stateFolder, "leeway.key"),
    ["XDG_STATE_HOME"],
  ]);
  const rows = (text: string) => text.split("\n").flatMap((line) => line.match(/^\w+( \w+)?(?= {2})/)?.[0] ?? []);
  const [text, fromThere] = (await both(["status"])).map(({ stdout }) => stdout);
  const places = ["project", "database", "key", "set outside"];
  expect(rows(fromThere ?? "")).toEqual(rows(text ?? "").filter((name) => !places.includes(name)));
});

test("people are listed in the same way, except whether they have a passphrase, which a server does not tell", async () => {
  const [here, there] = (await both(["people", "list", "--json"])).map(({ stdout }) => JSON.parse(stdout));
  const seen = ({ name, admin, auditor, groups, state, addedMs }: Record<string, unknown>) => ({
    name,
    admin,
    auditor,
    groups,
    state,
    addedMs,
  });
  expect(there.map(seen)).toEqual(here.map(seen));
  expect([here[0].hasPassphrase, there[0].hasPassphrase]).toEqual([true, undefined]);
});

test("an act for which a token is not enough is refused by the server, and nothing is shown or changed", async () => {
  expect(await leeway(ana, ["show", ids.question, "--reveal"])).toMatchObject({ code: 5, stdout: "" });
  const settle = ["show", ids.execution, "--settle", "ok", "--note", "I looked"];
  expect(await leeway(ana, settle)).toMatchObject({ code: 5, stdout: "" });
  const other = await leeway(ana, ["tokens", "revoke", "tok_0", "--as", "ben"]);
  expect([other.code, other.stderr]).toEqual([5, expect.stringContaining("the token belongs to ana, not to ben")]);
});

test("commands for the local database say so if a server is named", async () => {
  for (const args of [["verify"], ["backup", "copy"], ["erase", "1", "--because", "x"], ["policy", "accept"]])
    expect([args, await leeway(ana, args)]).toEqual([
      args,
      {
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("but this command works on the database of this machine; nothing was done"),
      },
    ]);
});

test("other waiting calls that the remembered grant covers are listed and approved with it", async () => {
  const approved = await asAna(home, ["approve", ids.question, "--remember", "1h", "--width", "2", "--also"]);
  expect([approved.code, approved.text]).toEqual([
    0,
    expect.stringMatching(/also approved:\s+apr_\w{16} {2}git commit -m two/),
  ]);
});

test("in a terminal, questions of a server are answered on the screen with the token, without a passphrase", async () => {
  const asked = asking(home, ["run", "--agent", "coder", "--", "echo", "far"]);
  await asked.asked;
  const shown = screen(ana, ["inbox"], { rows: 24 });
  await shown.shows(/▸ {2}coder +echo far/);
  shown.type("\r");
  expect(await shown.shows("a approve · d deny")).toContain("leeway inbox · 1 question · ana");
  shown.type("a");
  await shown.shows("approved: echo far");
  expect(await asked.ended).toMatchObject({ code: 0, stdout: "far\n" });
  shown.type("q");
  expect(await shown.ended).toBe(0);
});
