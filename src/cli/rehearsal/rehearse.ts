import { join, relative, resolve } from "node:path";
import { readSettings } from "../../config/environment.ts";
import type { ToolCall } from "../../core/call.ts";
import { imagined } from "../../core/decide/suggest/suggest.ts";
import type { Policy } from "../../core/policy.ts";
import type { Grant, GrantDraft } from "../../core/standing/grant.ts";
import { type Rehearsed, rehearsal } from "../../gate/calls/rehearse.ts";
import { policyInForce } from "../../gate/standing/policy.ts";
import { TRANSCRIPTS } from "../../importers/transcripts.ts";
import { Failure } from "../failure.ts";
import type { OpenedGate } from "../gate/database.ts";
import type { CommandInput } from "../spec.ts";
import { fileText } from "../terminal/files.ts";
import { progress } from "../terminal/progress.ts";
import { type AskedCall, proposalsFor } from "./proposals.ts";
import { type JudgedCall, type Rehearsal, rehearsalOf } from "./rehearsal-counts.ts";
import { type PlacedCall, readTranscripts } from "./transcripts.ts";

export type Host = keyof typeof TRANSCRIPTS;

/** What to read, and the policy file to judge it by; the default is the policy in force. */
export type RehearsalOptions = { from: Host; folder?: string; limit: number; sinceMs?: number; policy?: string };

/** Runs a policy over the transcripts of an agent program. Nothing is recorded, and nothing runs. */
export async function rehearse(given: CommandInput, deps: OpenedGate, asked: RehearsalOptions): Promise<Rehearsal> {
  const { from, limit, sinceMs } = asked;
  const source = TRANSCRIPTS[from];
  const folder = asked.folder ?? join(readSettings(given.io.env).home, ...source.folder);
  const read = await readTranscripts(given.io, source, {
    folder,
    limit,
    ...(sinceMs === undefined ? {} : { sinceMs }),
  });
  const judge = await judgeOf(given, deps, asked);
  const bar = progress(given.io, "deciding");
  const judged = read.calls.map((call, at): JudgedCall => {
    bar.at(at, read.calls.length);
    return { call, rehearsed: judge(call) };
  });
  bar.end();
  const proposals = proposalsFor(judged.flatMap((one) => askedCall(deps, from, one, judge)));
  return { ...rehearsalOf(from, folder, read, judged), proposals };
}

/** A call that only asks can be answered by a grant; one that needs a person, or is refused, cannot. */
function askedCall(deps: OpenedGate, agent: Host, { call, rehearsed }: JudgedCall, judge: Judge): AskedCall[] {
  const { decision, effect } = rehearsed;
  if (decision.tier !== "ask" || decision.outcome === "run" || decision.needsHuman) return [];
  const runsWith = (draft: GrantDraft) =>
    judge(call, [imagined(draft, { workspace: deps.workspace, nowMs: 0 })]).decision.outcome === "run";
  return [{ call: toolCall(deps, agent, call), effect, project: call.project, runsWith }];
}

type Judge = (call: PlacedCall, grants?: readonly Grant[]) => Rehearsed;

/** Each project is judged as if the policy were in its folder, so that patterns mean the files of that project. */
async function judgeOf(given: CommandInput, deps: OpenedGate, asked: RehearsalOptions): Promise<Judge> {
  const policiesIn = asked.policy === undefined ? await inForceIn(deps) : await fileIn(given, asked.policy);
  const made = new Map<string, (call: ToolCall, grants?: readonly Grant[]) => Rehearsed>();
  return (call, grants) => {
    const judge = made.get(call.project) ?? rehearsal(deps, policiesIn(call.project), call.project);
    made.set(call.project, judge);
    return judge(toolCall(deps, asked.from, call), grants);
  };
}

/** A hook uses the name of its agent program as the agent's name. */
function toolCall(deps: OpenedGate, agent: Host, { tool, args, cwd, session }: PlacedCall): ToolCall {
  return {
    workspace: deps.workspace,
    agent,
    tool,
    args,
    cwd,
    ...(session === undefined ? {} : { session }),
    callId: "rehearsed",
    traceId: "rehearsed",
    chain: [],
    claims: {},
  };
}

async function fileIn(given: CommandInput, path: string): Promise<(project: string) => readonly Policy[]> {
  const { parsePolicyText } = await import("../../config/policy/policy-text.ts");
  const text = fileText(resolve(given.io.cwd, path));
  const { home } = readSettings(given.io.env);
  return (project) => {
    const loaded = parsePolicyText(text, path, { root: project, home });
    if (!loaded.ok) throw new Error(`${path} loaded before and does not now (this is a bug)`);
    return [loaded.policy];
  };
}

async function inForceIn(deps: OpenedGate): Promise<(project: string) => readonly Policy[]> {
  const { layers } = await policyInForce(deps);
  if (layers.length === 0)
    throw new Failure(1, "no policy can be loaded here", "run `leeway policy check` to see the errors");
  const here = deps.policies.current().project;
  return (project) =>
    layers.map(({ policy }) =>
      policy.root === undefined ? policy : { ...policy, root: resolve(project, relative(here, policy.root)) },
    );
}
