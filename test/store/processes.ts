import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { testPolicy } from "../../src/testing.ts";

// Real processes run compiled code. It is compiled anew for each run, so that they run what the sources say now.

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");

/** Compiles the sources into a folder inside `node_modules`, from where packages are found. */
export function compiled(): string {
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "leeway-store-"));
  const done = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.build.json", "--outDir", folder], {
    cwd: root,
    encoding: "utf8",
  });
  if (!existsSync(join(folder, "testing.js"))) throw new Error(`the sources do not compile: ${done.stdout}`);
  return folder;
}

export function startWorker(built: string, role: "claim" | "act", given: object): ChildProcess {
  return spawn(process.execPath, [join(here, "worker.mjs"), built, role, JSON.stringify(given)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** All it wrote to its standard output, once it has ended. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  return text;
}

const at = { file: "leeway.yaml", line: 1, column: 1 };

/** Looking up is automatic, refunding asks. */
export const policy = testPolicy({
  tiers: [
    { for: "class", name: "db.read", tier: "auto", at },
    { for: "class", name: "payments.move", tier: "ask", at },
  ],
  tools: [
    { name: "lookup", class: "db.read", at },
    { name: "refund", class: "payments.move", at },
  ],
  approvals: { assurance: "any" },
});
