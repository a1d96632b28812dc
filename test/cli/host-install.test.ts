import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

// What `leeway init HOST` writes for the hosts whose settings are not like those of Claude Code, and what doctor finds.

const on: Machine = machine();
beforeAll(() => setUpAna(on), 180_000);
afterAll(() => on.remove());

const FILES = {
  codex: [".codex/hooks.json"],
  opencode: [".opencode/plugin/leeway.js"],
  copilot: [".github/copilot/settings.local.json"],
  vscode: [".github/hooks/leeway-vscode.json"],
};

test.each(Object.entries(FILES))("init %s writes its files, once, and undo takes them away", async (host, files) => {
  const paths = files.map((file) => join(on.project, file));
  const shown = await leeway(on, ["init", host, "--dry-run", "--yes", "--json"]);
  expect([shown.code, paths.map((path) => existsSync(path))]).toEqual([0, paths.map(() => false)]);
  const first = JSON.parse((await leeway(on, ["init", host, "--yes", "--json"])).stdout);
  expect([first.hosts[0].changed, paths.map((path) => existsSync(path))]).toEqual([true, paths.map(() => true)]);
  const second = JSON.parse((await leeway(on, ["init", host, "--yes", "--json"])).stdout);
  expect(second.hosts.map(({ changed }: { changed: boolean }) => changed)).not.toContain(true);
  expect((await leeway(on, ["init", host, "--undo", "--yes"])).code).toBe(0);
  expect(paths.map((path) => existsSync(path))).toEqual(paths.map(() => false));
});

test.each(["codex", "opencode", "copilot", "claude-code"])(
  "undo removes the folders that init made for %s, and none that has other files",
  async (host) => {
    const folders = [".codex", ".opencode", ".github", ".claude"];
    const found = () => folders.filter((folder) => existsSync(join(on.project, folder)));
    await leeway(on, ["init", host, "--yes"]);
    expect(found().length).toBe(1);
    await leeway(on, ["init", host, "--undo", "--yes"]);
    expect(found()).toEqual([]);
    await leeway(on, ["init", host, "--yes"]);
    const [folder = ""] = found();
    writeFileSync(join(on.project, folder, "mine.txt"), "");
    await leeway(on, ["init", host, "--undo", "--yes"]);
    expect(readdirSync(join(on.project, folder))).toEqual(["mine.txt"]);
    rmSync(join(on.project, folder), { recursive: true });
  },
);

test("a hook of Copilot CLI that an earlier version wrote is moved into the local settings of the project, and undo removes it", async () => {
  const local = join(on.project, ".github", "copilot", "settings.local.json");
  const former = join(on.project, ".github", "hooks", "leeway.json");
  await leeway(on, ["init", "copilot", "--yes"]);
  const { hooks } = JSON.parse(readFileSync(local, "utf8"));
  await leeway(on, ["init", "copilot", "--undo", "--yes"]);
  mkdirSync(join(on.project, ".github", "hooks"), { recursive: true });
  writeFileSync(former, JSON.stringify({ version: 1, hooks }));
  const moved = await leeway(on, ["init", "copilot", "--yes"]);
  expect([moved.stdout.includes(`took the hook out of ${former}`), existsSync(former)]).toEqual([true, false]);
  expect(JSON.parse(readFileSync(local, "utf8"))).toEqual({ hooks });
  await leeway(on, ["init", "copilot", "--undo", "--yes"]);
  expect(existsSync(local)).toBe(false);
  rmSync(join(on.project, ".github"), { recursive: true });
});

test("a warning about trust says what to do, and init does not promise that calls are asked about before that", async () => {
  const ran = await leeway(on, ["init", "gemini", "--yes"]);
  expect(ran.stdout).toContain(
    `warning: Gemini CLI uses the hooks of ${on.project} only after you have trusted this folder. Start \`gemini\` there once and say yes`,
  );
  expect(ran.stdout).toContain("Before you have dealt with the warnings above, gemini may run calls without asking");
  mkdirSync(join(on.home, ".gemini"), { recursive: true });
  const trusted = join(on.home, ".gemini", "trustedFolders.json");
  writeFileSync(trusted, JSON.stringify({ [on.project]: "TRUST_FOLDER" }));
  const again = await leeway(on, ["init", "gemini", "--yes"]);
  expect([
    again.stdout.includes("warning"),
    again.stdout.includes("gemini asks Leeway before every tool call"),
  ]).toEqual([false, true]);
  await leeway(on, ["init", "gemini", "--undo", "--yes"]);
  rmSync(trusted);
});

test("Codex's settings are kept, and undo restores them byte for byte", async () => {
  const config = join(on.home, ".codex", "config.toml");
  const mine = '# mine\nmodel = "x"\n\n[tui]\ntheme = "dark"';
  mkdirSync(join(on.home, ".codex"), { recursive: true });
  writeFileSync(config, mine);
  const ran = JSON.parse((await leeway(on, ["init", "codex", "--user", "--yes", "--json"])).stdout);
  const hooks = join(on.home, ".codex", "hooks.json");
  expect(ran.hosts).toEqual([
    { host: "codex", file: hooks, changed: true, dangers: [] },
    { host: "codex", file: config, changed: true, dangers: [] },
  ]);
  const text = readFileSync(config, "utf8");
  expect(text.startsWith(`${mine}\n# leeway: `)).toBe(true);
  const keys = [...text.matchAll(/^\[hooks\.state\."(.*)"\]\ntrusted_hash = "sha256:[0-9a-f]{64}"$/gm)].map(
    ([, key]) => key,
  );
  const events = ["pre_tool_use", "permission_request", "post_tool_use", "session_end"];
  expect(keys).toEqual(events.map((event) => `${hooks}:${event}:0:0`));
  await leeway(on, ["init", "codex", "--user", "--undo", "--yes"]);
  expect([readFileSync(config, "utf8"), existsSync(hooks)]).toEqual([mine, false]);
});

