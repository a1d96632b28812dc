import type { Approval } from "../../core/approval.ts";
import { isGateOnly } from "../../core/box.ts";
import type { ToolCall } from "../../core/call.ts";
import { answers, askingParts } from "../../core/decide/grants.ts";
import { judge } from "../../core/decide/judge.ts";
import { bareStanding, type Standing } from "../../core/decide/standing.ts";
import { conditionalGrants, imagined, type Suggestions, suggestGrants } from "../../core/decide/suggest/suggest.ts";
import type { Effect } from "../../core/effect.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Grant, GrantCover } from "../../core/standing/grant.ts";
import { openArgs } from "../calls/args.ts";
import type { Deps } from "../deps.ts";
import { openGuesses } from "../record/guesses.ts";

/** The covers of the grants that a question offers, the narrowest first; empty if none is safe. */
export async function coversOffered(deps: Deps, approval: Approval): Promise<readonly GrantCover[]> {
  return (await suggestedFor(deps, approval)).drafts.map(({ covers }) => covers);
}

export async function suggestedFor(deps: Deps, approval: Approval): Promise<Suggestions & { call: ToolCall }> {
  const { call, effect } = await askedCall(deps, approval);
  const standing = await rulesInForce(deps, approval);
  const nowMs = deps.clock.nowMs();
  // No grant changes a firm rule or a tier that is stricter than `ask`, so nothing can be remembered.
  // What a command changes is different every time, so an answer about it is never remembered.
  const isOnce = approval.plan !== undefined || isGateOnly(approval.tool);
  const isLifted = !isOnce && approval.tier === "ask" && judge(call, effect, standing, nowMs).firm === undefined;
  if (!isLifted) return { call, drafts: [], none: { is: "no-lift" } };
  const asking = askingParts(call, effect, standing, nowMs);
  const { drafts, none } = suggestGrants(call, asking, deps.policies.current().project);
  const { workspace } = deps;
  const more = conditionalGrants(call, asking, drafts, { boxed: standing.box !== undefined }).filter((draft) =>
    answers(imagined(draft, { workspace, nowMs }), call, effect, standing, nowMs, asking),
  );
  const all = [...drafts, ...more];
  return { call, drafts: all, ...(all.length > 0 || none === undefined ? {} : { none }) };
}

/** Whether the grant would have allowed this call. */
export async function coversCall(deps: Deps, grant: Grant, approval: Approval): Promise<boolean> {
  const { call, effect } = await askedCall(deps, approval);
  return answers(grant, call, effect, await rulesInForce(deps, approval), deps.clock.nowMs());
}

/** Finds the parts of a call that need a question: `npm test | tail` is remembered as `npm test`, because `tail` may run anyway. */
export async function rulesInForce(deps: Deps, { boxes }: Pick<Approval, "boxes">): Promise<Standing> {
  const { layers, rows } = await deps.standing.current();
  const standing = { ...bareStanding(layers.layers, layers.version), promotions: rows.promotions };
  return boxes === undefined ? standing : { ...standing, box: { project: deps.policies.current().project, ...boxes } };
}

export async function askedCall(deps: Deps, approval: Approval): Promise<{ call: ToolCall; effect: Effect }> {
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: approval.call });
  if (found === undefined) throw new Error(`the call of ${approval.id} is gone (this is a bug)`);
  const opened = openArgs(found.row);
  if (!opened.ok) throw new Error(`the call of ${approval.id} does not open: ${textOf(opened.why, "en")}`);
  const guessed = openGuesses(deps, found.row.effect, found.row.digest);
  if (!guessed.ok) throw new Error(`the call of ${approval.id} does not open: ${textOf(guessed.why, "en")}`);
  return { call: opened.call, effect: guessed.effect };
}
