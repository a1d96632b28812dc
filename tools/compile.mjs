// Stores V8's compiled form of the program for the Node that runs this: `node tools/compile.mjs`. It is the last step of a build,
// and `leeway init` and `leeway up` start it for an installed package that their user owns. The package that is shipped has none.
// bin/load.cjs says when it is used. It is made after some calls were checked, so that it contains the code for deciding.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const { compiledFolder, loadProgram, withHash } = createRequire(import.meta.url)("../bin/load.cjs");
const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../dist/program", import.meta.url)));
const to = compiledFolder(folder);
rmSync(to, { recursive: true, force: true });

const CALLS = [
  { tool: "Bash", args: { command: "ls -la src && git status | head -5" } },
  { tool: "Bash", args: { command: "npm test" } },
  { tool: "Read", args: { file_path: "src/a.ts" } },
  { tool: "Write", args: { file_path: "src/a.ts", content: "a" } },
];
const LINES = [
  ["check", "--batch", "calls"],
  ["check", "--command", "ls"],
];

// The calls are checked in a temporary home without settings, so that no state is changed.
const home = mkdtempSync(join(tmpdir(), "leeway-compile-"));
process.chdir(home);
for (const name of Object.keys(process.env)) if (/^(LEEWAY|XDG)_/.test(name)) delete process.env[name];
process.env.HOME = home;
writeFileSync("calls", CALLS.map((call) => JSON.stringify(call)).join("\n"));
const scripts = new Map();
const { main } = loadProgram(folder, (name, script) => scripts.set(name, script));
const write = process.stdout.write;
process.stdout.write = (_text, told) => {
  if (typeof told === "function") told();
  return true;
};
// A hook decides and records; a process that answers the next ones would go on after the build.
process.env.LEEWAY_RESIDENT = "off";
const hook = { session_id: "s", cwd: home, hook_event_name: "PreToolUse", tool_use_id: "t" };
const input = (call) => Buffer.from(JSON.stringify({ ...hook, tool_name: call.tool, tool_input: call.args }));
for (const call of CALLS) {
  const code = await main(["hook", "claude-code"], input(call));
  if (code !== 0) throw new Error(`leeway hook ended with ${code}`);
}
// A hook blocks its call until it has answered.
process.exitCode = 0;
for (const line of LINES) {
  const code = await main(line);
  if (code !== 0) throw new Error(`leeway ${line.join(" ")} ended with ${code}`);
}
process.stdout.write = write;
process.chdir(folder);
rmSync(home, { recursive: true, force: true });

// Whole or not at all, and written by nobody else: two commands may do this at the same time.
const next = `${to}.${randomBytes(6).toString("hex")}`;
mkdirSync(next);
for (const [name, script] of scripts) {
  // The first file has the same name in every build, and only names the next file.
  if (name === "main.cjs") continue;
  writeFileSync(join(next, name), withHash(script.createCachedData()));
  chmodSync(join(next, name), 0o644);
}
chmodSync(next, 0o755);
try {
  renameSync(next, to);
} catch (error) {
  rmSync(next, { recursive: true });
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
}
