import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

const on: Machine = machine();
const file = join(on.project, ".claude", "settings.local.json");
beforeAll(() => setUpAna(on));
beforeEach(() => {
  rmSync(dirname(file), { recursive: true, force: true });
  rmSync(join(on.home, "state", "leeway", "hosts"), { recursive: true, force: true });
  mkdirSync(dirname(file));
});
afterAll(() => on.remove());

const install = () => leeway(on, ["init", "claude-code", "--yes"]);
const undo = () => leeway(on, ["init", "claude-code", "--undo", "--yes"]);
const settings = () => JSON.parse(readFileSync(file, "utf8"));

/** As if the hook had been installed with another Node: the next install changes it. */
function age(more: object): void {
  const old = readFileSync(file, "utf8").replaceAll(process.execPath, "/old/node");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(old), ...more }, null, 2));
}

/** Where earlier versions wrote the hook: a project shares this file. */
const shared = join(dirname(file), "settings.json");

/** As if an earlier version had been installed, on this machine or on that of a colleague. */
async function installEarlier(more: object): Promise<string> {
  await install();
  const text = JSON.stringify({ ...more, ...settings() });
  await undo();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(shared, text);
  return text;
}

test("init moves a hook out of the settings that the project shares, and says so; undo leaves the rest of them", async () => {
  await installEarlier({ model: "opus" });
  const found = await leeway(on, ["doctor", "--json"]);
  expect(found.stdout).toContain(`claude-code: its hook is in ${shared}, which a project shares`);
  const ran = await install();
  expect(ran.stdout).toContain(`claude-code: wrote ${file}\nclaude-code: took the hook out of ${shared}`);
  expect(ran.stdout).toContain(`Do not commit ${file}: it has paths of this machine.`);
  expect([JSON.parse(readFileSync(shared, "utf8")), Object.keys(settings())]).toEqual([{ model: "opus" }, ["hooks"]]);
  expect((await leeway(on, ["doctor", "--json"])).stdout).not.toContain("which a project shares");
  await undo();
  expect([existsSync(file), JSON.parse(readFileSync(shared, "utf8"))]).toEqual([false, { model: "opus" }]);
});

test("undo and a dry run know a hook that an earlier version wrote into the shared settings", async () => {
  const text = await installEarlier({});
  const shown = await leeway(on, ["init", "claude-code", "--dry-run"]);
  expect([shown.stdout.includes(`would take the hook out of ${shared}`), readFileSync(shared, "utf8")]).toEqual([
    true,
    text,
  ]);
  expect((await undo()).stdout).toContain(`the hook is out of ${shared}`);
  expect(JSON.parse(readFileSync(shared, "utf8"))).toEqual({});
});

test("init names the place of the settings if their folder is a link", async () => {
  rmSync(dirname(file), { recursive: true });
  const real = join(on.home, "dotclaude");
  mkdirSync(real);
  symlinkSync(real, dirname(file));
  const place = `${file}, which is the file ${join(real, "settings.local.json")}`;
  const ran = await install();
  expect([ran.stderr.includes(place), ran.stdout.includes(`wrote ${place}`)]).toEqual([true, true]);
  await undo();
  rmSync(dirname(file));
  rmSync(real, { recursive: true });
  mkdirSync(dirname(file));
});

test("undo after a second install keeps what the user wrote between the two", async () => {
  await install();
  age({ env: { MINE: "1" } });
  await install();
  expect(readFileSync(file, "utf8")).toContain(process.execPath);
  expect((await undo()).code).toBe(0);
  expect(settings()).toEqual({ env: { MINE: "1" } });
});

test("undo takes out a hook that was there before the first install on this machine", async () => {
  await install();
  age({ model: "opus" });
  rmSync(join(on.home, "state", "leeway", "hosts"), { recursive: true });
  await install();
  await undo();
  expect(settings()).toEqual({ model: "opus" });
});

