import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type ClientFile, clientFiles } from "./clients.ts";
import { isBehind, listedServers } from "./listed-servers.ts";
import { gatewayFile } from "./put-behind.ts";

const home = mkdtempSync(join(tmpdir(), "leeway-clients-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const at = { home, project: join(home, "project"), env: {} };

/** The client's file of the user, found as `leeway init mcp` finds it. */
function found(path: string): ClientFile {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, "");
  const file = clientFiles(at, ["user", "project"]).find((one) => one.path === full);
  rmSync(full);
  if (file === undefined) throw new Error(`${path} was not found`);
  return file;
}

const JSON_FILE = found(".cursor/mcp.json");
const TOML_FILE = found(".codex/config.toml");
const GATE = { program: "/node", args: ["/bin/leeway.cjs", "mcp", "--env", "HOME=/h"] };

function put(file: ClientFile, text: string): string {
  const made = gatewayFile(file).withHook(text, GATE, {});
  if (!made.ok) throw new Error(made.why);
  return made.after;
}

function taken(file: ClientFile, text: string): string | null {
  const made = gatewayFile(file).withoutHook(text);
  if (!made.ok) throw new Error(made.why);
  return made.after;
}

function words(file: ClientFile, text: string): readonly (readonly [string, ...(readonly string[])])[] {
  const listed = listedServers(file, text);
  if (!listed.ok) throw new Error(listed.why);
  return listed.servers.map((server) => [server.name, ...server.words]);
}

test("only the command and the first arguments change; comments, order, spaces and other keys stay", () => {
  const text = `{
  // mine
  "mcpServers": {
    "files": {
      "command": "npx", // the newest
      "args": ["-y", /* why */ "server-files", "."],
      "disabled": true
    },
    "notes": { "command": "notes" },
  },
  "theme": "dark"
}`;
  const behind = put(JSON_FILE, text);
  expect(behind).toBe(`{
  // mine
  "mcpServers": {
    "files": {
      "command": "/node", // the newest
      "args": ["/bin/leeway.cjs", "mcp", "--env", "HOME=/h", "--name", "files", "--", "npx", "-y", /* why */ "server-files", "."],
      "disabled": true
    },
    "notes": { "command": "/node", "args": ["/bin/leeway.cjs", "mcp", "--env", "HOME=/h", "--name", "notes", "--", "notes"] },
  },
  "theme": "dark"
}`);
  expect(put(JSON_FILE, behind)).toBe(behind);
  expect(taken(JSON_FILE, behind)).toBe(
    text.replace(`"notes": { "command": "notes" }`, `"notes": { "command": "notes", "args": [] }`),
  );
});

test("arguments on lines of their own stay so, also with other line ends", () => {
  const text = `{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x",\r\n\t\t\t"args": [\r\n\t\t\t\t"one"\r\n\t\t\t]\r\n\t\t},\r\n\t\t"b": {\r\n\t\t\t"command": "y"\r\n\t\t}\r\n\t}\r\n}`;
  const behind = put(JSON_FILE, text);
  expect(behind).toContain(`\r\n\t\t\t\t"--",\r\n\t\t\t\t"x",\r\n\t\t\t\t"one"\r\n\t\t\t]`);
  expect(behind).toContain(`"command": "/node",\r\n\t\t\t"args": ["/bin/leeway.cjs",`);
  expect(behind.replaceAll("\r\n", "")).not.toContain("\n");
});

const TOML = `# mine
model = "x"
mcp_servers.dotted.command = 'c:\\x' # a comment

[mcp_servers.files]
command = "npx" # the newest
args = [
  # first
  "-y", "server-files",
]
env_vars = ["B"]

[mcp_servers.files.env]
A = "1"

[mcp_servers]
short = { command = "notes" }
listed = { command = "n", args = [] }
`;

test("in Codex's TOML, tables, dotted keys and short tables keep their form and their comments", () => {
  const text = TOML.replace(/mcp_servers\.dotted.*\n/, "");
  const behind = put(TOML_FILE, text);
  const gate = `"/bin/leeway.cjs", "mcp", "--env", "HOME=/h"`;
  expect(behind).toBe(
    text
      .replace(`command = "npx"`, `command = "/node"`)
      .replace(
        `  "-y"`,
        `  ${`${gate}, "--name", "files", "--pass", "A", "--pass", "B", "--", "npx"`.replaceAll(", ", ",\n  ")},\n  "-y"`,
      )
      .replace(`command = "notes"`, `args = [${gate}, "--name", "short", "--", "notes"], command = "/node"`)
      .replace(`command = "n", args = []`, `command = "/node", args = [${gate}, "--name", "listed", "--", "n"]`),
  );
  expect(words(TOML_FILE, String(taken(TOML_FILE, behind)))).toEqual(words(TOML_FILE, text));
  const dotted = TOML.split("\n").slice(0, 3).join("\n");
  expect(put(TOML_FILE, dotted)).toBe(
    `# mine\nmodel = "x"\nmcp_servers.dotted.args = [${gate}, "--name", "dotted", "--", "c:\\\\x"]\nmcp_servers.dotted.command = "/node" # a comment`,
  );
});

test("opencode's one list, in the places of both versions, gets the words of the gateway first", () => {
  const file = found(".config/opencode/opencode.jsonc");
  const v1 = `{ "mcp": { "a": { "type": "local", "command": ["x", "y"], "environment": { "K": "v" } } } }`;
  const v2 = `{ "mcp": { "servers": { "a": { "type": "local", "command": ["x"], "cwd": "sub" } } } }`;
  expect(words(file, put(file, v1))).toEqual([
    ["a", "/node", ...GATE.args, "--name", "a", "--pass", "K", "--", "x", "y"],
  ]);
  expect(words(file, put(file, v2))).toEqual([["a", "/node", ...GATE.args, "--name", "a", "--", "x"]]);
  expect([taken(file, put(file, v1)), taken(file, put(file, v2))]).toEqual([v1, v2]);
});

test("Claude Code's servers of single projects are found in the user's file, and VS Code's under `servers`", () => {
  const claude = `{ "projects": { "/p": { "mcpServers": { "a": { "command": "x" } } } }, "mcpServers": { "a": { "command": "x" } } }`;
  const listed = listedServers(found(".claude.json"), put(found(".claude.json"), claude));
  expect(listed.ok && listed.servers.map((one) => [one.name, one.project, isBehind(one)])).toEqual([
    ["a", undefined, true],
    ["a", "/p", true],
  ]);
  const vscode = found(".config/Code/User/mcp.json");
  expect(words(vscode, put(vscode, `{"servers":{"a":{"command":"x","args":["y"]}}}`))).toEqual([
    ["a", "/node", ...GATE.args, "--name", "a", "--", "x", "y"],
  ]);
});

test("only the installed command and its file count as the gateway, not what a launcher loads under its name", () => {
  const starts = [
    ["leeway", "mcp"],
    ["/usr/bin/node", "/opt/leeway/bin/leeway.cjs", "mcp"],
    ["npx", "-y", "leeway", "mcp"],
    ["npx", "leeway", "mcp"],
    ["leeway", "box"],
  ];
  expect(starts.map((words) => isBehind({ words }))).toEqual([true, true, false, false, false]);
});

test("a server that cannot be put behind the gateway is left as it is, and the reason is said", () => {
  const text = JSON.stringify({
    mcpServers: {
      web: { url: "https://example.com/mcp" },
      file: { command: "x", envFile: ".env" },
      number: { command: "x", args: [1] },
      leeway: { command: "x" },
      "two words": { command: "x" },
      "two.words": { command: "x" },
      mine: { command: "leeway", args: ["mcp", "--config", "all.json"] },
    },
  });
  const behind = put(JSON_FILE, text);
  expect(words(JSON_FILE, behind).filter(([, program]) => program === "/node")).toEqual([
    ["two words", "/node", ...GATE.args, "--name", "two-words", "--", "x"],
  ]);
  expect(gatewayFile(JSON_FILE).dangers(behind)).toEqual(
    [
      ["web", "it has no command. Put servers with an address into the file mcp.json of Leeway (docs/mcp.md)"],
      ["file", "it takes its variables from a file (`envFile`)"],
      ["number", "its command, arguments, variables or folder are not all texts"],
      ["leeway", "the name `leeway` belongs to the gateway. Give it another name"],
      ["two.words", "its name is the same as that of `two words` for rules. Give it another name"],
    ].map(([name, why]) => `\`${name}\` is not behind the gateway, and its calls are not checked: ${why}`),
  );
  // What a person wrote themself is not touched, neither now nor by undoing.
  expect(taken(JSON_FILE, text)).toBe(text);
});

test("a new place of Leeway replaces the old one, and a file that cannot be read is refused", () => {
  const text = `{"mcpServers":{"a":{"command":"x","args":["y"]}}}`;
  const old = gatewayFile(JSON_FILE).withHook(
    text,
    { program: "/old", args: ["/o/leeway.cjs", "mcp", "--env", "HOME=/o"] },
    {},
  );
  expect(old.ok && put(JSON_FILE, old.after)).toBe(put(JSON_FILE, text));
  expect(gatewayFile(JSON_FILE).withHook("{", GATE, {})).toEqual({ ok: false, why: "line 1 is not JSON" });
  expect(gatewayFile(TOML_FILE).withHook("a = ", GATE, {})).toEqual({
    ok: false,
    why: expect.stringMatching(/^line 1: /),
  });
  expect(put(JSON_FILE, "")).toBe("");
});

test("a second run keeps what a person allowed the server by an option of the gateway", () => {
  const behind = put(JSON_FILE, '{ "mcpServers": { "notes": { "command": "notes" } } }');
  const raised = behind.replace('"--name", "notes"', '"--name", "notes", "--allow-sampling"');
  expect(raised).not.toBe(behind);
  expect(put(JSON_FILE, raised)).toBe(raised);
});
