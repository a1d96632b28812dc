import { join } from "node:path";
import type { Policy } from "../../core/policy.ts";
import { listEntries } from "../../gate/ledger.ts";
import { diffPolicy, type PolicyDiff, policyInForce } from "../../gate/policy.ts";
import { Failure } from "../failure.ts";
import { fileText, type Opened, withGate } from "../gate.ts";
import { diffText, type Tried, tryText } from "../policy-diff-view.ts";
import { type CommandSpec, first, type Given, oneOf, text, whole } from "../spec.ts";
import { loadedOrFail, policyAt } from "./policy.ts";

const RECORDED = 1000;
const LIMIT_OPTION = ["--limit <count>", `how many recorded calls, newest first (default: ${RECORDED})`] as const;

const diff: CommandSpec = {
  name: "policy diff",
  summary: "what a new policy would have decided otherwise, over the recorded calls",
  args: [["<new>", "the new policy file, judged as if it lay in the project"]],
  options: [LIMIT_OPTION],
  examples: ["leeway policy diff new.yaml"],
  exits: [0, 1, 2],
  act: async (given) => {
    const path = first(given);
    loadedOrFail(await policyAt(path));
    return withGate(given, async (deps) => {
      const diffed = await diffPolicy(deps, asInProject(deps, path), { limit: limitOf(given) });
      given.out.answer(diffed, () => diffText(given.out, diffed));
      return 0;
    });
  },
};

const tryOut: CommandSpec = {
  name: "policy try",
  summary: "run a policy over calls that were really made: what it would have asked",
  args: [["[file]", "the policy file (default: the policy in force)"]],
  options: [["--from <source>", "where the calls come from: ledger (default: ledger)"], LIMIT_OPTION],
  examples: ["leeway policy try", "leeway policy try strict.yaml --limit 200"],
  exits: [0, 1, 2],
  act: async (given) => {
    sourceOf(given);
    const [path] = given.args;
    if (path !== undefined) loadedOrFail(await policyAt(path));
    return withGate(given, async (deps) => {
      const policy = path === undefined ? await innermost(deps) : asInProject(deps, path);
      const limit = limitOf(given);
      const tried = await triedOf(deps, await diffPolicy(deps, policy, { limit }), limit);
      given.out.answer(tried, () => tryText(given.out, tried));
      return 0;
    });
  },
};

export const policyDiffs = [diff, tryOut];

function sourceOf(given: Given): void {
  const from = text(given, "from") ?? "ledger";
  if (from === "claude-code") {
    throw new Failure(
      1,
      "reading the transcripts of claude-code is not in this version",
      "use --from ledger, the default",
    );
  }
  oneOf(from, ["ledger"] as const, "source");
}

function limitOf(given: Given): number {
  return whole(given, "limit") ?? RECORDED;
}

/** Its relative paths start where those of the project's own file do, and it stands in that file's place. */
function asInProject(deps: Opened, path: string): Policy {
  const { files, project } = deps.policies.current();
  return loadedOrFail(deps.policies.parse(fileText(path), files.at(-1)?.path ?? join(project, "leeway.yaml")));
}

async function innermost(deps: Opened): Promise<Policy> {
  const layer = (await policyInForce(deps)).layers.at(-1);
  if (layer === undefined) throw new Failure(1, "no policy loads here", "`leeway policy check` says why");
  return layer.policy;
}

/** What every recorded call would come to: as recorded, but for the ones that changed. */
async function triedOf(deps: Opened, diffed: PolicyDiff, limit: number): Promise<Tried> {
  const entries = await listEntries(deps, { kinds: ["call.decided"] }, { limit, order: "newest" });
  const changed = new Map<string, PolicyDiff["changed"][number]>(diffed.changed.map((change) => [change.call, change]));
  const skipped = new Set(diffed.skipped.map(({ call }) => call));
  const calls = entries.flatMap(({ subject }) => {
    const { call = "", agent = "", tool = "", tier = "", outcome = "" } = subject;
    const after = changed.get(call)?.after;
    return skipped.has(call)
      ? []
      : [{ call, agent, tool, tier: after?.tier ?? tier, outcome: after?.outcome ?? outcome }];
  });
  return { of: calls.length, calls, skipped: diffed.skipped };
}
