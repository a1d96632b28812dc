import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leeway, machine, program } from "./program.ts";

// What commands in a box leave in a project, and what is asked, said and kept about it. The preset is `standard`.

function project() {
  const on = machine();
  const at = (name: string) => join(on.project, name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: on.project, env: on.env, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "a");
  mkdirSync(at("src"));
  writeFileSync(at("src/a.txt"), "1\n");
  writeFileSync(at("src/b.txt"), "2\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const run = (...words: string[]) => leeway(on, ["run", "--wait", "1s", "--", ...words]);
  const python = (code: string) => run("python3", "-c", `import os, shutil\n${code}`);
  /** The id of the newest command. */
  const newest = async (): Promise<string> => {
    const entries = (await leeway(on, ["log", "--json"])).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const isCommand = (one: (typeof entries)[number]) => one.kind === "call.decided" && one.subject.tool === "exec";
    return entries.findLast(isCommand).subject.call;
  };
  return { on, at, git, run, python, newest, [Symbol.dispose]: on.remove };
}

test("a link that code makes and that leads out of the project, or to something protected, is asked about", async () => {
  using here = project();
  mkdirSync(join(here.on.home, ".ssh"));
  writeFileSync(join(here.on.home, ".ssh", "id_rsa"), "key");
  writeFileSync(here.at(".env"), "KEY=1\n");
  for (const code of [
    "shutil.rmtree('src'); os.symlink('/etc', 'src')",
    "os.symlink('../.ssh/id_rsa', 'docs.txt')",
    "os.symlink(os.environ['HOME'], 'lnk')",
    "os.symlink('/usr/local', 'programs')",
    "os.symlink('../.git/hooks', 'src/h')",
    "os.symlink('.env', 'settings.txt')",
    // Each of these links stays inside by its letters.
    "os.makedirs('x/y'); os.symlink('../..', 'x/y/top'); os.symlink('x/y/top/../other', 'out')",
    "os.makedirs('node_modules/a'); os.symlink('/etc', 'node_modules/a/etc')",
  ]) {
    const { code: exit } = await here.python(code);
    expect([code, exit === 0, here.git("status", "--short")]).toEqual([code, false, "?? .env\n"]);
  }
}, 240_000);

test("links that stay in the project, and links to programs of the system, are made without a question", async () => {
  using here = project();
  const code = `
os.symlink('src/a.txt', 'b.txt'); os.symlink('../src', 'src/again')
os.makedirs('env/bin'); os.symlink('/usr/bin/python3', 'env/bin/python3'); os.symlink('python3', 'env/bin/python')
os.symlink('lib', 'env/lib64')`;
  expect((await here.python(code)).code).toBe(0);
  const links = ["b.txt", "src/again", "env/bin/python3", "env/bin/python", "env/lib64"];
  const made = ["src/a.txt", "../src", "/usr/bin/python3", "python3", "lib"];
  expect(links.map((link) => readlinkSync(here.at(link)))).toEqual(made);
}, 60_000);

test("of several removed files, the question says only of those that no commit has that no commit has them", async () => {
  using here = project();
  writeFileSync(here.at("notes.txt"), "work\n");
  const { code } = await here.python("os.remove('src/a.txt'); os.remove('notes.txt')");
  const [{ id }] = JSON.parse((await leeway(here.on, ["inbox", "--json"])).stdout).questions;
  const { stdout } = await leeway(here.on, ["show", id]);
  expect([code, stdout.split("\n").filter((line) => / - removed, /.test(line) && !line.includes("⟦"))]).toEqual([
    3,
    ["  notes.txt - removed, 5 B; no commit has this content", "  src/a.txt - removed, 2 B"],
  ]);
}, 60_000);

test("a link that was there before, and leads out of the project, is no question if code leaves it", async () => {
  using here = project();
  symlinkSync("/etc", here.at("etc"));
  expect([(await here.python("open('new.txt', 'w').write('x')")).code, existsSync(here.at("new.txt"))]).toEqual([
    0,
    true,
  ]);
}, 60_000);

test("files that a command overwrites, as its words say, come back by leeway undo, also if no commit has them", async () => {
  using here = project();
  const lines = Array.from({ length: 300 }, (_, i) => `${i}\n`).join("");
  for (const [name, words] of [
    ["work.md", ["sh", "-c", "echo x > work.md"]],
    ["src/a.txt", ["sh", "-c", "sed -i s/1/2/ src/a.txt"]],
    ["work.md", ["cp", "src/b.txt", "work.md"]],
    ["work.md", ["mv", "src/b.txt", "work.md"]],
  ] as const) {
    writeFileSync(here.at(name), lines);
    expect([words, (await here.run(...words)).code]).toEqual([words, 0]);
    expect([words, readFileSync(here.at(name), "utf8") === lines]).toEqual([words, false]);
    const undone = await leeway(here.on, ["undo", await here.newest()]);
    expect([words, undone.code, readFileSync(here.at(name), "utf8") === lines]).toEqual([words, 0, true]);
  }
}, 240_000);

test("a temporary file that the command names and that is not there yet appears, also if code runs in the command", async () => {
  using here = project();
  writeFileSync(here.at(".gitignore"), "data.bin\n");
  writeFileSync(here.at("data.bin"), "only copy\n");
  const folder = mkdtempSync("/var/tmp/leeway-named-");
  const at = (name: string) => join(folder, name);
  try {
    symlinkSync("/etc", at("link"));
    const lines = [
      `python3 -c 'print(5)' > ${at("out.log")}`,
      `mv data.bin ${at("moved.bin")} && python3 -c 'print(6)'`,
      `mkdir ${at("made")} && python3 -c 'open("${at("made")}/inner.txt", "w").write("7"); open("${at("unnamed.txt")}", "w")'`,
      `python3 -c 'import os; os.symlink("/etc/hostname", "${at("planted")}")'; cat src/a.txt > ${at("planted")}`,
      `python3 -c 'print(8)' > ${at("link/x")}`,
    ];
    for (const line of lines) await here.run("bash", "-c", line);
    expect(readdirSync(folder).sort()).toEqual(["link", "made", "moved.bin", "out.log"]);
    const texts = ["out.log", "moved.bin", "made/inner.txt"].map((name) => readFileSync(at(name), "utf8"));
    expect([...texts, existsSync(here.at("data.bin"))]).toEqual(["5\n", "only copy\n", "7", false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

test("files that code writes in the home folder are named as thrown away, and caches of tools are not", async () => {
  using here = project();
  const code = `
home = os.environ['HOME']
os.makedirs(home + '/other'); os.makedirs(home + '/.cache/tool'); open(home + '/.cache/tool/x', 'w')
shutil.move('src/a.txt', home + '/other/a.txt')`;
  const { code: exit, stderr } = await here.python(code);
  expect([exit, existsSync(here.at("src/a.txt")), stderr]).toEqual([
    0,
    false,
    `leeway: Left out, because it cannot be applied: ${realpathSync(here.on.home)}/other/a.txt (what is written in the home folder is thrown away). All other changes count.
  hint: to ask a person to let it run without a box, put LEEWAY_BOX=off before the command\n`,
  ]);
  const why = JSON.parse((await leeway(here.on, ["why", await here.newest(), "--json"])).stdout);
  expect(why.boxed.refused).toEqual([expect.stringContaining("/other/a.txt")]);
}, 60_000);

test("an empty copy of a file that is hidden in the box is named, whether files are changed in a copy or in place", async () => {
  using here = project();
  mkdirSync(here.at("cfg"));
  writeFileSync(here.at("cfg/.env"), "S=1\n");
  writeFileSync(here.at("cfg/o"), "o\n");
  const said = (copy: string) => `leeway: Hidden in the box, so the copy is empty: ${copy}.\n`;
  const inPlace = await here.run("cp", "-r", "cfg", "cfg2");
  expect([inPlace.code, inPlace.stderr.startsWith(said("cfg2/.env"))]).toEqual([0, true]);
  const inCopy = await here.python("shutil.copytree('cfg', 'cfg3')");
  expect([inCopy.code, inCopy.stderr.startsWith(said("cfg3/.env"))]).toEqual([0, true]);
  const why = JSON.parse((await leeway(here.on, ["why", await here.newest(), "--json"])).stdout);
  expect(why.boxed.refused).toEqual([
    "the content of cfg3/.env: a file of this name is hidden in the box, so its copy is empty",
  ]);
  const moved = await here.run("mv", "cfg", "cfg4");
  expect([moved.code, moved.stderr.includes("the copy is empty: cfg4/.env")]).toEqual([1, true]);
  expect(readFileSync(here.at("cfg/.env"), "utf8")).toBe("S=1\n");
  const none = await here.python("open('new.txt', 'w').write('x')");
  expect([none.code, none.stderr]).toEqual([0, ""]);
}, 120_000);

test("an undo of folders alone says that it is about folders", async () => {
  using here = project();
  const undone = async () => (await leeway(here.on, ["undo", await here.newest()])).stdout;
  expect((await here.python("os.makedirs('new/empty'); os.chmod('src', 0o700)")).code).toBe(0);
  expect(await undone()).toBe("undone: 3 folders are as before\n");
  expect(await undone()).toMatch(/^call_\w+ was undone before: folders\n$/);
  expect((await here.python("os.chmod('src', 0o700)")).code).toBe(0);
  expect(await undone()).toBe("undone: 1 folder is as before\n");
}, 60_000);

test("a file that cannot be applied is named in a line to the agent and in the record, and the others are applied", async () => {
  using here = project();
  const ran = await here.python("os.mkfifo('f1'); open('half', 'w').write('x')");
  const said = `leeway: Left out, because it cannot be applied: f1 (it is a named pipe). All other changes count.
  hint: to ask a person to let it run without a box, put LEEWAY_BOX=off before the command\n`;
  expect([ran, existsSync(here.at("f1")), existsSync(here.at("half"))]).toEqual([
    { code: 0, stdout: "", stderr: said },
    false,
    true,
  ]);
  const unnamed = await here.python("open(b'\\xff.txt', 'w').write('x'); open('more', 'w').write('x')");
  expect([unnamed.stderr.includes("(its name is no UTF-8)"), existsSync(here.at("more"))]).toEqual([true, true]);
  const why = JSON.parse((await leeway(here.on, ["why", await here.newest(), "--json"])).stdout);
  expect(why.boxed.refused).toEqual([expect.stringContaining("its name is no UTF-8")]);
}, 60_000);

test("if too much was changed, nothing is applied, and the exit code and a line say so", async () => {
  using here = project();
  const ran = await here.python("open('big', 'w').truncate(3_000_000_000); open('small', 'w').write('x')");
  const said = `leeway: Nothing was applied, because the changed files have more than 2000000000 bytes.
  hint: to ask a person to let it run without a box, put LEEWAY_BOX=off before the command\n`;
  expect([ran, existsSync(here.at("small"))]).toEqual([{ code: 5, stdout: "", stderr: said }, false]);
}, 60_000);

test("a path that is too long, and the mode of the project's own folder, are left out, and the others are applied", async () => {
  using here = project();
  const deep = "os.chmod('.', 0o777)\nfor i in range(25): os.mkdir('d' * 200); os.chdir('d' * 200)";
  const { code, stderr } = await here.python(`open('new', 'w').write('x')\n${deep}`);
  expect([code, existsSync(here.at("new"))]).toEqual([0, true]);
  expect(stderr).toContain("./ (the mode of the project's own folder is not changed)");
  expect(stderr).toContain("(its path is too long)");
}, 60_000);

test("git that reads from elsewhere runs without a box, and what it got is there", async () => {
  using here = project();
  here.git("init", "-q", "--bare", "../elsewhere.git");
  here.git("push", "-q", "../elsewhere.git", "main:other");
  here.git("remote", "add", "origin", "../elsewhere.git");
  const checked = JSON.parse((await leeway(here.on, ["check", "--json", "--command", "git fetch"])).stdout);
  expect([checked.outcome, checked.box]).toEqual(["run", null]);
  expect((await here.run("git", "fetch", "-q")).code).toBe(0);
  expect(here.git("branch", "-r").trim()).toBe("origin/other");
}, 60_000);

test("errors are a pipe in a box, so that programs can open them by their name", async () => {
  using here = project();
  const ran = await here.run("bash", "-c", "echo a > /dev/stderr; echo data | tee /dev/stderr | wc -c; exit 3");
  expect(ran).toEqual({ code: 3, stdout: "5\n", stderr: "a\ndata\n" });
}, 60_000);

test("a new file whose name hides signs, or stands for .git on some systems, is asked about", async () => {
  using here = project();
  for (const name of ["src\\u202etxt.exe", "a\\nb", "GIT~1/hooks/x", "git~1/config"]) {
    const made = `os.makedirs(os.path.dirname('./${name}'), exist_ok=True); open('${name}', 'w').write('x')`;
    const { code } = await here.python(made);
    expect([name, code === 0, here.git("status", "--short")]).toEqual([name, false, ""]);
  }
  expect((await here.python("open('$id [a] b.txt', 'w').write('x')")).code).toBe(0);
}, 120_000);

test("copies of secret files that editors make are as empty in a box as the files", async () => {
  using here = project();
  const names = [
    "#.env#",
    ".env.swp",
    "..env.swp",
    ".env~",
    ".env.bak",
    ".env.orig",
    "id_rsa.old",
    ".id_rsa.swp",
    "id_rsa~",
  ];
  for (const name of names) writeFileSync(here.at(name), "secret");
  writeFileSync(here.at("notes.bak"), "plain");
  const { code, stdout } = await here.python(
    "print([name for name in sorted(os.listdir('.')) if os.path.isfile(name) and open(name).read()])",
  );
  expect([code, stdout]).toEqual([0, "['notes.bak']\n"]);
}, 60_000);

test("if bubblewrap cannot make the box, nothing was run, and that is another end than that of a program with exit code 1", async () => {
  using here = project();
  expect((await here.python("raise SystemExit(1)")).code).toBe(1);
  mkdirSync(here.at("closed"));
  const cwd = here.at("closed");
  chmodSync(cwd, 0);
  const ran = await leeway(here.on, ["run", "--", "sh", "-c", "python3 -c 'print(1)'"], { cwd });
  chmodSync(cwd, 0o755);
  const said = `bwrap: Can't chdir to ${cwd}: Permission denied
leeway: the box could not be made, so nothing was run
  hint: the line above says why; run \`leeway doctor\`\n`;
  expect(ran).toEqual({ code: 5, stdout: "", stderr: said });
  const log = await leeway(here.on, ["log", "--json"]);
  expect(log.stdout).toContain("the box could not be made, so nothing was run");
}, 60_000);

test("the homes of others are closed as a whole where there are very many, and the project in one of them is not", async () => {
  using here = project();
  const inside = "import glob, os; print(glob.glob('/home/*/.ssh/id_rsa'), os.listdir('/home'), open('a.txt').read())";
  const script = `
mount -t tmpfs tmpfs /home || exit 9
for n in $(seq 10 40); do mkdir -p /home/u$n/.ssh; echo key > /home/u$n/.ssh/id_rsa; done
mkdir /home/u40/project; cd /home/u40/project; echo text > a.txt
exec "$@"`;
  const words = [process.execPath, program(), "run", "--", "python3", "-c", inside];
  const { status, stdout, stderr } = spawnSync(
    "unshare",
    ["--map-root-user", "--mount", "sh", "-c", script, "sh", ...words],
    { env: here.on.env, encoding: "utf8" },
  );
  expect([status, stdout, stderr]).toEqual([0, "[] ['u40'] text\n\n", ""]);
}, 60_000);