test("a file that the user wrote anew after an install is restored byte for byte", async () => {
  await install();
  const anew = '{ "model":   "opus" }';
  for (const text of [anew, ""]) {
    writeFileSync(file, text);
    await install();
    await undo();
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

test("no link in a project can make init write to another file", async () => {
  const victim = join(on.home, "victim");
  writeFileSync(victim, "export PATH\n");
  symlinkSync(victim, `${file}.leeway-new`);
  expect((await install()).code).toBe(0);
  expect(readFileSync(victim, "utf8")).toBe("export PATH\n");
  expect(readdirSync(dirname(file)).sort()).toEqual(["settings.local.json", "settings.local.json.leeway-new"]);
});

test.each([0o600, 0o664])("the permissions of the settings stay (%i)", async (mode) => {
  writeFileSync(file, "{}\n");
  chmodSync(file, mode);
  await install();
  expect(statSync(file).mode & 0o777).toBe(mode);
  await undo();
  expect(statSync(file).mode & 0o777).toBe(mode);
});

test("settings behind a link are changed where they are, and the person is told the place", async () => {
  const real = join(on.home, "dotfiles.json");
  writeFileSync(real, '{"model":"opus"}\n');
  symlinkSync(real, file);
  expect((await install()).stderr).toContain(`${file}, which is the file ${real}`);
  expect([lstatSync(file).isSymbolicLink(), readFileSync(real, "utf8")]).toEqual([
    true,
    expect.stringContaining("PreToolUse"),
  ]);
  await undo();
  expect([lstatSync(file).isSymbolicLink(), readFileSync(real, "utf8")]).toEqual([true, '{"model":"opus"}\n']);
});

test("a link to a file that does not exist is refused, and nothing is made there", async () => {
  const real = join(on.home, "nothing.json");
  symlinkSync(real, file);
  const ran = await install();
  expect([ran.code, existsSync(real), lstatSync(file).isSymbolicLink()]).toEqual([1, false, true]);
  expect(ran.stderr).toContain(`${file} is a link to a file that does not exist`);
});

test("settings that are not UTF-8 are refused and not changed", async () => {
  const bytes = Buffer.from('{"model":"\xe9t\xe9"}\n', "latin1");
  writeFileSync(file, bytes);
  for (const act of [install, undo]) {
    const ran = await act();
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`${file} is not UTF-8 text`)]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }
});

test("settings with a key twice are refused with the reason and not changed", async () => {
  const text = '{\n  "hooks": {},\n  "hooks": { "Stop": [] }\n}\n';
  writeFileSync(file, text);
  const ran = await install();
  expect([ran.code, readFileSync(file, "utf8")]).toEqual([1, text]);
  expect(ran.stderr).toContain(`${file} was not changed: line 3 has the key \`hooks\` a second time`);
});

test.each([
  ["a pipe", () => void spawnSync("mkfifo", [file])],
  ["a folder", () => void mkdirSync(file)],
  ["a device", () => symlinkSync("/dev/zero", file)],
])("settings that are %s are refused by init, undo and a dry run, which do not wait for it", async (kind, make) => {
  make();
  for (const more of [["--yes"], ["--undo", "--yes"], ["--dry-run"]]) {
    const ran = await leeway(on, ["init", "claude-code", ...more]);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`${file} is ${kind}, not a file`)]);
  }
  const checked = await leeway(on, ["doctor"]);
  expect(checked.stdout).toContain(`claude-code: ${file} is ${kind}, not a file`);
});

test("settings that are a socket are refused", async () => {
  const server = createServer();
  // The name of a socket must be short.
  await new Promise<void>((resolve) => server.listen({ path: relative(process.cwd(), file) }, resolve));
  try {
    const ran = await install();
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`${file} is a socket, not a file`)]);
  } finally {
    server.close();
  }
});

test("a file in the place of the folder of the settings is named, and stays", async () => {
  rmSync(dirname(file), { recursive: true });
  writeFileSync(dirname(file), "mine");
  const ran = await install();
  const why = `there can be no ${file}: a part of this path is a file, not a folder`;
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(why)]);
  expect(readFileSync(dirname(file), "utf8")).toBe("mine");
});

test("doctor starts no program that only the settings of a project call Leeway, and asks no server that they name", async () => {
  const [ran, planted] = [join(on.home, "ran.txt"), join(on.project, "bin", "leeway.cjs")];
  mkdirSync(dirname(planted), { recursive: true });
  writeFileSync(planted, `require("node:fs").writeFileSync(${JSON.stringify(ran)}, "")`);
  await install();
  const own = settings().hooks.PreToolUse[0].hooks[0];
  const hooks = [
    { type: "command", command: process.execPath, args: [planted, "hook", "claude-code"] },
    { type: "command", command: `${process.execPath} ${planted} hook claude-code` },
    { ...own, args: [...own.args.slice(0, -2), "--env", "LEEWAY_URL=http://127.0.0.1:9", "--timeout", "600"] },
    { ...own, args: own.args.map((word: string) => word.replace(/^HOME=.*/, `HOME=${on.project}`)) },
  ];
  for (const hook of hooks) {
    rmSync(join(on.home, "state", "leeway", "hosts"), { recursive: true, force: true });
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: [hook] }] } }));
    const said = await leeway(on, ["doctor", "--json"]);
    const { findings } = JSON.parse(said.stdout) as { findings: { what: string; state: string; says: string }[] };
    const found = findings.find(({ what, says }) => what === "host" && says.includes(file));
    expect(found?.state).toBe("bad");
    expect(said.stdout).toContain("so it was not started");
    expect(existsSync(ran)).toBe(false);
  }
  await install();
  expect((await leeway(on, ["doctor", "--json"])).stdout).toContain("answered a test call");
});

test("init that nobody can accept writes no policy, as it says", async () => {
  const other = join(on.home, "other");
  mkdirSync(other);
  for (const args of [
    ["init", "--yes"],
    ["init", "claude-code", "--yes"],
  ]) {
    const ran = await leeway({ ...on, project: other }, args);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("nothing was changed")]);
    expect(readdirSync(other)).toEqual([]);
  }
});

test("settings that switch hooks off in another file are named by init, and settings that cannot be read by doctor", async () => {
  writeFileSync(shared, '{ "disableAllHooks": true }');
  const ran = await install();
  expect(ran.stdout).toContain(`warning: `);
  expect(ran.stdout).toContain(`(${shared})`);
  expect(ran.stdout).toContain(
    "Before you have dealt with the warnings above, claude-code may run calls without asking Leeway",
  );
  writeFileSync(file, "{bad");
  const { stdout } = await leeway(on, ["doctor", "--json"]);
  expect(stdout).toContain(`claude-code: ${file} cannot be read: line 1 is not JSON, so it may start no hook`);
});
