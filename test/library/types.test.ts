import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// A strict program, compiled against the built package. A line that the gate would refuse when it runs must not compile; a line
// that is expected not to compile and does is an error too.

const root = fileURLToPath(new URL("../..", import.meta.url));

const PROGRAM = `import { openGate, type PolicyLayer, resolvePreset } from "leeway";
import { createClient } from "leeway/http";
import { aiSdk } from "leeway/ai-sdk";

const remote = createClient({ url: "http://127.0.0.1:4141", token: "t" });
export const total: Promise<number> = remote.guard("total", (args: { id: number }) => args.id, { notExecuted: "throw", waitMs: 5 })({ id: 1 });
aiSdk(remote, { agent: "shop" });
// @ts-expect-error: only the server's policy says what a tool does
remote.guard("look", () => 1, { class: "db.read" });
// @ts-expect-error: the same
remote.guard("look", () => 1, { idempotent: true });

const server = "http://127.0.0.1:4141";
await openGate({ server, agent: "shop", cwd: "/" });
// @ts-expect-error: a server has its own policy
await openGate({ server, policy: { preset: "standard" } });
// @ts-expect-error: and its own database
await openGate({ server, db: ":memory:" });
// @ts-expect-error: and its own callback
await openGate({ server, callback: { name: "own", supportsInteraction: false } });
const elsewhere = await openGate({ server });
// @ts-expect-error: it is a gate on a server
elsewhere.guard("look", () => 1, { class: "db.read" });

const policy: PolicyLayer = { preset: "standard", tiers: { "fs.write": "ask" }, tools: { pay: { class: "db.write" } } };
const gate = await openGate({ db: ":memory:", policy });
gate.guard("look", () => 1, { class: "db.read" });
// @ts-expect-error: no preset
await openGate({ policy: { preset: "standrad" } });
// @ts-expect-error: no tier
await openGate({ policy: { tiers: { "fs.write": "maybe" } } });
// @ts-expect-error: no class
await openGate({ policy: { tools: { pay: { class: "db.wite" } } } });
// @ts-expect-error: no such answer where nobody is there
await openGate({ policy: { headless: "allow" } });
// @ts-expect-error: no class
gate.guard("look", () => 1, { class: "db.raed" });
// @ts-expect-error: no tier
gate.withPolicy({ tier: "maybe" }, () => 1);
resolvePreset({ tool: "shell.exec", base: "silent", preset: "standard" });
// @ts-expect-error: the preset is missing
resolvePreset({ tool: "shell.exec", base: "silent" });
`;

test("a strict program that compiles against the package is one that the gate accepts", () => {
  const folder = mkdtempSync(join(tmpdir(), "leeway-types-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "main.ts"), PROGRAM);
    const paths = {
      leeway: [join(root, "dist/index.d.ts")],
      "leeway/http": [join(root, "dist/client/index.d.ts")],
      "leeway/*": [join(root, "dist/adapters/*.d.ts")],
    };
    const compilerOptions = {
      ...{ target: "ES2023", module: "NodeNext", strict: true, exactOptionalPropertyTypes: true, noEmit: true },
      ...{ skipLibCheck: true, types: ["node"], typeRoots: [join(root, "node_modules/@types")], paths },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    const tsc = join(root, "node_modules/typescript/lib/tsc.js");
    const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect([stdout, status]).toEqual(["", 0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