test("a hash that a person trusted earlier at the same place is replaced, not written twice", async () => {
  const config = join(on.home, ".codex", "config.toml");
  const key = `${join(on.home, ".codex", "hooks.json")}:pre_tool_use:0:0`;
  writeFileSync(config, `[hooks.state."${key}"]\ntrusted_hash = "sha256:old"\nenabled = true\n\n[tui]\ntheme = "x"\n`);
  await leeway(on, ["init", "codex", "--user", "--yes"]);
  const text = readFileSync(config, "utf8");
  expect([text.split(key).length - 1, text.includes("sha256:old"), text.includes("enabled = true")]).toEqual([
    1,
    false,
    true,
  ]);
  await leeway(on, ["init", "codex", "--user", "--undo", "--yes"]);
});

test("a file of somebody else at the place of a plugin is not overwritten", async () => {
  const file = join(on.project, ".opencode", "plugin", "leeway.js");
  mkdirSync(join(on.project, ".opencode", "plugin"), { recursive: true });
  writeFileSync(file, "export const Mine = async () => ({});\n");
  const ran = await leeway(on, ["init", "opencode", "--yes"]);
  expect([ran.code, ran.stderr, readFileSync(file, "utf8")]).toEqual([
    1,
    expect.stringMatching(/somebody else wrote it/),
    "export const Mine = async () => ({});\n",
  ]);
  writeFileSync(file, "");
});

type Found = { what: string; state: string; says: string };

async function hostFindings(env: Record<string, string> = {}): Promise<readonly Found[]> {
  const { findings } = JSON.parse((await leeway(on, ["doctor", "--json"], { env })).stdout);
  return findings.filter(({ what }: Found) => what === "host");
}

test("doctor starts the hook of each host as its settings say, and finds the call in the record", async () => {
  const hosts = ["claude-code", "codex", "gemini", "opencode", "copilot"];
  await leeway(on, ["init", ...hosts, "--user", "--yes"]);
  const works = (await hostFindings({ PATH: "/usr/bin:/bin" })).filter(({ state }) => state === "ok");
  expect(works.map(({ says }) => says.split(":")[0])).toEqual(hosts);
  const bad = (await hostFindings({ PATH: "/usr/bin:/bin" })).filter(({ state }) => state === "bad");
  expect(bad).toEqual([]);
  expect(JSON.parse((await leeway(on, ["sessions", "--json"])).stdout)).toEqual([]);
}, 120_000);

test("doctor finds hooks switched off in a settings file of the project that has no hook itself", async () => {
  const folder = join(on.project, ".claude");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "settings.json");
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  writeFileSync(file, '{ "disableAllHooks": true }');
  const found = (await hostFindings({ PATH: "/usr/bin:/bin" })).filter(({ says }) => says.includes("disableAllHooks"));
  if (before === undefined) rmSync(file);
  else writeFileSync(file, before);
  const says = "claude-code: `disableAllHooks` is true: no hook runs, so nothing is gated";
  expect(found).toEqual([{ what: "host", state: "bad", says: `${says} (${file})` }]);
}, 120_000);

test("doctor says what lets calls through: a missing onFailure, hooks switched off, a broken program, lost trust", async () => {
  const claude = join(on.home, ".claude", "settings.json");
  const settings = JSON.parse(readFileSync(claude, "utf8"));
  const { onFailure: _, ...open } = settings.hooks.PreToolUse[0].hooks[0];
  settings.hooks.PreToolUse[0].hooks[0] = { ...open, timeout: 30 };
  settings.hooks.PreToolUse.push({ hooks: [{ type: "command", command: "other.sh" }] });
  writeFileSync(claude, JSON.stringify({ ...settings, disableAllHooks: true }));
  const codexHooks = join(on.home, ".codex", "hooks.json");
  writeFileSync(codexHooks, readFileSync(codexHooks, "utf8").replace("--timeout 600", "--timeout 500"));
  const gemini = join(on.home, ".gemini", "settings.json");
  writeFileSync(gemini, readFileSync(gemini, "utf8").replaceAll(process.execPath, "/no/such/node"));
  const said = (await hostFindings({ PATH: "/usr/bin:/bin" })).map(({ state, says }) => `${state} ${says}`).join("\n");
  expect(said).toMatch(/warn claude-code: the hook has no `onFailure: block`/);
  expect(said).toMatch(
    /warn claude-code: the host ends the hook after 30 seconds, but the hook was told that it waits 600/,
  );
  expect(said).toMatch(/bad claude-code: `disableAllHooks` is true/);
  expect(said).toMatch(/warn claude-code: another hook sees every call as well.*other\.sh/);
  expect(said).toMatch(/bad codex: it does not trust the hook/);
  expect(said).toMatch(/bad gemini: the hook in .* is not what `leeway init gemini` writes here/);
}, 120_000);
