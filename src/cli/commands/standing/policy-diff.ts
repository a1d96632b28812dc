import { join, resolve } from "node:path";
import { redactText } from "../../../core/masking/redact.ts";
import { inEnglish } from "../../../core/messages/text.ts";
import type { Policy } from "../../../core/policy.ts";
import { wordsText } from "../../../core/values/words-text.ts";
import { openArgs } from "../../../gate/calls/args.ts";
import { callAt } from "../../../gate/calls/call-at.ts";
import { listEntries } from "../../../gate/record/ledger.ts";
import { diffPolicy, type PolicyDiff, policyInForce } from "../../../gate/standing/policy.ts";
import { Failure, usage } from "../../failure.ts";
import { type OpenedGate, withDatabase } from "../../gate/database.ts";
import { rehearsalText } from "../../rehearsal/rehearsal-view.ts";
import { type Host, type RehearsalOptions, rehearse } from "../../rehearsal/rehearse.ts";
import { type CommandInput, type CommandSpec, first, oneOf, text, whole } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { momentMs } from "../../terminal/time.ts";
import { diffText, type TriedPolicy, tryText } from "../../views/policy-diff-view.ts";
import { loadedOrFail, policyAt } from "./policy.ts";

const SOURCES = ["ledger", "claude-code", "codex", "gemini", "opencode"] as const satisfies readonly (
  | "ledger"
  | Host
)[];
const RECORDED = 1000;
const LIMIT_OPTION = ["--limit <count>", `how many calls, newest first (default: ${RECORDED})`] as const;

const diff: CommandSpec = {
  name: "policy diff",
  summary: "show which recorded calls a new policy would have decided differently",
  args: [["<new>", "the new policy file; it is used as if it were in the project folder"]],
  options: [LIMIT_OPTION],
  examples: ["leeway policy diff new.yaml"],
  exits: [0, 1, 2],
  act: async (given) => {
    const path = first(given);
    loadedOrFail(await policyAt(path));
    return withDatabase(given, async (deps) => {
      const diffed = await diffPolicy(deps, asInProject(deps, path), { limit: limitOf(given) });
      given.out.answer(inEnglish(diffed), () => diffText(given.out, diffed));
      return 0;
    });
  },
};

const tryOut: CommandSpec = {
  name: "policy try",
  summary: "show what a policy would have decided about real calls from the past",
  args: [["[file]", "the policy file (default: the policy in force)"]],
  options: [
    ["--from <source>", `where the calls come from: ${SOURCES.join(" | ")} (default: ledger)`],
    ["--transcripts <folder>", "the folder with the transcripts (default: the agent program's folder in your home)"],
    ["--since <time>", "only calls in transcripts since then: 7d (ago), 2026-01-31"],
    LIMIT_OPTION,
  ],
  examples: [
    "leeway policy try",
    "leeway policy try strict.yaml --limit 200",
    "leeway policy try strict.yaml --from claude-code --since 7d",
  ],
  exits: [0, 1, 2],
  act: async (given) => {
    const from = sourceOf(given);
    const [path] = given.args;
    if (path !== undefined) loadedOrFail(await policyAt(path));
    return withDatabase(given, async (deps) => {
      if (from !== "ledger") {
        const rehearsed = await rehearse(given, deps, askedOf(given, from));
        given.out.answer(rehearsed, () => rehearsalText(given.out, rehearsed));
        return 0;
      }
      const policy = path === undefined ? await innermost(deps) : asInProject(deps, path);
      const limit = limitOf(given);
      const tried = await triedOf(deps, await diffPolicy(deps, policy, { limit }), limit);
      given.out.answer(inEnglish(tried), () => tryText(given.out, tried));
      return 0;
    });
  },
};

export const policyDiffs = [diff, tryOut];

function sourceOf(given: CommandInput): "ledger" | Host {
  const from = oneOf(text(given, "from") ?? "ledger", SOURCES, "source");
  const [alien] = from === "ledger" ? ["transcripts", "since"].filter((name) => text(given, name) !== undefined) : [];
  if (alien !== undefined)
    throw usage(`--${alien} is only for transcripts, but the calls come from the ledger`, "give --from claude-code");
  return from;
}

function askedOf(given: CommandInput, from: Host): RehearsalOptions {
  const folder = text(given, "transcripts");
  const since = text(given, "since");
  const [policy] = given.args;
  return {
    from,
    limit: limitOf(given),
    ...(folder === undefined ? {} : { folder: resolve(given.io.cwd, folder) }),
    ...(since === undefined ? {} : { sinceMs: momentMs(since, given.io.clock.nowMs()) }),
    ...(policy === undefined ? {} : { policy }),
  };
}

function limitOf(given: CommandInput): number {
  return whole(given, "limit") ?? RECORDED;
}

/** Parsed as if it were the project's own file, so that relative paths mean the same, and it replaces that file. */
function asInProject(deps: OpenedGate, path: string): Policy {
  const { files, project } = deps.policies.current();
  return loadedOrFail(deps.policies.parse(fileText(path), files.at(-1)?.path ?? join(project, "leeway.yaml")));
}

async function innermost(deps: OpenedGate): Promise<Policy> {
  const layer = (await policyInForce(deps)).layers.at(-1);
  if (layer === undefined)
    throw new Failure(1, "no policy can be loaded here", "run `leeway policy check` to see the errors");
  return layer.policy;
}

/** The outcome of every recorded call: as recorded, except those that the policy would change. */
async function triedOf(deps: OpenedGate, diffed: PolicyDiff, limit: number): Promise<TriedPolicy> {
  const entries = await listEntries(deps, { kinds: ["call.decided"] }, { limit, order: "newest" });
  const changed = new Map<string, PolicyDiff["changed"][number]>(diffed.changed.map((change) => [change.call, change]));
  const skipped = new Set(diffed.skipped.map(({ call }) => call));
  const calls: TriedPolicy["calls"][number][] = [];
  for (const { subject } of entries) {
    const { call = "", agent = "", tool = "", tier = "", outcome = "" } = subject;
    if (skipped.has(call)) continue;
    const after = changed.get(call)?.after;
    const what = await whatOf(deps, call, tool);
    calls.push({ call, agent, tool, what, tier: after?.tier ?? tier, outcome: after?.outcome ?? outcome });
  }
  return { of: calls.length, calls, skipped: diffed.skipped };
}

/** The command, if the call is one; otherwise the tool's name is enough. */
async function whatOf(deps: OpenedGate, id: string, tool: string): Promise<string> {
  const found = await callAt(deps, id);
  const opened = found === undefined ? undefined : openArgs(found);
  const { argv, command } = opened?.ok === true ? opened.args : {};
  const given = argv ?? command;
  const isWords = Array.isArray(given) && given.every((word) => typeof word === "string");
  const line = isWords ? wordsText(given as string[]) : given;
  return typeof line === "string" ? `${tool}: ${redactText(line.replaceAll(/\s+/g, " ").trim())}` : tool;
}
