import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openServerLogins } from "../../src/config/server-logins.ts";
import type { ActiveLogin, ServerLogins } from "../../src/core/standing/server-login.ts";
import { listEntries } from "../../src/gate/record/ledger.ts";
import { httpLink } from "../../src/mcp/links/http-link.ts";
import { renewedTokens, revoked } from "../../src/mcp/login/authorization-server.ts";
import { beginLogin, type LoginServer } from "../../src/mcp/login/begin.ts";
import { credentialsOf } from "../../src/mcp/login/credentials.ts";
import { loginViews } from "../../src/service/views/mcp.ts";
import { aesSealer } from "../../src/system.ts";
import { allowed, json, type OauthServer, oauthServer } from "./oauth-server.ts";
import { type Stage, said, stage } from "./stage.ts";

// A person's login at an MCP server: an authorization server and a protected MCP server on loopback that are strict, and
// the gateway in front of them.

let on: OauthServer;
let folder: string;
let logins: ServerLogins;
const open: Stage[] = [];

beforeEach(async () => {
  on = await oauthServer();
  folder = mkdtempSync(join(tmpdir(), "leeway-login-"));
  logins = openServerLogins(folder, aesSealer(new Uint8Array(32)));
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await on.close();
  rmSync(folder, { recursive: true, force: true });
});

const REDIRECT = "http://127.0.0.1:4999/callback";

function server(over: Partial<LoginServer> = {}): LoginServer {
  return { name: "one", url: on.url, headers: {}, ...over };
}

/** Ana signs in, as the command does it. */
async function signIn(over: Partial<LoginServer> = {}): Promise<ActiveLogin> {
  const begun = await beginLogin(server(over), REDIRECT, logins.find("one", on.url));
  const made = await begun.finish(new URL(await allowed(begun.address)), "ana", Date.now());
  logins.keep(made);
  return made;
}

/** Why nobody could sign in. */
async function refusal(over: Partial<LoginServer> = {}): Promise<string> {
  return signIn(over).then(
    () => "signed in",
    (error: Error) => error.message,
  );
}

const POLICY = 'version: 1\ntier: auto\ntools: { "mcp:one/*": { class: none } }\n';

async function gateway({ accepted = true } = {}): Promise<Stage> {
  const credentials = credentialsOf({ logins, clock: { nowMs: () => Date.now() } }, { server: "one", url: on.url });
  const connect = httpLink({ url: on.url, headers: {}, credentials });
  const made = await stage({ policy: POLICY, accepted, over: { connect, credentials }, options: { isAlone: false } });
  open.push(made);
  return made;
}

function stateNow(): unknown {
  const [view] = loginViews({ logins, clock: { nowMs: () => Date.now() } as never });
  return view?.state;
}

const NEEDED =
  "The MCP server one wants a person to sign in, and nobody is signed in now, so this was not done. Do not retry it; ask the user to run `leeway mcp login one` in a terminal first.";

test("a client that was registered by hand proves itself with its id and secret encoded as a form", async () => {
  const [clientId, clientSecret] = ["leeway-1.apps_example", "a b+c/d:e%f-._*~\u00e9"];
  on.registered.set(clientId, clientSecret);
  Object.assign(on.over.server, { token_endpoint_auth_methods_supported: ["client_secret_basic"] });
  const login = await signIn({ oauth: { clientId, clientSecret } });
  expect((await renewedTokens(login, Date.now())) === "refused").toBe(false);
  const proof = "leeway-1.apps_example:a+b%2Bc%2Fd%3Ae%25f-._*%7E%C3%A9";
  expect(on.proofs).toEqual([proof, proof]);
});

test("without a login the model is told what its user must do; after the login the tools appear and run", async () => {
  const s = await gateway({ accepted: false });
  expect(stateNow()).toBe("needs-sign-in");
  expect(s.notes).toEqual([`the MCP server one did not start: ${NEEDED}\n`]);
  expect(s.greeting["result"]).toMatchObject({
    instructions:
      "The tools of the MCP server one are not available, because nobody is signed in there. Ask the user to run `leeway mcp login one` in a terminal; then they appear.",
  });
  const names = async () =>
    ((await s.ask("tools/list"))["result"] as { tools: { name: string }[] }).tools.map((one) => one.name);
  expect(await names()).toEqual(["leeway_wait", "leeway_status"]);
  await signIn();
  await s.until(() => s.heard.some(({ method }) => method === "notifications/tools/list_changed"));
  expect(await names()).toEqual(["one__echo", "one__admin", "leeway_wait", "leeway_status"]);
  await s.accept();
  expect(said(await s.call("one__echo", { text: "hi" }))).toBe("said hi");
  expect(stateNow()).toBe("signed-in");
});

