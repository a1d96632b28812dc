import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { testPolicy } from "../../src/testing.ts";
import { compiled } from "../cli/program.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** A separate process, which runs compiled code. */
export function startWorker(role: "claim" | "act", given: object): ChildProcess {
  const child = spawn(process.execPath, [join(here, "worker.mjs"), compiled(), role], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // Thousands of ids do not fit on a command line.
  child.stdin.end(JSON.stringify(given));
  return child;
}

/** Everything it wrote to its standard output, after it has ended. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  return text;
}

const at = { file: "leeway.yaml", line: 1, column: 1 };

/** Lookups are automatic, refunds ask. */
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
