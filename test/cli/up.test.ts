import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";
import { browsed, endAll, up } from "./servers.ts";

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());
afterAll(endAll);

const announced = () => join(on.home, "state", "leeway", "server.json");
const ready = async (url: string) => (await fetch(`${url}/healthz`)).status;
const ask = (url: string, token: string, path: string, body?: unknown) =>
  fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const followed = async (link: string, method = "POST") => (await browsed(link, { method })).status;

test("the first run at a terminal creates the first person, a link that signs in once, and an agent's token", async () => {
  const shown = screen(on, ["up", "--port", "0"], { columns: 220 });
  await shown.shows("a passphrase for");
  shown.type(`${PASSPHRASE}\r`);
  await shown.shows("the same passphrase again");
  shown.type(`${PASSPHRASE}\r`);
  const text = await shown.shows("press Ctrl-C to stop");
  const [, link = ""] = /sign in with this link \(works once, within 15 minutes\): (\S+)/.exec(text) ?? [];
  const [, token = ""] = /token for the agent coder \(shown only once\): (\S+)/.exec(text) ?? [];
  const [, url = ""] = /programs use (\S+)/.exec(text) ?? [];
  expect(text).toContain(`Leeway is running at ${new URL(link).origin}`);
  expect([await followed(link, "GET"), await followed(link)]).toEqual([200, 303]);
  // Every form is answered with a redirect; the second time nobody is signed in.
  const used = await browsed(link, { method: "POST" });
  expect([used.status, used.cookie]).toEqual([303, ""]);
  const receipt = await ask(url, token, "/v1/calls", { tool: "read_file", args: { path: "a" }, cwd: on.project });
  expect(await receipt.json()).toMatchObject({ outcome: "run" });
  shown.type("\x03");
  expect(await shown.ended).toBe(0);
  expect(existsSync(announced())).toBe(false);

  const again = screen(on, ["up", "--port", "0"], { columns: 220 });
  const later = await again.shows("press Ctrl-C to stop");
  expect(later).not.toMatch(/a passphrase for|sign in with this link|shown only once/);
  expect(later).toMatch(/sign in there as \S+, with your passphrase/);
  const refused = await leeway(on, ["tokens", "add", "--agent", "release-bot"]);
  expect([refused.code, refused.stdout]).toEqual([5, ""]);
  again.type("\x03");
  expect(await again.ended).toBe(0);
});

test("without a terminal the server starts closed; agents' tokens can be made unattended until the first call, a person's only with their passphrase", async () => {
  const server = await up(on);
  const pages = expect.stringMatching(/^http:\/\/leeway-[0-9a-f]{20}\.localhost:\d+$/);
  expect(server.said).toEqual({ url: server.url, pages, pid: server.pid });
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const early = await leeway(on, ["tokens", "add", "--agent", "coder"]);
  expect([early.code, early.stdout]).toEqual([5, ""]);
  const added = await leeway(on, ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")]);
  expect(added.code).toBe(0);
  const agent = await leeway(on, ["tokens", "add", "--agent", "coder"]);
  const approving = ["tokens", "add", "--person", "ana", "--can", "approve"];
  for (const args of [approving, ["tokens", "add", "--person", "ana"]]) {
    const unproved = await leeway(on, args);
    expect(unproved).toMatchObject({ code: 5, stdout: "", stderr: expect.stringMatching(/^leeway: only ana can /) });
  }
  const person = await leeway(on, [...approving, "--as", "ana", "--password-file", join(on.home, "pw")]);
  expect([agent.code, person.code]).toEqual([0, 0]);
  expect([agent.stdout, person.stdout]).toEqual(Array(2).fill(expect.stringMatching(/^lwy_[0-9a-z]+_[0-9a-f]{64}\n$/)));
  const [coder, ana] = [agent.stdout.trim(), person.stdout.trim()];

  const call = { tool: "shell", args: { command: "git push" }, cwd: on.project };
  const asked = (await (await ask(server.url, coder, "/v1/calls", call)).json()) as Record<string, string>;
  const path = `/v1/approvals/${asked["approvalId"]}/reviews`;
  const review = await ask(server.url, ana, path, { verdict: "approve", digest: asked["digest"] });
  expect([review.status, await review.json()]).toMatchObject([200, { state: "approved" }]);

  for (const args of [
    ["--agent", "mallory"],
    ["--person", "ana", "--can", "approve"],
  ]) {
    const late = await leeway(on, ["tokens", "add", ...args]);
    expect(late).toMatchObject({
      code: 5,
      stdout: "",
      stderr: expect.stringMatching(/only (by a person who proves who they are|ana can)/),
    });
  }
  const proved = await leeway(on, [
    "tokens",
    "add",
    "--agent",
    "tester",
    "--as",
    "ana",
    "--password-file",
    join(on.home, "pw"),
  ]);
  expect(proved.code).toBe(0);
  expect(await server.stop()).toMatchObject({ code: 0 });
});

test("a second server on the same database works beside the first, and when it stops the first is announced again", async () => {
  const first = await up(on);
  const second = await up(on);
  const database = join(on.home, "state", "leeway", "leeway.db");
  expect([await ready(first.url), await ready(second.url)]).toEqual([200, 200]);
  expect(JSON.parse(readFileSync(announced(), "utf8"))).toMatchObject({ url: second.url, pid: second.pid, database });
  expect((await second.stop()).code).toBe(0);
  expect(JSON.parse((await leeway(on, ["status", "--json"])).stdout).server).toEqual({
    url: first.url,
    pid: first.pid,
  });
  const { port } = new URL(first.url);
  expect(await leeway(on, ["up", "--port", port])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(`port ${port} on 127.0.0.1 is already in use.*\n.*--port 0`),
  });
  expect((await first.stop()).code).toBe(0);
  expect(existsSync(announced())).toBe(false);
});

