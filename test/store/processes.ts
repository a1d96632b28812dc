import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { testPolicy } from "../../src/testing.ts";
import { compiled } from "../cli/program.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** A process of its own, which runs compiled code. */
export function startWorker(role: "claim" | "act", given: object): ChildProcess {
  const child = spawn(process.execPath, [join(here, "worker.mjs"), compiled(), role], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // A command line has no room for thousands of ids.
  child.stdin.end(JSON.stringify(given));
  return child;
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
