import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { CallRow } from "../core/rows/rows.ts";
import type { JsonObject } from "../core/values/json.ts";
import { bashStart, findBash } from "../programs.ts";
import { commandRunner } from "./command.ts";
import { OUTPUT_BYTES_MAX } from "./program-run.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "leeway-command-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
const runner = commandRunner("shell", { idempotent: false, env });

function run(args: JsonObject, signal = new AbortController().signal) {
  const call = { cwd: folder, decision: {} } as CallRow;
  return runner.run({ call, args, idempotencyKey: "exe_1", attempt: 1, signal });
}

test("words are passed to the program unchanged, without a shell", async () => {
  const words = ["$(touch bad)", "a b", "; touch bad", "*", "é\u202e", ""];
  const done = await run({
    argv: ["node", "-e", "process.stdout.write(JSON.stringify(process.argv.slice(1)))", "--", ...words],
  });
  expect(done).toMatchObject({ ok: true, result: { code: 0 } });
  expect(done.ok ? JSON.parse((done.result as { stdout: string }).stdout) : []).toEqual(words);
  expect(existsSync(join(folder, "bad"))).toBe(false);
});

test("a command text is run by a shell in the folder of the call", async () => {
  expect(await run({ command: "printf one > a && cat a && pwd" })).toMatchObject({ ok: true });
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("one");
});

test("only the usual variables of the gate's own environment are passed on, together with those that the call names", async () => {
  const mine = { SECRET_FOR_TEST: "mine", LD_PRELOAD_FOR_TEST: "x", BASH_ENV: "/tmp/x", LC_ALL: "C", TZ: "UTC" };
  const before = { ...process.env };
  Object.assign(process.env, mine);
  const ran = commandRunner("shell", { idempotent: false, env: { TOKEN: "given" } });
  Object.assign(process.env, { LC_ALL: "changed later" });
  const call = { cwd: folder, decision: {} } as CallRow;
  const args = { argv: ["env"], env: { GREETING: "hello" } };
  const done = await ran.run({ call, args, idempotencyKey: "e", attempt: 1, signal: new AbortController().signal });
  for (const name of Object.keys(mine)) delete process.env[name];
  Object.assign(process.env, before);
  const { stdout } = (done.ok ? done.result : {}) as { stdout: string };
  const names = stdout.split("\n").map((line) => line.split("=")[0]);
  expect(stdout).toContain("GREETING=hello\n");
  expect(stdout).toContain("TOKEN=given\n");
  expect(stdout).toContain("LC_ALL=C\n");
  expect(names.filter((name) => /SECRET|PRELOAD|BASH_ENV|VITEST|NODE/.test(name ?? ""))).toEqual([]);
});

test("a call that gives its words or its folder in two ways is not run", async () => {
  for (const args of [
    { command: "echo", args: ["hi"] },
    { argv: ["pwd"], cwd: "/" },
    { argv: ["pwd"], workdir: "elsewhere" },
  ]) {
    expect(await run(args as JsonObject)).toMatchObject({ ok: false, started: false });
  }
  expect(await run({ argv: ["pwd"], cwd: folder })).toMatchObject({ ok: true });
  expect(await run({ argv: ["pwd"], cwd: "." })).toMatchObject({ ok: true });
});

test("a program that exits with a code other than 0, or by a signal, has failed, and its code and output are kept", async () => {
  expect(await run({ command: "echo no >&2; exit 3" })).toEqual({
    ok: false,
    error: "it ended with code 3",
    started: true,
    result: { code: 3, stdout: "", stderr: "no\n" },
  });
  expect(await run({ command: "echo yes; kill -9 $$" })).toEqual({
    ok: false,
    error: "it was ended by SIGKILL",
    started: true,
    result: { code: null, signal: "SIGKILL", stdout: "yes\n", stderr: "" },
  });
});

test("a call that cannot start is reported as not started", async () => {
  expect(await run({ argv: ["/no/such/program"] })).toMatchObject({ ok: false, started: false });
  for (const args of [{}, { argv: [] }, { argv: ["a", 1] }, { command: "" }, { argv: ["true"], env: { A: 1 } }]) {
    expect(await run(args as JsonObject)).toMatchObject({ ok: false, started: false });
  }
});

test("output is limited, and the result says how much was cut", async () => {
  const done = await run({ command: `head -c ${OUTPUT_BYTES_MAX + 10} /dev/zero | tr '\\0' x` });
  const { stdout } = (done.ok ? done.result : {}) as { stdout: string };
  expect(stdout.length).toBeLessThan(OUTPUT_BYTES_MAX + 100);
  expect(stdout).toContain("[10 bytes more]");
});