test("with --log all there is a line for each request without its content; otherwise only for errors", async () => {
  const [quiet, told] = [await up(on), await up(on, ["--log", "all"])];
  for (const { url } of [quiet, told]) await ask(url, "lwy_none", "/v1/me?secret=hunter2");
  expect((await quiet.stop()).stderr).not.toContain("/v1/me");
  const { stderr } = await told.stop();
  const [line = ""] = stderr.split("\n").filter((one) => one.includes("/v1/me"));
  expect(JSON.parse(line)).toEqual({
    at: expect.any(String),
    method: "GET",
    route: "/v1/me",
    status: 401,
    ms: expect.any(Number),
    who: "nobody",
  });
});

test("the file of a server that has died is ignored and replaced", async () => {
  const killed = await up(on);
  expect((await killed.stop("SIGKILL")).code).toBe(null);
  expect(existsSync(announced())).toBe(true);
  expect(JSON.parse((await leeway(on, ["status", "--json"])).stdout).server).toBe(null);
  const next = await up(on);
  expect(JSON.parse((await leeway(on, ["status", "--json"])).stdout).server).toEqual({ url: next.url, pid: next.pid });
  const { findings } = JSON.parse((await leeway(on, ["doctor", "--json"])).stdout);
  expect(findings).toContainEqual({ what: "server", state: "ok", says: `${next.url} answers (pid ${next.pid})` });
  await next.stop();
});

test("doctor finds a server that is announced but does not answer", async () => {
  await leeway(on, ["status"]);
  writeFileSync(announced(), JSON.stringify({ url: "http://127.0.0.1:2", pid: process.pid }));
  const { findings } = JSON.parse((await leeway(on, ["doctor", "--json"])).stdout);
  expect(findings).toContainEqual(expect.objectContaining({ what: "server", state: "bad" }));
});

test("when the server stops, waiting clients are told to come back, and it exits with 0", async () => {
  const server = await up(on);
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  await leeway(on, ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")]);
  const coder = (await leeway(on, ["tokens", "add", "--agent", "coder"])).stdout.trim();
  const call = { tool: "shell", args: { command: "git push" }, cwd: on.project, callId: "waits", wait: 60 };
  const waiting = ask(server.url, coder, "/v1/calls", call);
  // When it is listed, the server has received it.
  await expect.poll(async () => (await ask(server.url, coder, "/v1/calls?callId=waits")).status).toBe(202);
  const ended = server.stop();
  expect((await waiting).status).toBe(202);
  expect((await ended).code).toBe(0);
});

test("a server that others reach without TLS warns people and the log that passphrases can be read on the way", async () => {
  const server = await up(on, ["--host", "0.0.0.0"]);
  const warning = expect.stringContaining("passphrases and tokens are sent over the network without encryption");
  expect(server.said).toMatchObject({ warnings: [warning] });
  const { stderr } = await server.stop();
  expect(JSON.parse(stderr.split("\n")[0] ?? "")).toEqual({ at: expect.any(String), warning });
});

test.each([
  [["--port", "99999"], "there is no port 99999"],
  [["--port", "http"], "--port http is not a whole number"],
  [["--url", "leeway.example.com"], "--url leeway.example.com is not the address of a server"],
])("%j is wrong usage, and no database is opened", async (args, what) => {
  expect(await leeway(on, ["up", ...args])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(what),
  });
  expect(existsSync(join(on.home, "state"))).toBe(false);
});

