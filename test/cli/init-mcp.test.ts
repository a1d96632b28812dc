import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program } from "./program.ts";
import { screen } from "./screen.ts";

// `leeway init mcp` with the settings files of real clients: what it writes, what it undoes, and what a person accepts.

const UPSTREAM = join(dirname(fileURLToPath(import.meta.url)), "..", "mcp", "upstream.mjs");
const on: Machine = machine();
const journal = join(on.home, "journal.jsonl");
beforeAll(() => setUpAna(on), 180_000);
afterAll(() => on.remove());

const CURSOR = join(on.home, ".cursor", "mcp.json");
const PROJECT = join(on.project, ".mcp.json");
const GEMINI = join(on.project, ".gemini", "settings.json");
const CODEX = join(on.home, ".codex", "config.toml");
const TEXTS: Readonly<Record<string, string>> = {
  [CURSOR]: `{\n  // mine\n  "mcpServers": { "files": { "command": "npx", "args": ["-y", "files"], "env": { "API_TOKEN": "sk-0123456789abcdef0123" } } }\n}`,
  [PROJECT]: `{"mcpServers":{"one":{"command":${JSON.stringify(process.execPath)},"args":${JSON.stringify([UPSTREAM, journal])}}}}`,
  [GEMINI]: `{ "mcpServers": { "web": { "httpUrl": "https://example.com" } }, "theme": "x" }`,
  [CODEX]: `# mine\n[mcp_servers.files]\ncommand = "npx" # newest\n`,
};

function lay(texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function texts(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(TEXTS).map((path) => [path, readFileSync(path, "utf8")]));
}

afterEach(() => {
  for (const path of Object.keys(TEXTS)) rmSync(path, { force: true });
});

type Finding = { what: string; state: string; says: string; hint?: string };

async function mcpFindings(): Promise<readonly Omit<Finding, "what">[]> {
  const { findings } = JSON.parse((await leeway(on, ["doctor", "--json"])).stdout);
  return findings.flatMap(({ what, ...rest }: Finding) => (what === "mcp" ? [rest] : []));
}

const outside = (client: string, name: string, path: string) =>
  `${client}: the MCP server \`${name}\` in ${path} is not behind the gateway: its calls are not checked`;
const inside = (client: string, path: string) => ({
  state: "ok",
  says: `${client}: every MCP server in ${path} is behind the gateway`,
});

test("init mcp puts the servers of every client behind the gateway, once, and undo restores each file byte for byte", async () => {
  lay(TEXTS);
  const hint = "leeway init mcp";
  const address = "it has no command. Put servers with an address into the file mcp.json of Leeway (docs/mcp.md)";
  expect(await mcpFindings()).toEqual([
    { state: "warn", says: outside("claude-code", "one", PROJECT), hint },
    { state: "warn", says: outside("cursor", "files", CURSOR), hint },
    { state: "warn", says: outside("gemini", "web", GEMINI), hint: address },
    { state: "warn", says: outside("codex", "files", CODEX), hint },
  ]);
  const dry = await leeway(on, ["init", "mcp", "--dry-run"]);
  expect([dry.code, texts()]).toEqual([0, TEXTS]);
  expect(dry.stderr).toContain(`mcp: this would change ${CURSOR}:\n  line 3:\n  - `);
  expect(dry.stderr).not.toContain("sk-0123456789abcdef0123");

  const first = JSON.parse((await leeway(on, ["init", "mcp", "--yes", "--json"])).stdout);
  const dangers = [`\`web\` is not behind the gateway, and its calls are not checked: ${address}`];
  expect(first).toEqual({
    hosts: [
      { host: "mcp", file: PROJECT, changed: true, dangers: [] },
      { host: "mcp", file: CURSOR, changed: true, dangers: [] },
      { host: "mcp", file: GEMINI, changed: false, dangers },
      { host: "mcp", file: CODEX, changed: true, dangers: [] },
    ],
  });
  const variables = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LEEWAY_RESIDENT"] as const;
  const gate = ["mcp", ...variables.flatMap((name) => ["--env", `${name}=${on.env[name]}`])];
  expect(JSON.parse(texts()[CURSOR]?.replace("// mine", "") ?? "").mcpServers.files).toEqual({
    command: process.execPath,
    args: [program(), ...gate, "--name", "files", "--pass", "API_TOKEN", "--", "npx", "-y", "files"],
    env: { API_TOKEN: "sk-0123456789abcdef0123" },
  });
  expect(await mcpFindings()).toEqual([
    inside("claude-code", PROJECT),
    inside("cursor", CURSOR),
    { state: "warn", says: outside("gemini", "web", GEMINI), hint: address },
    inside("codex", CODEX),
  ]);
  const written = texts();
  const second = JSON.parse((await leeway(on, ["init", "mcp", "--yes", "--json"])).stdout);
  expect([second.hosts.some(({ changed }: { changed: boolean }) => changed), texts()]).toEqual([false, written]);
  const undone = await leeway(on, ["init", "mcp", "--undo", "--yes"]);
  expect([undone.code, texts()]).toEqual([0, TEXTS]);
  expect(undone.stdout).toContain(`the gateway is out of ${CURSOR}`);
}, 60_000);

