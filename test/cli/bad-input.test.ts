import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { leeway, machine, program } from "./program.ts";

const on = machine();
afterAll(() => on.remove());

writeFileSync(join(on.home, "broken.yaml"), "version: 1\npreset: standrad\n");
writeFileSync(join(on.home, "latin.yaml"), Buffer.from("version: 1 # caf\xe9\n", "latin1"));
writeFileSync(join(on.home, "long.yaml"), `${"x".repeat(50_000)}: [\n`);
writeFileSync(join(on.home, "notes.txt"), "\u0000 not a policy: [");
writeFileSync(join(on.home, "bad.jsonl"), `{"tool":"read_file","args":{}}\nnonsense\n`);

/** What was typed, the exit code, and what the person is told. */
const CASES: readonly [args: readonly string[], code: number, says: RegExp, hint: RegExp][] = [
  [["frobnicate"], 2, /unknown command 'frobnicate'/, /leeway --help/],
  [["chekc"], 2, /unknown command 'chekc'/, /did you mean `check`/],
  [["check", "--frobnicate"], 2, /unknown option '--frobnicate'/, /leeway check --help/],
  [["check", "ls"], 2, /too many arguments/, /leeway check --command 'ls'/],
  [["workspaces", "remove", "default"], 2, /the workspace default cannot be removed/, /it always exists/],
  [["grants", "ad"], 2, /unknown command 'ad'/, /did you mean `add`/],
  [["mcp", "lst"], 2, /unknown command `mcp lst`/, /did you mean `leeway mcp list`\? A program comes after --/],
  [["box", "lst"], 2, /unknown command `box lst`/, /did you mean `leeway box list`/],
  [["check"], 2, /nothing to check/, /--command/],
  [["check", "--tool", "x", "--args", "{"], 2, /--args is not JSON/, /--args '/],
  [["check", "--tool", "x", "--args", "[1]"], 2, /not a JSON object/, /--args '/],
  [["check", "--tool", "x", "--args", '{"a":9007199254740993}'], 2, /larger than a number can hold/, /--args '/],
  [["check", "--tool", "x", "--args", '{"a":{"b":1,"b":2}}'], 2, /--args is not JSON/, /--args '/],
  [["check", "--tool", ""], 2, /--tool is empty/, /value/],
  [["check", "--tool", "x".repeat(513)], 2, /the name of the tool is too long/, /512/],
  [["run", "--agent", "x".repeat(513), "--", "ls"], 2, /the name of the agent is too long/, /512/],
  [["grants", "add", "--agent", "coder", "--domain", ".x"], 2, /`\.x` is not a host/, /\*\.github\.com/],
  [["check", "--tool", "x", "--command", "ls"], 2, /cannot be used together/, /one of them/],
  [["check", "--command", "ls", "--args", "{}"], 2, /--args needs --tool/, /--tool/],
  [
    ["check", "--batch", "../bad.jsonl", "--command", "ls"],
    2,
    /--batch and --command cannot be used together/,
    /its own call/,
  ],
  [["check", "--batch", "missing.jsonl"], 1, /the file missing\.jsonl does not exist/, /path/],
  [["check", "--batch", "../bad.jsonl"], 2, /1 line is not a call/, /one line is/],
  [["check", "--command", "ls", "--policy", "missing.yaml"], 5, /^$/, /^$/],
  [["approve"], 2, /missing required argument 'id'/, /leeway approve --help/],
  [["why", "latest"], 2, /`latest` is not an id/, /apr_/],
  [["show", "apr_ffffffffffff"], 1, /apr_ffffffffffff/, /./],
  [["why", "nope_0123"], 1, /nope_0123/, /./],
  [["deny", "apr_0"], 2, /--note is missing/, /give a reason/],
  [["log", "--since", "yesterday"], 2, /`yesterday` is not a time/, /2h/],
  [["log", "--kind", "approval.openend"], 2, /unknown kind/, /approval\.opened/],
  [["log", "--limit", "many"], 2, /not a whole number/, /digits/],
  [["log", "--tier", "maybe"], 2, /unknown tier `maybe`/, /auto/],
  [["grants", "add", "--agent", "coder"], 2, /must cover something/, /--class/],
  [["grants", "add", "--agent", "coder", "--class", "fs.wirte"], 2, /unknown class `fs\.wirte`/, /fs\.write/],
  [["grants", "add", "--agent", "coder", "--class", "fs.write", "--for", "soon"], 2, /neither a duration/, /24h/],
  [["grants", "add", "--agent", "coder", "--path", "src/*.ts"], 2, /is not a path/, /\/\*\*/],
  [["agents", "promote", "coder"], 2, /--tier is missing/, /auto/],
  [["agents", "promote", "coder", "--tier", "god", "--because", "x"], 2, /unknown tier `god`/, /auto/],
  [["agents", "demote", "coder", "--tier", "ask", "--because", "x", "--for", "1y"], 2, /is not a duration/, /7d/],
  [["run", "--wait", "9999d", "--", "ls"], 2, /`9999d` is not a duration/, /at most a year/],
  [["log", "--limit", "9999999999"], 2, /not a whole number/, /at most nine digits/],
  [["up", "--host", "192.0.2.1"], 1, /cannot listen on 192\.0\.2\.1, port 4141 \(EADDRNOTAVAIL\)/, /--host/],
  [["agents", "show", "nobody"], 1, /no agent is named nobody/, /agents list/],
  [["pause", "--agent", "a", "--reviewer", "b"], 2, /one thing/, /once for each/],
  [["export", "--agent", "coder"], 2, /--agent needs --format opentrustgraph/, /exported as a whole/],
  [["export", "--format", "xml"], 2, /unknown format `xml`/, /jsonl/],
  [["verify", "--file", "missing.jsonl"], 1, /the file missing\.\w+ does not exist/, /path/],
  [["policy", "check", "missing.yaml"], 1, /the file missing\.\w+ does not exist/, /path/],
  [["policy", "check", "../latin.yaml"], 1, /latin\.yaml is not UTF-8 text/, /save it/],
  [["policy", "diff", "../broken.yaml"], 1, /broken\.yaml:2:9: [^?]*$/, /did you mean `standard`\? use one of/],
  [["policy", "accept", "../broken.yaml"], 1, /broken\.yaml:2:9: [^?]*$/, /did you mean `standard`\? use one of/],
  [["mcp", "--http", "99999"], 2, /there is no port 99999/, /up to 65535/],
  [["policy", "try", "--from", "claude-code"], 1, /the folder .*projects does not exist/, /--transcripts/],
  [["policy", "try", "--since", "7d"], 2, /from the ledger/, /--from claude-code/],
  [["policy", "try", "--from", "memory"], 2, /unknown source `memory`/, /ledger/],
  [["policy", "accept"], 1, /no policy file/, /leeway init/],
  [["import", "harn", "missing.json"], 1, /the file missing\.\w+ does not exist/, /path/],
  [["import", "acme", "x.json"], 2, /unknown source `acme`/, /harn/],
  [["import", "codex", "x.json"], 1, /the file x\.json does not exist/, /path/],
  [["import", "harn", "../notes.txt"], 1, /notes\.txt:1/, /./],
  [["init", "--preset", "wild"], 2, /unknown preset `wild`/, /standard/],
  [["backup", ".."], 2, /already exists/, /nothing is overwritten/],
  [["backup", "no/such/folder"], 1, /the folder .*no\/such does not exist$/, /create it first/],
  [["restore", "missing"], 1, /the folder .*missing does not exist/, /leeway backup/],
  [["run"], 2, /no command is given/, /for example leeway run -- npm publish/],
  [["run", "git", "push", "--force"], 2, /unknown option '--force'/, /leeway run --help/],
];

test.concurrent.each(CASES)(
  "%j is refused with a message, a hint and no stack trace",
  async (args, code, says, hint) => {
    const ran = await leeway(on, args);
    expect({ code: ran.code, trace: /\n\s+at .+:\d+/.test(ran.stderr) }).toEqual({ code, trace: false });
    if (code === 5) return;
    expect(ran.stderr).toMatch(/^leeway: /);
    const [what = "", advice = ""] = ran.stderr.split("\n  hint: ");
    expect(what).toMatch(says);
    expect(advice).toMatch(hint);
  },
);

test("a broken policy file is reported with file, line and column", async () => {
  const ran = await leeway(on, ["policy", "check", "../broken.yaml"]);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/^\.\.\/broken\.yaml:2:9: .*standard/);
  const { stdout } = await leeway(on, ["policy", "check", "../broken.yaml", "--json"]);
  expect(JSON.parse(stdout).faults).toEqual([
    {
      file: "../broken.yaml",
      line: 2,
      column: 9,
      message: "expected a preset, found `standrad`",
      hint: "did you mean `standard`? use one of: conservative, standard, autonomous",
    },
  ]);
});

test("an error message does not fill the screen with the faulty file", async () => {
  const ran = await leeway(on, ["policy", "check", "../long.yaml"]);
  expect(ran.code).toBe(1);
  expect(Math.max(...ran.stdout.split("\n").map((line) => line.length))).toBeLessThan(1_100);
});

test("a stack trace is shown only if somebody asks for one", async () => {
  const ran = await leeway(on, ["check", "--batch", "missing.jsonl"], { env: { LEEWAY_DEBUG: "1" } });
  expect(ran.stderr).toMatch(/\n\s+at .+:\d+/);
});

test("a folder that cannot be created is reported immediately, for the database and for the state", async () => {
  const db = await leeway(on, ["status"], { env: { LEEWAY_DB: "/proc/no/such/leeway.db" } });
  expect(db).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "leeway: /proc/no/such cannot be created (ENOENT)\n  hint: set LEEWAY_DB to a file in a folder you may write to\n",
  });
  const state = await leeway(on, ["status"], { env: { XDG_STATE_HOME: "/proc/no/such" } });
  expect([state.code, state.stderr]).toEqual([1, expect.stringMatching(/cannot be created \(ENOENT\)/)]);
});

test("a mistyped address of a database is refused by every command that takes one, and no file is made", async () => {
  const refusal = {
    code: 1,
    stdout: "",
    stderr:
      "leeway: nosuch://… is not an address of a database that Leeway knows\n  hint: did you mean postgres://? Name a database file by its path\n",
  };
  expect(await leeway(on, ["status"], { env: { LEEWAY_DB: "nosuch://x" } })).toEqual(refusal);
  expect(await leeway(on, ["up", "--db", "nosuch://x"])).toEqual(refusal);
  expect(await leeway(on, ["migrate-store", "--to", "nosuch://x"])).toEqual(refusal);
  expect(existsSync(join(on.project, "nosuch:"))).toBe(false);
});

test("a state folder that cannot be created is reported, with what to do", async () => {
  const ran = await leeway(on, ["status"], { env: { XDG_STATE_HOME: "relative" } });
  expect(ran).toEqual({
    code: 1,
    stdout: "",
    stderr: "leeway: XDG_STATE_HOME is not an absolute path: `relative`\n  hint: start it with a slash\n",
  });
});

test("a home folder that is not absolute is refused, because the working folder belongs to agents", async () => {
  const ran = await leeway(on, ["status"], { env: { HOME: "home" } });
  expect(ran).toEqual({
    code: 1,
    stdout: "",
    stderr: "leeway: HOME is not an absolute path: `home`\n  hint: start it with a slash\n",
  });
});

test("a program that does not exist is named, but its name is shortened", async () => {
  const ran = await leeway(on, ["run", "--", "x".repeat(50_000)]);
  expect([ran.code, ran.stderr.length]).toEqual([127, expect.closeTo(1_050, -2)]);
});

test("a demo without space for its folder says where it looked", async () => {
  const ran = await leeway(on, ["demo"], { env: { TMPDIR: "/proc/no/such" } });
  expect(ran).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "leeway: no folder can be made in /proc/no/such (ENOENT)\n  hint: set TMPDIR to a folder that you may write to\n",
  });
});

test("an invalid address is reported with the name of its variable", async () => {
  const env = { LEEWAY_URL: "localhost:4141", LEEWAY_TOKEN: "lwy_0" };
  expect(await leeway(on, ["check", "--command", "ls"], { env })).toEqual({
    code: 2,
    stdout: "",
    stderr: "leeway: LEEWAY_URL is not the address of a server: localhost:4141\n  hint: write http://127.0.0.1:4141\n",
  });
});

test("a command that is started in a folder that is gone says so", () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
  const args = ["-c", script, process.execPath, program(), "run", "--", "true"];
  const ran = spawnSync("sh", args, { cwd: on.home, env: on.env, encoding: "utf8" });
  const said =
    "leeway: the folder in which this was started is not there any more\n  hint: change to another folder, and start it again\n";
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([1, "", said]);
});