test("the browser is opened through a file that only its owner can read, not through a command line that everybody can read", async () => {
  const bin = join(on.home, "bin");
  mkdirSync(bin);
  const opened = join(on.home, "opened");
  for (const name of ["xdg-open", "open"]) {
    const script = `#!/bin/sh\nls -l "$1" > "${opened}.mode"\ncat "$1" > "${opened}.html"\necho "$@" > "${opened}"\n`;
    writeFileSync(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { ...on.env, PATH: `${bin}:${process.env["PATH"]}` };
  const server = await up({ ...on, env }, ["--open"]);
  while (!existsSync(opened)) await new Promise((resolve) => setTimeout(resolve, 20));
  const file = readFileSync(opened, "utf8").trim();
  expect(file).toMatch(/\/open\.html$/);
  expect(readFileSync(`${opened}.mode`, "utf8")).toMatch(/^-rw------- /);
  expect(readFileSync(`${opened}.html`, "utf8")).toContain(`content="0;url=${server.said.pages}/"`);
  expect(await ready(server.url)).toBe(200);
  expect((await server.stop()).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test("a server that uses another database is not shown as the server of this one, and a hook of another database is named", async () => {
  await setUpAna(on);
  await leeway(on, ["init", "claude-code", "--yes"]);
  const server = await up(on);
  const here = join(on.home, "state", "leeway", "leeway.db");
  const other = join(on.home, "other.db");
  const env = { LEEWAY_DB: other };
  const shown = await leeway(on, ["status"], { env });
  expect(shown.stdout.replace(/\s+/g, " ")).toContain(
    `server none for this database; ${server.url} (pid ${server.pid}) uses ${here}`,
  );
  expect(JSON.parse((await leeway(on, ["status", "--json"], { env })).stdout).server).toBe(null);
  expect(JSON.parse((await leeway(on, ["status", "--json"])).stdout).server).toEqual({
    url: server.url,
    pid: server.pid,
  });
  const { findings } = JSON.parse((await leeway(on, ["doctor", "--json"], { env })).stdout);
  const about = ({ what, says }: { what: string; says: string }) =>
    what === "server" || says.startsWith("claude-code: its hook");
  expect(findings.filter(about)).toEqual([
    {
      what: "server",
      state: "warn",
      says: `no server runs for this database: ${server.url} uses ${here}`,
      hint: "start one for this database with `leeway up`, or set LEEWAY_DB to the database of the server",
    },
    {
      what: "host",
      state: "warn",
      says: `claude-code: its hook in ${join(on.project, ".claude", "settings.local.json")} uses the database ${here}, and not ${other}`,
      hint: "set LEEWAY_DB to the database of the hook, or run `leeway init claude-code` again to use this one",
    },
  ]);
  await server.stop();
});

test("a server stays known while others fail to start or die beside it", async () => {
  const first = await up(on);
  const shownServer = async () =>
    (await leeway(on, ["status"])).stdout.split("\n").find((line) => /^server/.test(line));
  const before = await shownServer();
  expect(before).toContain(first.url);
  const away = await leeway(on, ["up", "--port", "0", "--db", "postgres://leeway@127.0.0.1:1/leeway"]);
  expect(away.code).toBe(1);
  expect(await shownServer()).toBe(before);
  const second = await up(on);
  expect(await shownServer()).toContain(second.url);
  process.kill(JSON.parse(readFileSync(announced(), "utf8")).pid, "SIGKILL");
  await expect.poll(shownServer).toBe(before);
  await first.stop();
});

test("a server removes what rehearsals left longer ago than is promised, and so does a command when it ends", async () => {
  const kept = join(on.home, "state", "leeway", "box", "rehearsals");
  const left = () => (existsSync(kept) ? readdirSync(kept) : []);
  const leave = (name: string) => {
    mkdirSync(join(kept, name), { recursive: true });
    const eightDaysAgo = Date.now() / 1000 - 8 * 86_400;
    utimesSync(join(kept, name), eightDaysAgo, eightDaysAgo);
  };
  await setUpAna(on);
  leave("old");
  const server = await up(on);
  await expect.poll(left).toEqual([]);
  expect((await server.stop()).stderr).toBe("stopping\n");
  leave("old-too");
  rmSync(join(kept, "..", "tidied"));
  expect((await leeway(on, ["box", "--rehearse", "--", "true"])).code).toBe(0);
  expect(left()).toEqual([]);
});