test("hooks and MCP servers in one file are undone each alone: byte for byte if the last change goes first", async () => {
  const text = `{\n  "mcpServers": { "files": { "command": "npx", "args": ["files"] } }\n}\n`;
  const now = () => readFileSync(GEMINI, "utf8");
  for (const [first, second] of [
    ["gemini", "mcp"],
    ["mcp", "gemini"],
  ] as const) {
    lay({ [GEMINI]: text });
    await leeway(on, ["init", "gemini", "mcp", "--yes"]);
    await leeway(on, ["init", first, "--undo", "--yes"]);
    const left = JSON.parse(now());
    const isFirstMcp = first === "mcp";
    expect([left.hooks !== undefined, left.mcpServers.files.command !== "npx"]).toEqual([isFirstMcp, !isFirstMcp]);
    await leeway(on, ["init", second, "--undo", "--yes"]);
    expect([JSON.parse(now()), now() === text]).toEqual([JSON.parse(text), isFirstMcp]);
  }
}, 60_000);

test("without a file of a client, init mcp says so; a file that cannot be read is named and nothing is changed", async () => {
  const none = await leeway(on, ["init", "mcp", "--yes"]);
  expect([none.code, none.stdout]).toEqual([
    0,
    `No MCP server was found: Leeway looked in the settings files of MCP clients in ${on.project} and ${on.home}, which docs/mcp.md lists.\n`,
  ]);
  expect((await leeway(on, ["init", "mcp", "--dry-run"])).stdout).toBe(
    `${join(on.project, "leeway.yaml")} is accepted already.\n${none.stdout}This was a dry run: nothing was changed.\n`,
  );
  lay({ [CURSOR]: TEXTS[CURSOR] ?? "", [CODEX]: "[mcp_servers" });
  const broken = await leeway(on, ["init", "mcp", "--yes"]);
  mkdirSync(PROJECT);
  const states = (await mcpFindings()).map(({ state, says }) => [state, says.split(" ").slice(0, 5).join(" ")]);
  rmSync(PROJECT, { recursive: true });
  expect(states).toEqual([
    ["warn", `claude-code: ${PROJECT} cannot be read:`],
    ["warn", "cursor: the MCP server `files`"],
    ["warn", `codex: ${CODEX} cannot be read:`],
  ]);
  expect([broken.code, readFileSync(CURSOR, "utf8")]).toEqual([1, TEXTS[CURSOR]]);
  expect(broken.stderr).toContain(`${CODEX} was not changed: line 1: `);
});

test("a person sees the change, then what each server offers, and accepts it; the next run has nothing to ask", async () => {
  lay({ [PROJECT]: TEXTS[PROJECT] ?? "" });
  const shown = screen(on, ["init", "mcp", "--as", "ana"], { columns: 200, rows: 80 });
  await shown.shows("write this change?");
  expect(readFileSync(PROJECT, "utf8")).toBe(TEXTS[PROJECT]);
  shown.type("y");
  await shown.shows("Start one to see what it offers?");
  shown.type("y");
  await shown.shows("Accept all");
  expect(await shown.settled()).toContain("one: tool echo\n  says it again\n");
  shown.type("y");
  await shown.shows("passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  expect(await shown.ended).toBe(0);
  const again = await leeway(on, ["init", "mcp"]);
  expect([again.code, again.stderr]).toEqual([0, ""]);
  const listed = JSON.parse((await leeway(on, ["mcp", "list", "--json"])).stdout).offers as {
    state: string;
    by: string[];
  }[];
  expect(listed.map(({ state, by }) => [state, by])).toEqual(listed.map(() => ["accepted", ["ana"]]));
  await leeway(on, ["init", "mcp", "--undo", "--yes"]);
}, 60_000);
