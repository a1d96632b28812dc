import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandServer, readMcpFile } from "../../src/config/mcp-file.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import type { JsonObject } from "../../src/core/values/json.ts";

// How a server is started, as the text that a person accepts.

const folder = mkdtempSync(join(tmpdir(), "leeway-mcp-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: "/bin", TOKEN: "secret-token", OTHER: "other" };

function startsOf(server: JsonObject, over: { key?: string; cwd?: string; env?: typeof env } = {}): string {
  const { key = "key", ...here } = over;
  const file = join(folder, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { one: server } }), { mode: 0o600 });
  const [read] = readMcpFile(file, { env, cwd: "/work", ...here, mark: (text) => `${key} ${text}` });
  return read?.starts ?? "";
}

/** The form in which the file names a variable or a file. */
const from = (kind: "env" | "file", name: string) => `\${${kind}:${name}}`;

test("a person reads the command, the folder, the source or the hash of each variable, and what the server may do", () => {
  writeFileSync(join(folder, "token"), "secret-in-a-file\n");
  const server = {
    command: "node",
    args: ["my server.mjs"],
    env: {
      B: from("env", "TOKEN"),
      A: "secret-literal",
      C: from("file", "token"),
      D: `Bearer ${from("env", "TOKEN")}`,
    },
    allowSampling: true,
    trust: true,
  };
  expect(startsOf(server).split("\n")).toEqual([
    'run node "my server.mjs"',
    "in /work",
    `with A ${sha256("key a value in mcp.json: secret-literal")}`,
    `with B ${from("env", "TOKEN")}`,
    `with C ${from("file", join(folder, "token"))}`,
    `with D ${sha256(`key a value in mcp.json: Bearer ${from("env", "TOKEN")}`)}`,
    "allowSampling",
    "trust",
  ]);
});

test("every change of the settings of a server is another text, also one that is made to look like the old text", () => {
  const node = { command: "node", args: ["x.mjs"] };
  const url = { url: "https://example.com/mcp" };
  const different: readonly JsonObject[] = [
    node,
    { ...node, env: { NODE_OPTIONS: "--max-old-space-size=200" } },
    { ...node, env: { NODE_OPTIONS: "--require evil.cjs" } },
    { ...node, env: { NODE_OPTIONS: from("env", "TOKEN") } },
    { ...node, env: { NODE_OPTIONS: from("env", "OTHER") } },
    { ...node, env: { NODE_OPTIONS: `--require evil.cjs ${from("env", "TOKEN")}` } },
    { ...node, env: { PATH: "/usr/bin" } },
    { ...node, env: { PATH: "/evil" } },
    { ...node, env: { A: "1", B: "1" } },
    { ...node, env: { "A 1\nwith B": "1" } },
    { ...node, cwd: "/x" },
    { ...node, args: ["x.mjs", "in", "/x"] },
    { ...node, args: ["x.mjs\nin /x"] },
    { ...node, trust: true },
    { ...node, allowSampling: true },
    { ...node, allowElicitation: true },
    { ...node, args: ["x.mjs", "trust"] },
    url,
    { ...url, headers: { Authorization: "a" } },
    { ...url, headers: { Authorization: "b" } },
    { ...url, headers: { Authorization: from("env", "TOKEN") } },
    { ...url, trust: true },
    { url: "https://example.com/mcp trust" },
    { command: "https://example.com/mcp" },
    { command: "connect", args: ["https://example.com/mcp"] },
  ];
  const texts = different.map((server) => startsOf(server));
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
});

test("a new secret behind a reference, and another order of the variables, need no new review", () => {
  const server = { command: "node", env: { A: from("env", "TOKEN"), B: "1" } };
  const turned = { env: { B: "1", A: from("env", "TOKEN") }, command: "node" };
  expect(startsOf(server, { env: { ...env, TOKEN: "new" } })).toBe(startsOf(turned));
});

test("the hash of a value depends on the key of the gate, and the folder counts where the file names none", () => {
  const server = { command: "node", env: { A: "1" } };
  expect(startsOf(server, { key: "another" })).not.toBe(startsOf(server));
  expect(startsOf(server, { cwd: "/elsewhere" })).not.toBe(startsOf(server));
  expect(startsOf({ ...server, cwd: "/x" }, { cwd: "/elsewhere" })).toBe(startsOf({ ...server, cwd: "/x" }));
});

test("the folder is part of how a server after -- is started, because a relative name means another program elsewhere", () => {
  const [one, other] = ["/one", "/other"].map(
    (cwd) => commandServer(["node", "x.mjs"], undefined, { env, cwd }).starts,
  );
  expect([one, other]).toEqual(["run node x.mjs\nin /one", "run node x.mjs\nin /other"]);
});
