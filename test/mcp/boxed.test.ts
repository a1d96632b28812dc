import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settingsOf } from "../../src/cli/mcp/upstreams.ts";
import { processIo } from "../../src/cli/terminal/io.ts";
import { readMcpFile } from "../../src/config/mcp-file.ts";
import { startOffer } from "../../src/mcp/offers.ts";
import { upstreamOf } from "../../src/mcp/upstream.ts";
import { systemClock } from "../../src/system.ts";

// An MCP server behind the gateway that is started in a box. These tests need a machine that can make boxes.

const SERVER = join(dirname(fileURLToPath(import.meta.url)), "boxed-server.mjs");
const HELLO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tester", version: "1" } };

let home: string;
let said = "";
beforeEach(() => {
  home = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-mcp-box-")));
  for (const name of ["project", "state", "data"]) mkdirSync(join(home, name));
  // In a box, the folder for temporary files is empty, and this project may be in it.
  cpSync(SERVER, join(home, "server.mjs"));
  said = "";
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function server(more: object) {
  const file = join(home, "mcp.json");
  const tries = { command: process.execPath, args: [join(home, "server.mjs")], cwd: "project", ...more };
  writeFileSync(file, JSON.stringify({ mcpServers: { tries } }), { mode: 0o600 });
  const env = { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(home, "state"), TOKEN: "t1" };
  const [read] = readMcpFile(file, { env, cwd: home, mark: (text) => text });
  if (read === undefined) throw new Error("the file has no server");
  const io = Object.create(processIo(), { env: { value: env }, cwd: { value: home } });
  const settings = await settingsOf({ io }, read, { clock: systemClock }, { isNamed: false });
  const upstream = upstreamOf(settings, {
    heard: () => undefined,
    changed: () => undefined,
    said: (_, text) => {
      said += text;
    },
  });
  const call = async (name: string, args: object) => {
    const answer = await upstream.ask("tools/call", { name, arguments: { ...args } });
    const { content } = (answer.ok ? answer.result : { content: [] }) as { content: { text: string }[] };
    return content[0]?.text;
  };
  return { settings, upstream, call };
}

async function listening(act: (port: number) => Promise<void>): Promise<void> {
  const outside = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => outside.once("listening", resolve));
  try {
    await act((outside.address() as { port: number }).port);
  } finally {
    outside.close();
  }
}

test("whatever its tools do, a server in a box changes only its folder, and reaches nothing", async () => {
  const { settings, upstream, call } = await server({ box: true });
  expect(startOffer({ name: "tries", settings }).text.split("\n").slice(2)).toEqual([
    `box can change ${home}/project`,
    "box has no network",
  ]);
  await listening(async (port) => {
    await upstream.greet(HELLO);
    expect(await call("write", { path: join(home, "project", "inside") })).toBe("written");
    expect(await call("write", { path: join(home, "data", "outside") })).toBe("EROFS");
    expect(await call("connect", { port })).toBe("ECONNREFUSED");
  });
  await upstream.close();
  const are = ["project/inside", "data/outside"].map((path) => existsSync(join(home, path)));
  expect(are).toEqual([true, false]);
  expect(said).toContain(`This box does not let the program write there: ${home}/data/outside`);
});

test("without a box the same server does all of it, so the box is what stops it", async () => {
  const { upstream, call } = await server({});
  await listening(async (port) => {
    await upstream.greet(HELLO);
    expect(await call("write", { path: join(home, "data", "outside") })).toBe("written");
    expect(await call("connect", { port })).toBe("connected");
  });
  await upstream.close();
});

test("the walls can be named, and the server gets the variables that are named for it", async () => {
  const box = { write: ["data"], network: ["api.example.com"] };
  const { settings, upstream, call } = await server({ box, env: { TOKEN: `\${env:TOKEN}` } });
  expect(settings.starts.split("\n").slice(2, 4)).toEqual([
    `box can change ${home}/data`,
    "box can reach api.example.com",
  ]);
  await upstream.greet(HELLO);
  expect(await call("variable", { name: "TOKEN" })).toBe("t1");
  expect(await call("write", { path: join(home, "data", "inside") })).toBe("written");
  expect(await call("write", { path: join(home, "project", "outside") })).toBe("EROFS");
  await upstream.close();
});

test("if the box cannot be made, the server is not started, and the reason is said", async () => {
  const { upstream } = await server({ box: { write: ["data"] } });
  rmSync(join(home, "data"), { recursive: true });
  await expect(upstream.greet(HELLO)).rejects.toThrow(/not started, because its box cannot be made: .*data/);
  await upstream.close();
});

test("a box with a mistake, or with variables that change what makes it, is refused before anything starts", async () => {
  for (const [more, why] of [
    [{ box: "yes" }, "`box` is not true and no object"],
    [{ box: { wirte: [] } }, "unknown key `wirte` in `box`"],
    [{ box: { write: ["nowhere"] } }, "does not exist"],
    [{ box: { network: ["a b"] } }, "is no host"],
    [{ box: true, env: { LD_PRELOAD: "x.so" } }, "LD_PRELOAD cannot be set for a server in a box"],
  ] as const) {
    await expect(server(more)).rejects.toThrow(why);
  }
});
