import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn as spawnTerminal } from "@lydell/node-pty";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBoxing } from "../../src/box/boxing.ts";
import type { PreparedBox } from "../../src/box-port.ts";
import { makeWorld, prepared, ran, ranInBox, type World } from "./boxed.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.end());

test("exit codes are those of the program, and 128 more than the signal that ended it", async () => {
  const codes: (number | null)[] = [];
  for (const script of ["exit 0", "exit 7", "kill -KILL $$", "kill -TERM $$", "kill -INT $$"]) {
    codes.push((await ranInBox(world, script)).code);
  }
  expect(codes).toEqual([0, 7, 137, 143, 130]);
});

/** Each prints what it got, and the box must end after it. 16: PTRACE_ATTACH; 0x4206: PTRACE_SEIZE; 0x4207: PTRACE_INTERRUPT. */
const AT_FIRST_PROCESS = `
import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
print([libc.ptrace(one, 1, 0, 0) for one in (16, 0x4206, 0x4207)])
class Part(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
bytes = ctypes.create_string_buffer(1)
mine, other = Part(ctypes.addressof(bytes), 1), Part(4096, 1)
libc.process_vm_writev(1, ctypes.byref(mine), 1, ctypes.byref(other), 1, 0)
print(ctypes.get_errno())
for one in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU): os.kill(1, one)
child = os.fork()
if child == 0: signal.pause()
print(libc.ptrace(16, child, 0, 0), os.waitpid(child, 0)[0] == child, libc.ptrace(17, child, 0, 0))
os.kill(child, signal.SIGKILL)
`;

test("a program cannot stop the first process of its box, and can trace its own processes", async () => {
  const { code, output } = await ranInBox(world, "", { program: "/usr/bin/python3", args: ["-c", AT_FIRST_PROCESS] });
  expect([code, output]).toEqual([0, "[-1, -1, -1]\n1\n0 True 0\n"]);
});

const HEARING = 'trap "echo heard; exit 3" INT TERM HUP; echo ready; while :; do sleep 0.05; done';

/** Which shell starts a box depends on what this process inherited, so every promise is tried with each of them. */
const SHELLS = ["/bin/sh", "/bin/bash"] as const;

/**
 * Whoever started the tests may have left descriptors above 9 open. With those a box is started by bash with options that no
 * other shell knows, and dash refuses to start one. So the options are left out, and the descriptors are closed before.
 */
const CLOSING = 'for one in $(ls /proc/self/fd); do [ "$one" -gt 9 ] && eval "exec $one<&-"; done; exec "$@"';
function startedBy(shell: (typeof SHELLS)[number], { start }: PreparedBox) {
  const words = [start.program, ...start.args];
  const at = words.findIndex((word) => SHELLS.includes(word as (typeof SHELLS)[number]));
  const script = words.slice(words.indexOf("-c", at));
  const args = ["-c", CLOSING, "bash", ...words.slice(0, at), shell, ...script];
  return { ...start, program: "/bin/bash", args };
}

test.each(
  SHELLS.flatMap((shell) => (["SIGTERM", "SIGINT", "SIGHUP"] as const).map((signal) => [signal, shell] as const)),
)("%s reaches the program, which ends in its own way, if %s starts the box", async (signal, shell) => {
  for (const network of [[], ["localhost"]]) {
    const box = await prepared(world, { args: ["-c", HEARING], walls: { network } });
    const { program, args, cwd, env } = startedBy(shell, box);
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (bytes) => (output += bytes));
    await expect.poll(() => output).toBe("ready\n");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([3, null]);
    expect(output).toBe("ready\nheard\n");
    await box.ended("");
  }
});

/** Which of them comes when the program is just ending is chance. */
const TWICE = process.env["LEEWAY_PROVE"] === undefined ? 20 : 300;

test.each(SHELLS)(
  "a signal that comes twice ends a program once, with the code of its signal, if %s starts the box",
  async (shell) => {
    for (let times = 0; times < TWICE; times++) {
      const box = await prepared(world, { args: ["-c", "echo ready; exec sleep 27.18283"] });
      const { program, args, cwd, env } = startedBy(shell, box);
      const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
      await once(child.stdout, "data");
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await new Promise((resolve) => setTimeout(resolve, times % 5));
      child.kill("SIGTERM");
      expect(await ended).toEqual([143, null]);
      await box.ended("");
    }
  },
);

test.each(SHELLS)("a program reads what is written to the box's input, if %s starts the box", async (shell) => {
  for (const network of [[], ["localhost"]]) {
    const box = await prepared(world, { args: ["-c", "cat; echo end"], walls: { network } });
    const { program, args, cwd, env } = startedBy(shell, box);
    const ran = spawnSync(program, args, { cwd, env, input: "some words\n", encoding: "utf8" });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, "some words\nend\n", ""]);
    await box.ended("");
  }
});

