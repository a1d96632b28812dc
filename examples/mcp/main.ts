// An MCP client starts its server through Leeway's gateway. Nothing runs before a person has accepted the tool; then the
// policy decides each call.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { openGate } from "leeway";
import { type Machine, onNewMachine } from "../host.ts";

const POLICY = `version: 1
tools:
  "mcp:notes/read_note": { class: fs.read }
  "mcp:notes/write_note": { class: fs.write }
  "mcp:notes/wipe": { class: fs.delete }
tiers: { fs.read: auto, fs.write: notify, fs.delete: deny }
# This program vouches for ana; without this line her answer would have to come from the terminal or the inbox.
approvals: { assurance: any, selfReview: true }
`;

await onNewMachine(async (on) => {
  const server = fileURLToPath(new URL("server.mjs", import.meta.url));
  on.write("leeway.yaml", POLICY);
  on.write(".mcp.json", JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: [server] } } }));
  on.init("mcp");

  // What the client now starts, by its own settings.
  const { command, args } = on.settings(".mcp.json").mcpServers.notes;
  const child = spawn(command, args, { cwd: on.project, env: on.env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    await useNotes(on, child);
  } finally {
    // The gateway ends when its client does.
    child.stdin.end();
    assert.equal(await ended, 0);
  }
});

async function useNotes(on: Machine, { stdin, stdout }: { stdin: Writable; stdout: Readable }): Promise<void> {
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let sent = 0;
  const ask = async (method: string, params: object) => {
    sent += 1;
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: sent, method, params })}\n`);
    return JSON.parse((await lines.next()).value).result;
  };
  const call = async (name: string): Promise<string> =>
    (await ask("tools/call", { name, arguments: {} })).content[0].text;
  const clientInfo = { name: "example", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });

  for (const name of ["read_note", "write_note", "wipe"]) assert.match(await call(name), /LEEWAY_QUARANTINED/);

  // Ana sees each definition in the inbox, and accepts it.
  const gate = await openGate({ env: on.env, cwd: on.project });
  for (const { id } of await gate.approvals.list({ state: "pending" })) {
    const { digest } = await gate.approvals.get(id);
    await gate.review(id, { by: "ana", verdict: "approve", digest });
  }
  await gate.close();

  assert.equal(await call("read_note"), "did read_note");
  assert.equal(await call("write_note"), "did write_note");
  assert.match(await call("wipe"), /class fs\.delete is deny .*LEEWAY_DENIED/);
}