test("no token is in a message to the client, a note, an entry of the ledger, or readable in the state folder", async () => {
  await signIn();
  const s = await gateway();
  await s.call("one__echo", { text: "hi" });
  on.expireAll();
  await s.call("one__echo", { text: "again" });
  on.expireAll();
  on.revokeAll();
  await s.call("one__echo", { text: "too late" });
  expect(on.ran.map((one) => (one["arguments"] as { text: string }).text)).toEqual(["hi", "again"]);
  const files = readdirSync(join(folder, "mcp-logins")).map((name) => join(folder, "mcp-logins", name));
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  expect(statSync(join(folder, "mcp-logins")).mode & 0o777).toBe(0o700);
  const entries = await listEntries(s.deps, {}, { limit: 1000, order: "newest" });
  const everything = JSON.stringify([s.heard, s.notes, entries, files.map((file) => readFileSync(file, "utf8"))]);
  expect(on.secrets.length).toBeGreaterThan(3);
  expect(on.secrets.filter((one) => everything.includes(one))).toEqual([]);
});

test("a token that expires is renewed once, however many calls and gateways need it at the same time", async () => {
  await signIn();
  const both = [await gateway(), await gateway()];
  on.expireAll();
  const calls = both.flatMap((s) => [1, 2, 3, 4].map((text) => s.call("one__echo", { text: String(text) })));
  expect((await Promise.all(calls)).map(said).sort()).toEqual([1, 1, 2, 2, 3, 3, 4, 4].map((n) => `said ${n}`));
  expect(on.heard.filter((at) => at === "POST /token").length).toBe(2);
});

test("a token that is about to expire is renewed before it is used", async () => {
  on.lifeSeconds = 20;
  const { tokens } = await signIn();
  const s = await gateway();
  expect(said(await s.call("one__echo", { text: "hi" }))).toBe("said hi");
  expect(on.authorizations).not.toContain(`Bearer ${tokens.access}`);
});

test("if renewing is refused, calls fail with what to do, and nothing more is sent to the server", async () => {
  await signIn();
  const s = await gateway();
  on.expireAll();
  on.revokeAll();
  const refused = { result: { content: [{ type: "text", text: NEEDED }], isError: true } };
  expect(await s.call("one__echo", { text: "a" })).toEqual(refused);
  expect(stateNow()).toBe("expired");
  const before = on.heard.length;
  expect(await s.call("one__echo", { text: "b" })).toEqual(refused);
  expect([on.heard.length, on.ran]).toEqual([before, []]);
  await signIn();
  expect(said(await s.call("one__echo", { text: "c" }))).toBe("said c");
});

test("if the authorization server cannot be reached, the call fails and the login stays", async () => {
  await signIn();
  const s = await gateway();
  on.expireAll();
  on.instead.set("POST /token", (response) => json(response, 503, {}));
  expect(said(await s.call("one__echo", { text: "a" }))).toContain("the tokens could not be renewed");
  expect(stateNow()).toBe("signed-in");
  on.instead.clear();
  expect(said(await s.call("one__echo", { text: "b" }))).toBe("said b");
});

test("a server that refuses every token gets the request twice, and then a person has to sign in", async () => {
  await signIn();
  const s = await gateway();
  await s.call("one__echo", { text: "first" });
  on.heard.splice(0);
  on.instead.set("POST /mcp", (response) => {
    response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  });
  expect(said(await s.call("one__echo", { text: "a" }))).toBe(NEEDED);
  expect(on.heard).toEqual(["POST /mcp", "POST /token", "POST /mcp"]);
  expect(stateNow()).toBe("expired");
});

test("a call that the login does not allow says so, and the next login asks for what was missing", async () => {
  await signIn();
  const s = await gateway();
  expect(said(await s.call("one__admin", { text: "a" }))).toContain(
    "The login at the MCP server one does not allow this",
  );
  expect(stateNow()).toBe("needs-more-rights");
  expect((await signIn()).tokens.scope).toBe("read admin");
  expect(said(await s.call("one__admin", { text: "b" }))).toBe("said b");
  expect(stateNow()).toBe("signed-in");
});