test("if the box is killed, everything in it is", async () => {
  const box = await prepared(world, { args: ["-c", "echo ready; exec sleep 27.18281"] });
  const child = spawn(box.start.program, box.start.args, { ...box.start, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(() => spawnSync("pgrep", ["-f", "sleep 27.18281"]).status).toBe(1);
  await box.ended("");
});

test.each(SHELLS)(
  "in a terminal started by %s a program has a terminal, its size and its colours, and hears an interrupt",
  async (shell) => {
    const script = `[ -t 0 ] && [ -t 1 ] && stty size; printf '\\033[31mred\\033[0m\\n'; ${HEARING}`;
    const box = await prepared(world, { args: ["-c", script], env: { TERM: "xterm-256color" } });
    const { program, args, cwd, env } = startedBy(shell, box);
    const terminal = spawnTerminal(program, [...args], { cwd, env: { ...env }, cols: 77, rows: 33 });
    let text = "";
    terminal.onData((data) => {
      text += data;
    });
    const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    await expect.poll(() => text).toContain("ready");
    terminal.write("\x03");
    expect(await ended).toBe(3);
    expect(text.replace("^C", "")).toBe("33 77\r\n\x1b[31mred\x1b[0m\r\nready\r\nheard\r\n");
    await box.ended("");
  },
);

test("a commit runs the hooks of the repository, which it cannot change", async () => {
  const { project } = world;
  const git = (...args: string[]) => spawnSync("git", args, { cwd: project, encoding: "utf8" });
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["config", "user.email", "a@example.test"],
    ["config", "user.name", "A"],
  ]) {
    expect(git(...args).status).toBe(0);
  }
  writeFileSync(join(project, ".git/hooks/pre-commit"), "#!/bin/sh\necho hook ran > hook-ran\n");
  chmodSync(join(project, ".git/hooks/pre-commit"), 0o755);
  writeFileSync(join(project, "a"), "text");
  const config = readFileSync(join(project, ".git/config"), "utf8");
  const script =
    "git add a && git commit -qm first && git log --format=%s; git config core.pager evil; echo evil > .git/hooks/post-commit";
  const ran = await ranInBox(world, script, { walls: { write: [project, join(project, ".git")] } });
  expect(ran.output).toBe("first\n");
  expect(readFileSync(join(project, "hook-ran"), "utf8")).toBe("hook ran\n");
  expect(git("log", "--format=%s").stdout).toBe("first\n");
  expect(readFileSync(join(project, ".git/config"), "utf8")).toBe(config);
});

test("a program finds its variables, but none that looks like a credential", async () => {
  const env = {
    NODE_ENV: "test",
    LC_ALL: "C",
    GOPATH: "/go",
    GITHUB_TOKEN: "a",
    EDITOR: "vi",
    LD_PRELOAD: "",
    TMPDIR: "/elsewhere",
  };
  const { output } = await ranInBox(world, "env | grep -Ev '^(PATH|HOME|LANG|PWD|OLDPWD|_|SHLVL)=' | sort", { env });
  expect(output).toBe("GOPATH=/go\nLC_ALL=C\nNODE_ENV=test\nTMPDIR=/tmp\n");
});

test("a program is found whatever signs its path has", async () => {
  mkdirSync(join(world.project, "a=b"));
  const file = join(world.project, "a=b/prog");
  writeFileSync(file, "#!/bin/sh\necho ran\n");
  chmodSync(file, 0o755);
  expect(await ranInBox(world, "", { program: file, args: [] })).toMatchObject({ code: 0, output: "ran\n" });
});

test("a program runs in a box, and in a rehearsal, although the home folder does not exist", async () => {
  for (const home of [join(world.folder, "no-home"), "/nonexistent/home", "/run/no-home"]) {
    const boxes = openBoxing({ stateFolder: world.stateFolder, home }, Date.now).maker;
    for (const rehearse of [false, true]) {
      const box = await prepared(
        { ...world, boxes, home },
        { args: ["-c", "echo ran > file; cat file; ls ~"] },
        rehearse,
      );
      expect(await ran(box)).toMatchObject({ code: 2, output: "ran\n" });
    }
  }
});

test("in a rehearsal the project has its own mode, and cannot be changed if that says so", async () => {
  const { project } = world;
  for (const mode of [0o775, 0o555]) {
    chmodSync(project, mode);
    const box = await prepared(world, { args: ["-c", "stat -c %a ."] }, true);
    expect(await ran(box)).toMatchObject({ code: 0, output: `${mode.toString(8)}\n`, report: { refused: [] } });
  }
  chmodSync(project, 0o755);
});
