// What other programs allow without a question. Each of them gets the same question: would this command run without asking?
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
if (!existsSync(new URL("node_modules/@google/gemini-cli-core", import.meta.url))) {
  process.stderr.write("effects: peers are missing, running npm ci in bench\n");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: here,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error("npm ci failed in bench; without the peers there is nothing to compare with");
}

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

/** Gemini CLI's policy engine with its defaults for a shell: it asks unless its list contains every part of the command. */
async function gemini() {
  const { PolicyEngine } = await import("@google/gemini-cli-core/dist/src/policy/policy-engine.js");
  const { PolicyDecision } = await import("@google/gemini-cli-core/dist/src/policy/types.js");
  const engine = new PolicyEngine({
    rules: [{ toolName: "run_shell_command", decision: PolicyDecision.ASK_USER, priority: 10 }],
    defaultDecision: PolicyDecision.ASK_USER,
  });
  return async (command) => {
    const { decision } = await engine.check({ name: "run_shell_command", args: { command } }, undefined);
    return decision === PolicyDecision.ALLOW;
  };
}

/** A typical hand-written list of allowed programs. */
const ALLOWED = new Set(
  "ls cat head tail grep rg find wc sort uniq cut tr diff stat file du df pwd cd echo printf date whoami id uname which git jq sed awk tree env ps test [ true false basename dirname realpath readlink xargs".split(
    " ",
  ),
);
const GIT = new Set("status log diff show branch blame ls-files rev-parse describe remote".split(" "));

/** shell-quote splits the command; it is allowed if every piece begins with a listed program and nothing is redirected. */
async function splitter() {
  const { default: library } = await import("shell-quote");
  return (command) => {
    try {
      return isAllowed(library.parse(command));
    } catch {
      // If it cannot split the command, it asks.
      return false;
    }
  };
}

function isAllowed(tokens) {
  let first = true;
  let git = false;
  for (const token of tokens) {
    if (typeof token === "object" && "op" in token && token.op !== "glob") {
      if (/[<>]/.test(token.op)) return false;
      first = true;
      continue;
    }
    if (typeof token !== "string") continue;
    if (git && !GIT.has(token)) return false;
    git = first && token === "git";
    if (first && !ALLOWED.has(token)) return false;
    first = false;
  }
  return true;
}

export const PEERS = [
  { engine: "Gemini CLI policy engine", version: versionOf("@google/gemini-cli-core"), build: gemini },
  { engine: "shell-quote and an allow list", version: versionOf("shell-quote"), build: splitter },
];
