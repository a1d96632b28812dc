import { spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSPHRASE, setUpAna } from "../cli/person.ts";
import { leeway, machine, program } from "../cli/program.ts";
import { screen } from "../cli/screen.ts";

// The real command: a client with pipes, the gateway as a process, an MCP server behind it, and a person at a terminal.

const UPSTREAM = join(dirname(fileURLToPath(import.meta.url)), "upstream.mjs");
const on = machine();
const journal = join(on.home, "journal.jsonl");
const SERVER = [process.execPath, UPSTREAM, journal];
const POLICY = `version: 1
tier: ask
tools: { "mcp:one/echo": { class: none }, "mcp:two/echo": { class: none }, "mcp:newer/echo": { class: none } }
tiers: { none: auto }
approvals: { selfReview: true }
`;
beforeAll(() => setUpAna(on, POLICY));
afterAll(() => on.remove());

type Told = { [key: string]: unknown };

/** Ana looks at what the line starts, and accepts it. Returns what she saw. */
async function accepted(line: readonly string[], questions = ["Accept all"], exit = 0): Promise<string> {
  const shown = screen(on, ["mcp", "pin", "--as", "ana", ...line], { columns: 120 });
  let text = "";
  for (const [at, question] of questions.entries()) {
    // What was asked before is still on the screen.
    await shown.shows(new RegExp(`(passphrase of ana[^]*){${at}}${question}`));
    text += await shown.settled();
    shown.type("y");
    await shown.shows(new RegExp(`(passphrase of ana[^]*){${at + 1}}`));
    await shown.settled();
    shown.type(`${PASSPHRASE}\r`);
  }
  expect(await shown.ended).toBe(exit);
  return text;
}

