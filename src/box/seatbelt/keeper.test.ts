import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BoxLimits } from "../../core/box.ts";
import { KEEPER, type Keeping, MADE, STATUS } from "./keeper.ts";

// The keeper is the part of a box on macOS that can run on other systems: it starts a program, and needs no walls for that.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leeway-keeper-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SAY_MADE = `echo ${MADE} >&${STATUS}; exec ${STATUS}>&-; `;

function keep(script: string, limits: BoxLimits = {}, by: readonly string[] = []): ChildProcess {
  const keeping: Keeping = {
    start: { program: "/bin/bash", args: ["--norc", "-c", script] },
    status: join(folder, "status"),
    limits,
  };
  const [program = process.execPath, ...before] = [...by, process.execPath];
  const args = [...before, "-e", KEEPER, "--", JSON.stringify(keeping)];
  return spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; output: string; status: string }> {
  let output = "";
  child.stdout?.on("data", (bytes) => (output += bytes));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, status: readFileSync(join(folder, "status"), "utf8") };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isSo()).toBe(true);
}

function isRunning(pidFile: string): boolean {
  const pid = Number(readFileSync(join(folder, pidFile), "utf8"));
  const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : ") Z";
  return !/\) [ZX]/.test(state);
}

test("the keeper passes the exit code on, and says how the box ended", async () => {
  expect(await ended(keep(`${SAY_MADE} echo hello; exit 3`))).toEqual({
    code: 3,
    output: "hello\n",
    status: `${MADE}\n${JSON.stringify({ exceeded: [], left: [] })}\n`,
  });
});

test("a box that was not made is told from a program that failed", async () => {
  expect(await ended(keep("exit 71"))).toEqual({ code: 125, output: "", status: "" });
});

test("programs that the box left behind are ended and named, also in a session of their own", async () => {
  const { status } = await ended(
    keep(`${SAY_MADE} sleep 300 & echo $! > first; setsid sleep 300 & echo $! > second; sleep 1.5; exit 0`),
  );
  expect(status).toBe(`${MADE}\n${JSON.stringify({ exceeded: [], left: ["sleep"] })}\n`);
  expect([isRunning("first"), isRunning("second")]).toEqual([false, false]);
});

test("a program that uses more memory or time, or has more processes, than it may is ended", async () => {
  const limits: { limit: "memory" | "processes" | "time"; given: BoxLimits; script: string; max: number }[] = [
    { limit: "memory", given: { memoryBytes: 1024 }, script: "sleep 300", max: 1024 },
    { limit: "processes", given: { processes: 3 }, script: "for i in 1 2 3 4; do sleep 300 & done; wait", max: 3 },
    { limit: "time", given: { timeMs: 600 }, script: "sleep 300", max: 600 },
  ];
  for (const { limit, given, script, max } of limits) {
    const { code, status } = await ended(keep(`${SAY_MADE} ${script}`, given));
    expect(code).not.toBe(0);
    const [, kept = ""] = status.split("\n");
    expect(JSON.parse(kept).exceeded).toEqual([{ of: "limit", limit, max }]);
    rmSync(join(folder, "status"));
  }
}, 30_000);

test("signals reach every program of the box", async () => {
  const child = keep(`${SAY_MADE} trap 'echo told; exit 7' TERM; echo ready; while :; do sleep 0.1; done`);
  const end = ended(child);
  await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  child.kill("SIGTERM");
  expect(await end).toMatchObject({ code: 7, output: "ready\ntold\n" });
});

test("if the keeper itself is killed, the box ends", async () => {
  const child = keep(`${SAY_MADE} echo $$ > pid; sleep 300`);
  await until(() => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8") !== "");
  child.kill("SIGKILL");
  await until(() => !isRunning("pid"));
});

test("if who started the keeper is killed, the box ends", async () => {
  const shell = keep(`${SAY_MADE} echo $$ > pid; sleep 300`, {}, ["/bin/bash", "-c", '"$@" & wait', "bash"]);
  await until(() => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8") !== "");
  shell.kill("SIGKILL");
  await until(() => !isRunning("pid"));
});
