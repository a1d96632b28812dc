import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { CallRow } from "../core/rows.ts";
import type { JsonObject } from "../core/values/json.ts";
import { commandRunner, OUTPUT_BYTES_MAX } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "leeway-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
const runner = commandRunner("shell", { idempotent: false, env });

function run(args: JsonObject, signal = new AbortController().signal) {
  const call = { cwd: folder } as CallRow;
  return runner.run({ call, args, idempotencyKey: "exe_1", attempt: 1, signal });
}

test("words are handed over as they are: no shell looks at them", async () => {
  const words = ["$(touch bad)", "a b", "; touch bad", "*", "é\u202e", ""];
  const done = await run({
    argv: ["node", "-e", "process.stdout.write(JSON.stringify(process.argv.slice(1)))", "--", ...words],
  });
  expect(done).toMatchObject({ ok: true, result: { code: 0 } });
  expect(done.ok ? JSON.parse((done.result as { stdout: string }).stdout) : []).toEqual(words);
  expect(existsSync(join(folder, "bad"))).toBe(false);
});

test("a shell's text goes to a shell, in the folder of the call", async () => {
  expect(await run({ command: "printf one > a && cat a && pwd" })).toMatchObject({ ok: true });
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("one");
});

test("of the gate's own environment only the usual variables are handed on; what the call names is", async () => {
  const mine = { SECRET_FOR_TEST: "mine", LD_PRELOAD_FOR_TEST: "x", BASH_ENV: "/tmp/x", LC_ALL: "C", TZ: "UTC" };
  const before = { ...process.env };
  Object.assign(process.env, mine);
  const ran = commandRunner("shell", { idempotent: false, env: { TOKEN: "given" } });
  Object.assign(process.env, { LC_ALL: "changed later" });
  const call = { cwd: folder } as CallRow;
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

test("what a call says of words and folder in two ways is not run in one of them", async () => {
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

test("a program that ends with another code than 0, or by a signal, has failed: its code and its words are kept", async () => {
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

test("what cannot start gives its right back", async () => {
  expect(await run({ argv: ["/no/such/program"] })).toMatchObject({ ok: false, started: false });
  for (const args of [{}, { argv: [] }, { argv: ["a", 1] }, { command: "" }, { argv: ["true"], env: { A: 1 } }]) {
    expect(await run(args as JsonObject)).toMatchObject({ ok: false, started: false });
  }
});

test("output is capped, and says how much more there was", async () => {
  const done = await run({ command: `head -c ${OUTPUT_BYTES_MAX + 10} /dev/zero | tr '\\0' x` });
  const { stdout } = (done.ok ? done.result : {}) as { stdout: string };
  expect(stdout.length).toBeLessThan(OUTPUT_BYTES_MAX + 100);
  expect(stdout).toContain("[10 bytes more]");
});

test("a lost claim ends the whole group, and what was begun counts as started", async () => {
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