test("a redirect of the server is not followed, so the token never reaches another origin", async () => {
  const others: string[] = [];
  const other = createServer((request, response) => {
    others.push(String(request.headers.authorization));
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await signIn();
  const s = await gateway();
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
  for (const status of [301, 302, 307, 308]) {
    on.instead.set("POST /mcp", (response) => void response.writeHead(status, { location }).end());
    expect(said(await s.call("one__echo", { text: "a" }))).toContain(
      `the MCP server answered with a redirect to ${new URL(location).origin}. It is not followed`,
    );
    on.instead.set("GET /.well-known/oauth-protected-resource/mcp", (response) => {
      response.writeHead(status, { location }).end();
    });
    expect(await refusal()).toContain(
      "answered with a redirect, which a login does not follow; check `url` in mcp.json",
    );
    on.instead.clear();
  }
  expect(others).toEqual([]);
  other.close();
});

test("a token belongs to the name and the address of a server, and no file can take the place of another", async () => {
  await signIn();
  expect([logins.find("two", on.url), logins.find("one", `${on.origin}/other`)]).toEqual([undefined, undefined]);
  const [file = ""] = readdirSync(join(folder, "mcp-logins"));
  logins.keep({ state: "wanted", server: "two", url: "https://two.example/mcp", atMs: 1 });
  const [other = ""] = readdirSync(join(folder, "mcp-logins")).filter((name) => name !== file);
  const { copyFileSync } = await import("node:fs");
  copyFileSync(join(folder, "mcp-logins", file), join(folder, "mcp-logins", other));
  expect(logins.find("two", "https://two.example/mcp")).toBe(undefined);
  const stranger = openServerLogins(folder, aesSealer(new Uint8Array(32).fill(1)));
  expect(stranger.list()).toEqual([]);
});

test("an answer with another state, another issuer or no issuer is refused, and a code works once", async () => {
  const begun = await beginLogin(server(), REDIRECT, undefined);
  const came = new URL(await allowed(begun.address));
  const changed = (name: string, value: string | undefined) => {
    const url = new URL(came);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return url;
  };
  const outcome = (url: URL) =>
    begun.finish(url, "ana", 1).then(
      () => "signed in",
      (error: Error) => error.message,
    );
  expect(begun.isAnswer(changed("state", "other"))).toBe(false);
  expect(await outcome(changed("state", "other"))).toContain("state");
  expect(await outcome(changed("iss", "https://evil.example"))).toContain("iss");
  expect(await outcome(changed("iss", undefined))).toContain("iss");
  const denied = new URL(`${REDIRECT}?error=access_denied&state=${came.searchParams.get("state")}`);
  denied.searchParams.set("iss", on.origin);
  expect(await outcome(denied)).toBe("the authorization server answers access_denied");
  expect(on.heard).not.toContain("POST /token");
  expect(await outcome(came)).toBe("signed in");
  expect(await outcome(came)).toBe("the authorization server answers invalid_grant");
});

test("what an MCP server says about itself must be readable, about itself, and lead to an encrypted issuer", async () => {
  const about = (resource: object) => {
    on.over.resource = resource as never;
    return refusal();
  };
  expect(await about({ resource: "https://other.example/mcp" })).toContain("describes another server than itself");
  expect(await about({ resource: `${on.origin}/mcp-other` })).toContain("describes another server than itself");
  expect(await about({ resource: undefined })).toContain("describes another server than itself");
  expect(await about({ authorization_servers: [] })).toContain("does not say where people sign in");
  expect(await about({ authorization_servers: [7] })).toContain("does not say where people sign in");
  expect(await about({ authorization_servers: ["javascript:alert(1)"] })).toContain("not encrypted");
  expect(await about({ authorization_servers: ["http://issuer.example"] })).toContain("not encrypted");
  expect(await about({ authorization_servers: ["https://ana:pw@issuer.example"] })).toContain("contains a password");
  expect(await about({ authorization_servers: [`${on.origin}/.well-known/oauth-authorization-server`] })).toContain(
    "not an issuer",
  );
  expect(await about({ authorization_servers: [`${on.origin}?a=b`] })).toContain("not an issuer");
  on.instead.set("GET /.well-known/oauth-protected-resource/mcp", (response) => void response.end("<html>"));
  expect(await refusal()).toContain("is not a JSON object");
  on.instead.set(
    "GET /.well-known/oauth-protected-resource/mcp",
    (response) => void response.end(`"${"x".repeat(2_000_000)}"`),
  );
  expect(await refusal()).toContain("too long");
});

test("a token is asked for the server itself, and for a larger whole only if the settings name it", async () => {
  const as = async (resource: string, oauth?: LoginServer["oauth"]) => {
    on.over.resource = { resource };
    return beginLogin(server(oauth === undefined ? {} : { oauth }), REDIRECT, undefined).then(
      ({ address }) => new URL(address).searchParams.get("resource"),
      (error: Error) => error.message,
    );
  };
  expect(await as(`${on.url}/`)).toBe(`${on.url}/`);
  for (const whole of [on.origin, `${on.origin}/`])
    expect(await as(whole)).toBe(
      `the MCP server ${on.url} calls itself ${whole}. With a token for that name it could use everything there, so none is asked for. ` +
        `If all of it belongs to this server, write \`"oauth": { "resource": "${whole}" }\` for it in mcp.json`,
    );
  expect(await as(`${on.url}?tenant=other`)).toContain("calls itself");
  expect(await as(`${on.url}#part`)).toContain("calls itself");
  expect(await as(`${on.origin}/`, { resource: on.origin })).toBe(`${on.origin}/`);
  expect(await as(on.url, { resource: on.origin })).toBe(
    `the MCP server calls itself ${on.url}, and \`oauth.resource\` says ${on.origin}`,
  );
  expect(await as("https://other.example", { resource: "https://other.example" })).toContain(
    "another server than itself",
  );
});

test("an authorization server that belongs to another issuer, lacks PKCE or names a bad address is refused", async () => {
  const says = (metadata: object) => {
    on.over.server = metadata as never;
    return refusal();
  };
  expect(await says({ issuer: "https://good.example" })).toContain("issuer");
  expect(await says({ code_challenge_methods_supported: ["plain"] })).toContain("PKCE");
  expect(await says({ code_challenge_methods_supported: undefined })).toContain("PKCE");
  expect(await says({ authorization_endpoint: "javascript:alert(1)" })).toContain("not encrypted");
  expect(await says({ authorization_endpoint: "http://evil.example/authorize" })).toContain("not encrypted");
  expect(await says({ token_endpoint: "http://evil.example/token" })).toContain("not encrypted");
  expect(await says({ token_endpoint: undefined })).toContain("names no token_endpoint");
  expect(await says({ registration_endpoint: "file:///etc/passwd" })).toContain("not encrypted");
  expect(await says({ registration_endpoint: undefined })).toContain("oauth.clientId");
  on.over.server = {};
  on.instead.set("GET /.well-known/oauth-authorization-server", (response) => json(response, 200, [1]));
  expect(await refusal()).not.toBe("signed in");
  expect(on.heard).not.toContain("POST /token");
});

test("an MCP server that says where people sign in only after the login leads nowhere else later", async () => {
  const { tokens } = await signIn();
  const s = await gateway();
  on.expireAll();
  on.over.resource = { authorization_servers: ["https://evil.example"] };
  on.over.server = { token_endpoint: "https://evil.example/token" };
  on.heard.splice(0);
  expect(said(await s.call("one__echo", { text: "a" }))).toBe("said a");
  expect([...new Set(on.heard)].sort()).toEqual(["GET /mcp", "POST /mcp", "POST /token"]);
  expect(logins.find("one", on.url)).toMatchObject({
    state: "active",
    tokens: { access: expect.not.stringContaining(tokens.access) },
  });
});

test("a server that never answers ends the login with an error", async () => {
  on.instead.set("GET /.well-known/oauth-authorization-server", () => undefined);
  expect(await refusal()).toContain("timeout");
}, 40_000);

test("a client id of the settings is used instead of registering", async () => {
  const begun = await beginLogin(
    server({ oauth: { clientId: "https://leeway.example/client.json", scope: "a b" } }),
    REDIRECT,
    undefined,
  );
  const asked = new URL(begun.address).searchParams;
  expect([asked.get("client_id"), asked.get("scope"), asked.get("resource")]).toEqual([
    "https://leeway.example/client.json",
    "a b",
    on.url,
  ]);
  expect(on.heard).not.toContain("POST /register");
});

test("ending a login revokes its tokens", async () => {
  const made = await signIn();
  expect(await revoked(made)).toBe(true);
  expect(logins.forget("one", on.url)).toBe(true);
  const s = await gateway({ accepted: false });
  expect(s.notes).toEqual([`the MCP server one did not start: ${NEEDED}\n`]);
});
