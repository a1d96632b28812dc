import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pagesOf } from "../../src/cli/gate/pages.ts";
import { ASKING, asAna, PASSPHRASE } from "./person.ts";
import { asking, leeway, type Machine, machine } from "./program.ts";
import { endAll, type Up, up } from "./servers.ts";

// Two machines: one with a server, one that knows only its address and a token.

const [home, away] = [machine(), machine()];
let server: Up;
let coder: Machine;
let ana: Machine;

beforeAll(async () => {
  writeFileSync(join(home.project, "leeway.yaml"), ASKING);
  writeFileSync(join(home.home, "pw"), `${PASSPHRASE}\n`);
  const passphrase = ["--password-file", join(home.home, "pw")];
  await leeway(home, ["init", "--yes", "--name", "ana", ...passphrase]);
  const token = async (...args: string[]) => (await leeway(home, ["tokens", "add", ...args])).stdout.trim();
  const tokens = {
    coder: await token("--agent", "coder"),
    ana: await token("--person", "ana", "--can", "approve", ...passphrase),
  };
  server = await up(home);
  const holding = (text: string) => ({ ...away, env: { ...away.env, LEEWAY_URL: server.url, LEEWAY_TOKEN: text } });
  [coder, ana] = [holding(tokens.coder), holding(tokens.ana)];
});
afterAll(async () => {
  await server.stop();
  endAll();
  for (const on of [home, away]) on.remove();
});

const json = async (on: Machine, ...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);

test("check uses the server's policy, with the same words and the same exit codes", async () => {
  const here = await leeway(home, ["check", "--agent", "coder", "--command", "rm -rf /srv", "--json"]);
  const there = await leeway(coder, ["check", "--command", "rm -rf /srv", "--json"], { cwd: home.project });
  // People may see where paths really lead on the server's machine, but an agent may not.
  const seenByAgent = (decided: { targets: { kind: string }[] }) => ({
    ...decided,
    targets: decided.targets.filter(({ kind }) => kind !== "path"),
  });
  expect([there.code, JSON.parse(there.stdout)]).toEqual([here.code, seenByAgent(JSON.parse(here.stdout))]);
  expect(there.code).toBe(5);
  const lines = ['{"tool":"read_file","args":{"path":"a"}}', "{", '{"tool":"memo","args":{}}'].join("\n");
  const batch = await leeway(coder, ["check", "--batch", "-"], { stdin: lines });
  const tiers = batch.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).tier);
  expect([batch.code, tiers]).toEqual([2, ["auto", "deny", "shadow"]]);
  expect((await leeway(coder, ["check", "--command", "ls", "--policy", "mine.yaml"])).stderr).toContain(
    "the server uses its own policy",
  );
});

test("a command is asked about on the server, answered with a person's token, and runs here once", async () => {
  const running = asking(coder, ["run", "--receipt", "r.json", "--", "sh", "-c", "echo ran >> out.txt"]);
  const id = await running.asked;
  const [question] = (await json(ana, "inbox")).questions;
  expect(question).toMatchObject({ id, agent: "coder", quorum: 1, have: 0 });
  const shown = await leeway(ana, ["show", id.slice(0, 20)]);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("echo ran >> out.txt")]);
  const wrong = await leeway(ana, ["approve", id, "--digest", `sha256:${"0".repeat(64)}`]);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("the answer was about") });
  const approved = await leeway(ana, ["approve", id.slice(0, 20), "--note", "go on"]);
  expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining(`approved ${id}`)]);
  expect((await running.ended).code).toBe(0);
  expect(readFileSync(join(away.project, "out.txt"), "utf8")).toBe("ran\n");
  const { approvalId, exitCode } = JSON.parse(readFileSync(join(away.project, "r.json"), "utf8"));
  expect([approvalId, exitCode]).toEqual([id, 0]);
  expect((await leeway(ana, ["approve", id])).stderr).toContain(`${id} is approved already`);
  const kinds = (await leeway(ana, ["log", "--approval", id, "--json"])).stdout.trim().split("\n");
  expect(kinds.map((line) => JSON.parse(line).kind)).toEqual([
    "call.decided",
    "approval.opened",
    "review.refused",
    "approval.reviewed",
    "approval.approved",
    "execution.claimed",
    "execution.succeeded",
  ]);
});