/** A client of `leeway mcp`: sends requests one after the other and returns the answers. */
async function client(
  args: readonly string[],
  requests: readonly [method: string, params: object][],
  env: Record<string, string> = {},
): Promise<Told[]> {
  const child = spawn(process.execPath, [program(), "mcp", ...args], { cwd: on.project, env: { ...on.env, ...env } });
  const answers: Told[] = [];
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tester", version: "1" } };
  for (const [at, [method, params]] of [["initialize", hello] as const, ...requests].entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: at, method, params })}\n`);
    answers.push(JSON.parse((await lines.next()).value ?? "{}"));
  }
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
  return answers.slice(1);
}

const CALL = ["tools/call", { name: "echo", arguments: { text: "hi" } }] as [string, object];

function textOf(answer: Told = {}): string {
  return (answer["result"] as { content: { text: string }[] }).content[0]?.text ?? "";
}

test("ana looks at a server once and accepts what it offers; then its tools run through the gateway", async () => {
  const args = ["--name", "one", "--", ...SERVER];
  expect(textOf((await client(args, [CALL]))[0])).toContain("LEEWAY_QUARANTINED");
  const text = await accepted(args);
  expect(text).toContain("one: tool echo\n  says it again\n  argument text (optional)\n  not shown here: odd\n");
  expect(text).toContain("`leeway mcp pin --full` shows the whole definitions.");
  expect(text).not.toContain('"properties"');
  const [answer] = await client(args, [CALL]);
  expect(answer).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: { content: [{ type: "text", text: "hi" }], structuredContent: { said: "hi" } },
  });
  const listed = JSON.parse((await leeway(on, ["mcp", "list", "--json"])).stdout).offers as Told[];
  expect(listed.map(({ upstream, of, name, state }) => [upstream, of, name, state]).sort()).toEqual(
    [
      ["one", "instructions", "one", "accepted"],
      ...["echo", "remove", "slow", "crash", "fail"].map((name) => ["one", "tool", name, "accepted"]),
    ].sort(),
  );
  // Ana knows what she has just done: nothing waits for her in the inbox.
  expect(JSON.parse((await leeway(on, ["inbox", "--json"])).stdout).notices ?? []).toEqual([]);
});

test("with --env the gateway uses the gate that it was installed for, whatever the client's variables say", async () => {
  const installed = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] as const;
  const env = installed.flatMap((name) => ["--env", `${name}=${on.env[name]}`]);
  const elsewhere = { XDG_STATE_HOME: join(on.home, "elsewhere"), LEEWAY_DB: join(on.home, "other.db") };
  const [answer] = await client([...env, "--name", "one", "--", ...SERVER], [CALL], elsewhere);
  expect(textOf(answer)).toBe("hi");
  const wrong = await leeway(on, ["mcp", "--env", "TOKEN=x", "--", ...SERVER]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("--env TOKEN=x is not one of these variables"),
  ]);
});

test("a variable that is passed on reaches the server, and another value of it must be accepted again", async () => {
  const args = ["--name", "one", "--pass", "NODE_OPTIONS", "--", ...SERVER];
  expect(textOf((await client(args, [CALL]))[0])).toBe("hi");
  const [loaded, ran] = [join(on.home, "loaded.mjs"), join(on.home, "loaded.txt")];
  writeFileSync(
    loaded,
    `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(ran)}, process.argv[1] + "\\n");\n`,
  );
  const [answer] = await client(args, [CALL], { NODE_OPTIONS: `--import=${loaded}` });
  expect(textOf(answer)).toContain("LEEWAY_QUARANTINED");
  expect(readFileSync(ran, "utf8").split("\n")).toContain(UPSTREAM);
});

test("of several servers one that fails is named with what to do, and the others are looked at and accepted", async () => {
  const file = join(on.home, "several.json");
  const [command, ...args] = SERVER;
  const ends = ["-e", "console.error('no database'); process.exit(3)"];
  const mcpServers = {
    gone: { command, args: ends },
    missing: { command: "/no/such/program" },
    there: { command, args },
  };
  writeFileSync(file, JSON.stringify({ mcpServers }), { mode: 0o600 });
  const text = await accepted(["--config", file], ["Accept this", "Accept this", "Accept this", "Accept all"], 1);
  expect(text).toContain("no database");
  expect(text).toContain("leeway: the MCP server gone ended or cannot be started: it ended with code 3");
  expect(text).toContain("leeway: the MCP server missing ended or cannot be started: spawn /no/such/program ENOENT");
  expect(text).toContain("hint: check its command or its address; what it wrote itself stands above");
  const { offers } = JSON.parse((await leeway(on, ["mcp", "list", "--json"])).stdout);
  const of = (name: string) => offers.filter(({ upstream }: Told) => upstream === name).length;
  expect(["gone", "missing", "there"].map(of)).toEqual([1, 1, 7]);
});

test("with --full every field of a definition is shown", async () => {
  const shown = screen(on, ["mcp", "pin", "--as", "ana", "--name", "full", "--full", "--", ...SERVER], {
    columns: 120,
  });
  await shown.shows("Accept all");
  expect(await shown.settled()).toContain('"properties"');
  shown.type("n");
  expect(await shown.ended).toBe(0);
});

test("without a terminal nothing can be accepted", async () => {
  const ran = await leeway(on, ["mcp", "pin", "--name", "one", "--", ...SERVER]);
  expect([ran.code, ran.stdout]).toEqual([5, ""]);
  expect(ran.stderr).toContain("a person at a terminal is needed");
});

test("a settings file that others may write, that has unknown keys, or that names a server twice is refused", async () => {
  const file = join(on.home, "mcp.json");
  const refused = async (text: string, mode = 0o600) => {
    writeFileSync(file, text);
    chmodSync(file, mode);
    const ran = await leeway(on, ["mcp", "--config", file]);
    expect(ran.code).toBe(1);
    return ran.stderr;
  };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in which the file names a variable
  const NOT_SET = "${env:NOT_SET}";
  const one = { command: process.execPath, args: [UPSTREAM, journal] };
  const written = (mcpServers: object) => JSON.stringify({ mcpServers });
  expect(await refused(written({ one }), 0o622)).toContain("others may write it");
  expect(await refused(written({ one: { ...one, comand: "x" } }))).toContain("did you mean `command`?");
  expect(await refused(written({ one, One: one }))).toContain("one name for rules");
  expect(await refused(written({ leeway_x: one }))).toContain("belongs to the gateway");
  expect(await refused(written({ one: { ...one, args: "a b" } }))).toContain("no shell reads them");
  expect(await refused(written({ one: { url: "http://example.com/mcp" } }))).toContain("not encrypted");
  expect(await refused(written({ one: { ...one, env: { A: NOT_SET } } }))).toContain("NOT_SET is not set");
  expect(await refused("{")).toContain("line 1");
});

test("options of --http that contradict each other or name no address are refused", async () => {
  const refused = async (...args: string[]) => {
    const ran = await leeway(on, ["mcp", ...args, "--name", "one", "--", ...SERVER]);
    return [ran.code, ran.stderr.split("\n")[0]];
  };
  expect(await refused("--host", "127.0.0.1")).toEqual([2, "leeway: --host needs --http"]);
  expect(await refused("--http", "0", "--agent", "coder")).toEqual([
    2,
    "leeway: --agent and --http exclude each other",
  ]);
  expect(await refused("--http", "0", "--host", "0.0.0.0")).toEqual([
    2,
    "leeway: --host 0.0.0.0 is every address of this machine",
  ]);
  expect(await refused("--http", "70000")).toEqual([2, "leeway: there is no port 70000"]);
});

test("no word of a command is read by a shell", async () => {
  const words = [
    "; touch pwned",
    "$(touch pwned)",
    "`touch pwned`",
    "| touch pwned",
    "&& touch pwned",
    "> pwned",
    "\ntouch pwned",
  ];
  for (const word of words) await client(["--name", "one", "--", ...SERVER, word], []);
  expect(readdirSync(on.project)).toEqual(["leeway.yaml"]);
});

test("a server that speaks only the protocol of 2026-07-28 can be looked at, and its tools run for a client of it", async () => {
  const line = ["--name", "newer", "--", ...SERVER, "--newer-only"];
  expect(await accepted(line)).toContain("newer: tool echo\n  says it again\n");
  const meta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
  const [method, params] = CALL;
  const asked: [string, object][] = [
    ["server/discover", meta],
    [method, { ...params, ...meta }],
  ];
  const [discovered, answer] = await client(line, asked);
  expect(discovered).toMatchObject({ result: { instructions: "Do as I say." } });
  expect(textOf(answer)).toBe("hi");
});

test("a server after -- may ask the client's user with --allow-elicitation, once a person has accepted that", async () => {
  const elicit = { method: "elicitation/create", params: { message: "Your name?" } };
  const ask: [string, object] = ["test/ask", elicit];
  const plain = ["--name", "asks", "--", ...SERVER];
  const raised = ["--allow-elicitation", ...plain];
  expect((await client(plain, [ask]))[0]).toMatchObject({ result: { said: { code: -32601 } } });
  expect((await client(raised, [ask]))[0]).toMatchObject({ error: { message: expect.stringContaining("not begun") } });
  expect(await accepted(raised, ["Accept this", "Accept all"])).toContain("allowElicitation");
  const [request] = await client(raised, [ask]);
  expect(request).toMatchObject({ method: "elicitation/create", params: { message: "[asks] Your name?" } });
});
