import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

// A host's own tool writes a build file: the former bytes are kept before the host goes on, so it needs no question, as the same change
// by a command in a box does not.

const on: Machine = machine();
beforeAll(() => setUpAna(on, "version: 1\npreset: standard\napprovals: { selfReview: true }\n"));
afterAll(() => on.remove());

const at = (path: string) => join(on.project, path);
beforeEach(() => {
  for (const name of ["package.json", "Makefile", "other"]) rmSync(at(name), { force: true });
  writeFileSync(at("package.json"), '{"version":"1"}\n', { mode: 0o640 });
});

type Json = Record<string, unknown>;
let sent = 0;

function input(event: string, tool: string, args: Json): Json {
  return {
    session_id: "s1",
    cwd: on.project,
    permission_mode: "default",
    hook_event_name: event,
    tool_name: tool,
    tool_input: args,
    tool_use_id: `toolu_${sent}`,
  };
}

async function before(tool: string, args: Json): Promise<string> {
  sent += 1;
  const ran = await leeway(on, ["hook", "claude-code"], { stdin: JSON.stringify(input("PreToolUse", tool, args)) });
  return JSON.parse(ran.stdout).hookSpecificOutput.permissionDecision;
}

async function after(tool: string, args: Json): Promise<void> {
  const stdin = JSON.stringify({ ...input("PostToolUse", tool, args), tool_response: { ok: true } });
  expect((await leeway(on, ["hook", "claude-code"], { stdin })).code).toBe(0);
}

const write = (path: string, content = "new\n") => ({ file_path: at(path), content });

/** The id of the newest decided call of a tool. */
async function newest(tool: string): Promise<string> {
  const { stdout } = await leeway(on, ["log", "--json"]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  const entries = lines.map((line) => JSON.parse(line)).filter((one) => one.kind === "call.decided");
  return entries.filter(({ subject }) => subject.tool === tool).at(-1).subject.call;
}

test("a write to a build file runs with a notice, and undo puts back its bytes and mode, also before the host says that it wrote", async () => {
  const args = write("package.json");
  expect(await before("Write", args)).toBe("allow");
  writeFileSync(at("package.json"), "new\n");
  await after("Write", args);
  const call = await newest("Write");
  const { stdout: why } = await leeway(on, ["why", call]);
  expect(why).toContain("`leeway undo` can put the former files back, so the tier is notify");
  expect(await leeway(on, ["undo", call])).toMatchObject({ code: 0, stdout: "undone: 1 file is as before\n" });
  expect(readFileSync(at("package.json"), "utf8")).toBe('{"version":"1"}\n');

  expect(await before("Edit", { file_path: at("package.json"), old_string: "1", new_string: "2" })).toBe("allow");
  writeFileSync(at("package.json"), '{"version":"2"}\n');
  expect((await leeway(on, ["undo", await newest("Edit")])).code).toBe(0);
  expect(readFileSync(at("package.json"), "utf8")).toBe('{"version":"1"}\n');
});

test("a new build file is taken away by undo, and what somebody changed since stays", async () => {
  const args = write("Makefile", "all:\n");
  expect(await before("Write", args)).toBe("allow");
  writeFileSync(at("Makefile"), "all:\n");
  await after("Write", args);
  const call = await newest("Write");
  writeFileSync(at("Makefile"), "all:\n\techo mine\n");
  const refused = await leeway(on, ["undo", call]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Makefile")]);
  expect(readFileSync(at("Makefile"), "utf8")).toBe("all:\n\techo mine\n");
  writeFileSync(at("Makefile"), "all:\n");
  expect((await leeway(on, ["undo", call])).code).toBe(0);
  expect(existsSync(at("Makefile"))).toBe(false);
});

test("a tool and a command are decided alike, and what cannot be kept asks: another name of the file, a link, a folder, another project", async () => {
  expect(await before("Write", write("package.json"))).toBe("allow");
  const { stdout } = await leeway(on, ["check", "--json", "--command", "cat new > package.json"]);
  expect(JSON.parse(stdout).tier).toBe("notify");
  linkSync(at("package.json"), at("other"));
  expect(await before("Write", write("package.json"))).not.toBe("allow");
  rmSync(at("package.json"));
  symlinkSync("other", at("package.json"));
  expect(await before("Write", write("package.json"))).not.toBe("allow");
  rmSync(at("package.json"));
  mkdirSync(at("package.json"));
  expect(await before("Write", write("package.json"))).not.toBe("allow");
  rmSync(at("package.json"), { recursive: true });
  mkdirSync(join(on.home, "elsewhere"), { recursive: true });
  expect(await before("Write", { file_path: join(on.home, "elsewhere/package.json"), content: "" })).not.toBe("allow");
  expect(await before("Write", write(".github/workflows/ci.yml"))).not.toBe("allow");
  expect(await before("Write", write(".git/hooks/pre-commit"))).not.toBe("allow");
});

test("nothing stays kept of a write that does not run", async () => {
  const rule = "rules:\n  - { name: ours, match: { class: fs.write, path: package.json }, tier: ask, because: x }\n";
  const guarded = machine();
  await setUpAna(guarded, `version: 1\npreset: standard\napprovals: { selfReview: true }\n${rule}`);
  writeFileSync(join(guarded.project, "package.json"), "{}\n");
  const args = { file_path: join(guarded.project, "package.json"), content: "" };
  const stdin = JSON.stringify({ ...input("PreToolUse", "Write", args), cwd: guarded.project });
  const { stdout } = await leeway(guarded, ["hook", "claude-code"], { stdin });
  expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).not.toBe("allow");
  expect((await leeway(guarded, ["undo", (await lastCall(guarded)) ?? ""])).stderr).toContain("changed no files");
  guarded.remove();
});

async function lastCall(of: Machine): Promise<string | undefined> {
  const { stdout } = await leeway(of, ["log", "--json"]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line)).findLast(({ subject }) => subject.call !== undefined)?.subject.call;
}