test("a denial ends the command with its reason, and nothing runs", async () => {
  const running = asking(coder, ["run", "--", "sh", "-c", "touch denied.txt"]);
  const id = await running.asked;
  expect((await leeway(ana, ["deny", id])).code).toBe(2);
  expect((await leeway(ana, ["deny", id, "--note", "not today"])).code).toBe(0);
  const ended = await running.ended;
  expect([ended.code, ended.stderr]).toEqual([5, expect.stringContaining("ana denied this call: not today")]);
  expect(existsSync(join(away.project, "denied.txt"))).toBe(false);
});

test("a token allows only the acts that it is made for", async () => {
  for (const args of [["inbox"], ["log"], ["approve", "apr_0"], ["show", "apr_0"]]) {
    const refused = await leeway(coder, args);
    expect([args, refused.code, refused.stderr]).toEqual([
      args,
      5,
      expect.stringContaining("the agent coder may not do this"),
    ]);
  }
  expect(await leeway(ana, ["run", "--", "touch", "hers.txt"])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("ana may not do this"),
  });
  expect((await leeway(ana, ["approve", "apr_0", "--remember", "24h"])).stderr).toContain("needs a new sign-in");
  expect(existsSync(join(away.project, "hers.txt"))).toBe(false);
});

test("`why` explains a decision of the server in the same words as on its own machine, from any id", async () => {
  const running = asking(coder, ["run", "--", "sh", "-c", "touch why.txt"]);
  const id = await running.asked;
  const here = await json(home, "why", id);
  expect(await json(ana, "why", id)).toEqual(here);
  expect(await json(ana, "why", here.id.slice(0, 24))).toEqual(here);
  expect([here.asks, here.history.map(({ kind }: { kind: string }) => kind)]).toEqual([
    id,
    ["call.decided", "approval.opened"],
  ]);
  const [text, there] = [await leeway(home, ["why", id]), await leeway(ana, ["why", id])];
  expect([there.code, there.stdout]).toEqual([0, text.stdout]);
  expect(await leeway(coder, ["why", id])).toMatchObject({ code: 5, stdout: "" });
  expect(await leeway(ana, ["why", "call_ffff"])).toMatchObject({ code: 1, stdout: "" });
  await leeway(ana, ["deny", id, "--note", "enough"]);
  expect((await running.ended).code).toBe(5);
});

test("the next step that an agent is told is on the server's pages, not a command that would refuse it", async () => {
  const waiting = await leeway(coder, ["run", "--wait", "1s", "--", "git", "push", "--tags"]);
  const printed = "at the address that `leeway up` printed";
  expect(waiting.stderr).toContain(`in the inbox ${printed}; then the same command runs once`);
  expect(waiting.stderr).not.toContain("leeway inbox");
  const denied = await leeway(coder, ["run", "--", "rm", "-rf", "everything"]);
  expect(denied).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(`hint: the page /calls/call_\\w+ ${printed}`),
  });
  // The address for programs has no pages, and programs do not know the host name of the pages.
  expect(waiting.stderr + denied.stderr).not.toContain(server.url);
});

test("links to a server use the host name of its address", () => {
  expect(pagesOf("https://gate.example.com/").at("/calls/call_1")).toBe("https://gate.example.com/calls/call_1");
  expect(pagesOf("https://gate.example.com").all).toBe("the pages of https://gate.example.com");
  for (const url of ["http://127.0.0.1:4141", "http://[::1]:4141", "http://localhost:4141"])
    expect(pagesOf(url).all).toBe("the pages at the address that `leeway up` printed");
});

