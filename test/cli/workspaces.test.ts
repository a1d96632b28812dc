import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { endAll, up } from "./servers.ts";

let on: Machine;
beforeEach(async () => {
  on = machine();
  await setUpAna(on);
});
afterEach(() => on.remove());
afterAll(endAll);

const folder = () => join(on.home, "state", "leeway", "workspaces", "support");
const file = () => join(on.home, "passphrase.txt");
const add = () => asAna(on, ["workspaces", "add", "support", "--admin", "ben", "--password-file", file()]);

const HEAD = `# Written by \`leeway workspaces add\`: what agents may do in this workspace. docs/policy.md explains every key.
# If several rules match, the strictest one applies. A change of this file applies at once.
`;

test("an admin adds a workspace, a server serves it, each record verifies, and removing it keeps everything", async () => {
  expect(await add()).toMatchObject({ code: 0, text: expect.stringContaining("added the workspace support") });
  const policy = join(folder(), "leeway.yaml");
  const text = readFileSync(policy, "utf8");
  expect(text).toContain("preset: standard");
  expect(text.slice(0, text.indexOf("version: 1"))).toBe(HEAD);
  const env = { LEEWAY_WORKSPACE: "support" };
  for (const args of [["status"], ["policy", "show"], ["doctor"]])
    expect((await leeway(on, args, { env })).stdout.replace(/\s+/g, " ")).toContain(
      `${policy}: the policy of the workspace support; no other policy file is used`,
    );
  const args = ["tokens", "add", "--agent", "helper", "--as", "ben", "--password-file", file()];
  const token = (await leeway(on, args, { env })).stdout.trim();
  expect(token).toMatch(/^lwy_[0-9a-z]+_[0-9a-f]{64}\.support$/);
  const server = await up(on);
  const call = { tool: "read_file", args: { path: "a" }, cwd: on.project };
  const asked = await fetch(`${server.url}/v1/calls`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(call),
  });
  expect(await asked.json()).toMatchObject({ outcome: "run" });
  await server.stop();
  const listed = JSON.parse((await leeway(on, ["workspaces", "list", "--json"])).stdout);
  expect(listed).toMatchObject([
    { name: "default", policy: null, people: 1 },
    { name: "support", policy: join(folder(), "leeway.yaml"), people: 1, pending: 0 },
  ]);
  const verified = await leeway(on, ["verify", "--all", "--json"]);
  expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([
    0,
    [
      { workspace: "default", ok: true },
      { workspace: "support", ok: true },
    ],
  ]);
  expect((await leeway(on, ["backup", join(on.home, "copy")])).stdout).toContain("workspaces");
  expect(await asAna(on, ["workspaces", "remove", "support"])).toMatchObject({ code: 0 });
  expect(existsSync(folder())).toBe(false);
  expect(JSON.parse((await leeway(on, ["workspaces", "list", "--json"])).stdout)).toHaveLength(1);
  const lines = (await leeway(on, ["log", "--json"])).stdout.trim().split("\n");
  const acts = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind.startsWith("workspace."));
  expect(acts.map(({ kind, actor, body }) => ({ kind, actor, body: body.json }))).toEqual([
    { kind: "workspace.added", actor: "person:ana", body: { name: "support", admin: "ben", assurance: "tty" } },
    { kind: "workspace.removed", actor: "person:ana", body: { name: "support", assurance: "tty" } },
  ]);
});

test("without a terminal, without an admin, or with a name or policy that is not one, no workspace is made", async () => {
  const ran = async (args: readonly string[]) => leeway(on, ["workspaces", "add", ...args, "--password-file", file()]);
  expect(await ran(["support"])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("a person at a terminal is needed to add the workspace support"),
  });
  for (const args of [["default"], ["a/b"], ["support", "--policy", file()]]) {
    expect([args, (await ran(args)).code]).toEqual([args, expect.toBeOneOf([1, 2])]);
  }
  expect(existsSync(folder())).toBe(false);
});

test("a workspace that is in the database already is not added again by mistake, and a machine can serve it, too", async () => {
  expect((await add()).code).toBe(0);
  expect((await asAna(on, ["workspaces", "remove", "support"])).text).toContain(
    "is no longer served; its folder is now",
  );
  const shown = async (args: readonly string[]) => {
    const { code, text } = await asAna(on, ["workspaces", "add", "support", ...args]);
    return [code, text.replace(/\s+/g, " ")];
  };
  expect(await shown(["--admin", "ben"])).toEqual([
    2,
    expect.stringContaining("the workspace support exists already in the database, with its people"),
  ]);
  expect(await shown([])).toEqual([
    2,
    expect.stringContaining("copy the folder workspaces/support from the state folder"),
  ]);
  expect(existsSync(folder())).toBe(false);
  expect(await shown(["--preset", "standard"])).toEqual([
    0,
    expect.stringContaining(
      "the workspace support exists already in the database; from now on a server of this machine",
    ),
  ]);
});
