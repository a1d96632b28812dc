import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, PASSPHRASE, setUpAna } from "../cli/person.ts";
import { leeway, machine } from "../cli/program.ts";
import { type Screen, screen } from "../cli/screen.ts";
import { allowed, type OauthServer, oauthServer } from "./oauth-server.ts";

// `leeway mcp login` and `logout` as a person uses them, at a terminal.

const on = machine();
let server: OauthServer;
beforeAll(async () => {
  server = await oauthServer();
  await setUpAna(on);
  const file = join(on.env["XDG_CONFIG_HOME"] ?? join(on.home, ".config"), "leeway", "mcp.json");
  mkdirSync(dirname(file), { recursive: true });
  const mcpServers = {
    tickets: { url: server.url },
    fixed: { url: server.url, headers: { Authorization: "Bearer a" } },
    files: { command: "node", args: ["files.mjs"] },
  };
  writeFileSync(file, JSON.stringify({ mcpServers }), { mode: 0o600 });
});
afterAll(async () => {
  await server.close();
  on.remove();
});

async function listed(): Promise<unknown> {
  return JSON.parse((await leeway(on, ["mcp", "list", "--json"])).stdout).logins;
}

/** What the record says about logins. */
async function recordedLogins(): Promise<readonly unknown[]> {
  const lines = (await leeway(on, ["log", "--json"])).stdout.trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind.startsWith("login."));
  return entries.map(({ kind, actor, body }) => ({ kind, actor, body: body.json }));
}

/** Ana starts a login; the address at which she signs in. */
async function begun(): Promise<{ shown: Screen; address: string }> {
  const shown = screen(on, ["mcp", "login", "tickets", "--as", "ana"], { columns: 500 });
  await shown.shows("passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  const text = await shown.shows("paste the address");
  expect(text).toContain(`You sign in at ${server.origin}. If you do not know this address, press Ctrl-C.`);
  expect(text).toContain("It asks you to allow: read");
  return { shown, address: /https?:\/\/\S+\/authorize\S+/.exec(text)?.[0] ?? "" };
}

const SIGNED_IN = () => ({
  upstream: "tickets",
  url: server.url,
  state: "signed-in",
  by: "ana",
  issuer: server.origin,
  atMs: expect.any(Number),
});

test("ana signs in with the browser of this machine, and the commands show it", async () => {
  expect(await listed()).toEqual([]);
  const { shown, address } = await begun();
  const redirect = await allowed(address);
  const wrong = new URL(redirect);
  wrong.searchParams.set("state", "other");
  expect((await fetch(wrong)).status).toBe(404);
  const page = await fetch(redirect);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Go back to the terminal")]);
  expect(await shown.ended).toBe(0);
  expect(await shown.settled()).toContain("signed in at tickets: the gateway uses it from now on");
  expect(await listed()).toEqual([SIGNED_IN()]);
  expect((await leeway(on, ["mcp", "list"])).stdout).toMatch(/tickets +login +http\S+ +signed in +ana/);
  expect((await leeway(on, ["doctor"])).stdout).toContain("somebody is signed in at the MCP server `tickets`");
  expect(server.secrets.filter((one) => shown.raw().includes(one))).toEqual([]);
});

test("with a browser on another machine, ana pastes the address at which it ended", async () => {
  const { shown, address } = await begun();
  shown.type("http://127.0.0.1:1/callback?code=a&state=b\r");
  await shown.shows("this is not the address");
  shown.type("\u0015");
  shown.type(`${await allowed(address)}\r`);
  expect(await shown.ended).toBe(0);
  expect(await listed()).toEqual([SIGNED_IN()]);
});

test("a login that the authorization server ends is named by doctor, with the command that repairs it", async () => {
  const logout = await asAna(on, ["mcp", "logout", "tickets"]);
  expect([logout.code, logout.text]).toEqual([0, expect.stringContaining("ended the login at tickets")]);
  expect(server.heard.at(-1)).toBe("POST /revoke");
  const at = { server: "tickets", url: server.url, assurance: "tty" };
  const added = { kind: "login.added", actor: "person:ana", body: { ...at, issuer: server.origin } };
  expect(await recordedLogins()).toEqual([added, added, { kind: "login.ended", actor: "person:ana", body: at }]);
  expect(await listed()).toEqual([]);
  const pinned = screen(on, ["mcp", "pin", "--as", "ana"], { columns: 300 });
  await pinned.shows("Accept this");
  pinned.type("y");
  await pinned.shows("passphrase of ana");
  pinned.type(`${PASSPHRASE}\r`);
  await pinned.shows("leeway mcp login tickets");
  pinned.kill();
  expect(await listed()).toEqual([
    { upstream: "tickets", url: server.url, state: "needs-sign-in", atMs: expect.any(Number) },
  ]);
  const doctor = await leeway(on, ["doctor", "--json"]);
  expect(JSON.parse(doctor.stdout).findings).toContainEqual({
    what: "mcp",
    state: "warn",
    says: `the MCP server \`tickets\` (${server.url}) wants somebody to sign in: its calls fail until then`,
    hint: "leeway mcp login tickets",
  });
});

test("only a person at a terminal can sign in, and only where a login makes sense", async () => {
  const piped = await leeway(on, ["mcp", "login", "tickets"]);
  expect([piped.code, piped.stderr]).toEqual([5, expect.stringContaining("a person at a terminal is needed")]);
  const said = async (name: string) => {
    const shown = screen(on, ["mcp", "login", name, "--as", "ana"], { columns: 200 });
    return [await shown.ended, await shown.settled()];
  };
  expect(await said("other")).toEqual([2, expect.stringContaining("mcp.json names no server `other`")]);
  expect(await said("files")).toEqual([1, expect.stringContaining("started by a command, and needs no login")]);
  expect(await said("fixed")).toEqual([1, expect.stringContaining("has a header Authorization for fixed")]);
});