test("a lost claim stops the whole process group, and a call that began counts as started", async () => {
  const lost = new AbortController();
  const started = run({ command: "sleep 60 & echo $! > child; wait" }, lost.signal);
  while (!existsSync(join(folder, "child")) || readFileSync(join(folder, "child"), "utf8") === "") {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const child = Number(readFileSync(join(folder, "child"), "utf8"));
  lost.abort();
  expect(await started).toMatchObject({ ok: false, started: true });
  await expect.poll(() => isAlive(child)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

const said = async (args: JsonObject) => {
  const done = await run(args);
  return done.ok ? (done.result as { stdout: string }).stdout : done;
};

test("a command text is run by bash and by no other shell", async () => {
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/a"), "kept");
  expect(await said({ command: "X='rm -rf src'; if [[ a || $X ]]; then ls src; fi" })).toBe("a\n");
  expect(await said({ command: "echo {a,b} $'x\\ty' $0" })).toBe("a b x\ty bash\n");
  expect(await said({ command: "X=a; X=b :; echo $X; shopt -oq posix || echo not posix" })).toBe("a\nnot posix\n");
  // A text that begins with a dash is a command, not an option of bash.
  expect(await run({ command: "-x; echo hi" })).toMatchObject({ ok: true, result: { stdout: "hi\n" } });
});

test("bash reads no start-up files and gets no functions or settings from the environment", async () => {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  for (const name of [".bashrc", ".bash_profile", ".profile"]) writeFileSync(join(home, name), "echo started");
  const homed = commandRunner("shell", { idempotent: false, env: { ...env, HOME: home } });
  const call = { cwd: folder, decision: {} } as CallRow;
  const signal = new AbortController().signal;
  const args = { command: "echo hi" };
  expect(await homed.run({ call, args, idempotencyKey: "e", attempt: 1, signal })).toMatchObject({
    result: { stdout: "hi\n" },
  });
  for (const [name, value] of [
    ["BASH_ENV", "./x"],
    ["ENV", "./x"],
    ["SHELLOPTS", "posix"],
    ["BASHOPTS", "expand_aliases"],
    ["POSIXLY_CORRECT", "1"],
    ["BASH_FUNC_ls%%", "() { echo evil; }"],
    ["ls", "() { echo evil; }"],
    ["PS4", "$(echo evil >&2)"],
    ["CDPATH", "/"],
  ] as const) {
    expect(await run({ command: "ls", env: { [name]: value } })).toEqual({
      ok: false,
      error: `the variable ${name} changes how bash reads commands; leave it out`,
      started: false,
    });
    expect(() => commandRunner("shell", { idempotent: false, env: { [name]: value } })).toThrow(name);
  }
});

test("a call that asks for another shell is not run by bash", async () => {
  for (const shell of ["/bin/sh", "zsh", true, "fish"])
    expect(await run({ command: "ls", shell })).toMatchObject({ ok: false, started: false });
  expect(await run({ command: "ls", shell: "/bin/bash" })).toMatchObject({ ok: true });
});

test("without bash nothing runs, and the answer says what to do", () => {
  expect(findBash(["/no/such/bash"])).toBeUndefined();
  expect(findBash(["/bin/sh", "/bin/bash"])).toBe(realpathSync("/bin/bash"));
  expect(bashStart("ls", {}, undefined)).toMatchObject({ ok: true, program: findBash() });
  writeFileSync(join(folder, "old"), "#!/bin/sh\necho 3\n", { mode: 0o755 });
  expect(findBash([join(folder, "old")])).toBeUndefined();
});

test("programs are searched in a known PATH, even if the gate itself has none", async () => {
  const before = process.env["PATH"];
  delete process.env["PATH"];
  const bare = commandRunner("shell", { idempotent: false, env: {} });
  process.env["PATH"] = before;
  const signal = new AbortController().signal;
  const call = { cwd: folder, decision: {} } as CallRow;
  const args = { command: 'echo "$PATH"' };
  expect(await bare.run({ call, args, idempotencyKey: "e", attempt: 1, signal })).toMatchObject({
    result: { stdout: "/usr/bin:/bin\n" },
  });
});

test("exactly what was checked is started: another folder, bash or program is refused before anything runs", async () => {
  const link = join(folder, "link");
  symlinkSync("src", link);
  const signal = new AbortController().signal;
  const tried = (facts: unknown[], args: JsonObject) =>
    runner.run({
      call: { cwd: link, effect: { facts }, decision: {} } as unknown as CallRow,
      args,
      idempotencyKey: "e",
      attempt: 1,
      signal,
    });
  const here = { of: "folder", path: join(folder, "src") };
  const bash = { of: "found", name: "bash", path: realpathSync("/bin/bash"), loose: false };
  expect(await tried([here, bash], { command: "pwd" })).toMatchObject({
    result: { stdout: `${join(folder, "src")}\n` },
  });
  const again = "has changed since the call was judged: submit the call again";
  expect(await tried([{ of: "folder", path: "/elsewhere" }], { command: "pwd" })).toEqual({
    ok: false,
    error: `the folder that the command runs in ${again}`,
    started: false,
  });
  expect(await tried([here, { ...bash, path: "/opt/bash" }], { command: "pwd" })).toMatchObject({
    error: `bash ${again}`,
  });
  const ls = { of: "found", name: "ls", path: "/opt/ls", loose: false };
  expect(await tried([here, ls], { argv: ["ls"] })).toMatchObject({ error: `ls ${again}`, started: false });
  // A path is started as it is written; where it leads was judged as a file.
  expect(await tried([here, { ...ls, name: "/bin/ls" }], { argv: ["/bin/ls"] })).toMatchObject({ ok: true });
});