test("a person can pause an agent from anywhere, and the agent is refused until the pause ends", async () => {
  const stopped = await leeway(ana, ["agents", "pause", "coder", "--because", "it loops"]);
  expect([stopped.code, stopped.stdout]).toEqual([0, expect.stringContaining("agent coder is paused")]);
  const refused = await leeway(coder, ["run", "--", "ls"]);
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([5, "", expect.stringContaining("LEEWAY_PAUSED")]);
  const demote = ["agents", "demote", "coder", "--tier", "ask", "--class", "fs.read", "--because", "it loops"];
  expect(await leeway(ana, demote)).toMatchObject({ code: 0, stdout: "coder now has the tier ask for fs.read\n" });
  expect(await json(ana, "trust", "coder")).toMatchObject({ agent: "coder" });
  expect(await leeway(ana, ["trust", "--import", "missing.json"])).toMatchObject({
    code: 1,
    stderr: "leeway: the file missing.json does not exist\n  hint: check the path\n",
  });
  expect((await leeway(ana, ["trust"])).code).toBe(2);
  expect(await leeway(coder, ["pause"])).toMatchObject({ code: 5, stdout: "" });
});

test("grants, people and tokens of the server are listed, and can be revoked with a token", async () => {
  await asAna(home, ["grants", "add", "--agent", "coder", "--command", "npm test", "--for", "8h"]);
  const [held] = await json(ana, "grants", "list");
  expect([held, ...(await json(home, "grants", "list"))]).toEqual([held, held]);
  expect((await leeway(ana, ["grants", "list"])).stdout).toContain("npm test");
  expect((await leeway(ana, ["grants", "revoke", held.grant.id])).stdout).toContain("it no longer covers anything");
  expect([await json(ana, "grants", "list"), (await json(ana, "grants", "list", "--all")).length]).toEqual([[], 1]);
  expect(await json(ana, "people", "list")).toMatchObject([{ name: "ana", admin: true, state: "active" }]);
  // A server does not reveal whether somebody has a passphrase.
  expect((await leeway(ana, ["people", "list"])).stdout).toMatch(/^NAME +ROLE +GROUPS +ADDED\nana +admin +- +/);
  const tokens = await json(ana, "tokens", "list");
  expect(tokens.map(({ holder }: { holder: unknown }) => holder)).toEqual([
    { agent: "coder" },
    { person: "ana", can: "approve" },
  ]);
  expect((await leeway(ana, ["tokens", "list"])).stdout).toContain("agent coder");
  const spare = (await asAna(home, ["tokens", "add", "--agent", "spare"])).text.match(/revoke (tok_\w+)/)?.[1] ?? "";
  expect((await leeway(ana, ["tokens", "revoke", spare])).stdout).toBe(`revoked ${spare}\n`);
  expect(await leeway(coder, ["people", "list"])).toMatchObject({ code: 5, stdout: "" });
});

test("an act that needs a fresh sign-in names the server's page for it, and changes nothing", async () => {
  const before = (await json(ana, "status")).ledger;
  for (const [args, page] of [
    [["resume"], "Settings"],
    [["agents", "resume", "coder"], "Agents"],
    [["grants", "add", "--agent", "coder", "--class", "fs.write"], "Grants"],
    [["people", "change", "ana", "--role", "auditor"], "People"],
    [["tokens", "add", "--agent", "mallory"], "People"],
  ] as const) {
    const refused = await leeway(ana, args);
    const hint = `sign in to the server's pages and do it there, under ${page}\n`;
    expect([args, refused.code, refused.stdout, refused.stderr]).toEqual([args, 5, "", expect.stringContaining(hint)]);
  }
  expect((await json(ana, "status")).ledger).toEqual(before);
});

test("status shows what the token may see, and nothing is written on this machine", async () => {
  expect(await json(coder, "status")).toEqual({ server: server.url, policy: null });
  expect(await json(ana, "status")).toMatchObject({ server: server.url, people: [{ name: "ana", admin: true }] });
  expect(existsSync(join(away.home, "state"))).toBe(false);
});

test("if no server is running nothing runs, and an unknown token is refused", async () => {
  const env = { LEEWAY_URL: "http://127.0.0.1:9999" };
  expect(await leeway(coder, ["run", "--", "touch", "gone.txt"], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be used"),
  });
  const nobody = await leeway(coder, ["run", "--", "touch", "gone.txt"], { env: { LEEWAY_TOKEN: "lwy_0_0" } });
  expect([nobody.code, nobody.stderr]).toEqual([5, expect.stringContaining("the server does not know this token")]);
  expect(existsSync(join(away.project, "gone.txt"))).toBe(false);
});
