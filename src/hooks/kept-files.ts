import type { CallerBoxes } from "../core/approval.ts";
import type { ToolCall } from "../core/call.ts";
import { isUnder } from "../core/classify/path.ts";
import { writtenPaths } from "../core/decide/box/kept.ts";
import { givesCommands } from "../core/decide/tool-view.ts";
import type { Receipt } from "../core/receipt.ts";
import { callAt } from "../gate/calls/call-at.ts";
import { type CallerOptions, effectOf } from "../gate/calls/judging.ts";
import { submit } from "../gate/calls/submit.ts";
import type { Deps } from "../gate/deps.ts";

// A host's own tool writes a file where it is. What builds and tests run from such a file is the same as if a command had written it in a
// box, so it is decided alike: the former bytes are kept before the host goes on, and `leeway undo` puts them back.

/**
 * Keeps what a call would overwrite, if that may be a reason to let it run; undefined if it is none, or nothing can be kept. `only
 * looks`: nothing is written, and the answer says what would be kept.
 */
export async function keepForCall(
  deps: Deps,
  call: ToolCall,
  how: "keeps" | "only looks" = "keeps",
): Promise<CallerBoxes | undefined> {
  const { rehearsals } = deps;
  if (rehearsals === undefined || givesCommands(call.tool)) return undefined;
  const effect = effectOf(deps, call, await deps.standing.unrecorded());
  if (!effect.parts.some(({ class: kind }) => kind === "deploy.write")) return undefined;
  const { project } = deps.policies.current();
  const paths = writtenPaths(effect);
  const isInner = (path: string) => path !== project && isUnder(path, project);
  if (paths.length === 0 || !paths.every(isInner)) return undefined;
  const inner = paths.map((path) => path.slice(project.length + 1));
  const name = `host-${deps.mint.next("call").slice("call_".length)}`;
  const isKept = await (how === "keeps" ? rehearsals.keep(name, project, inner) : rehearsals.canKeep(project, inner));
  return isKept ? { rehearses: true, kept: { name, paths } } : undefined;
}

/** What was kept for nothing, because the call does not run for this reason, is forgotten. */
export async function submitKept(deps: Deps, call: ToolCall, caller: CallerOptions): Promise<Receipt> {
  const receipt = await submit(deps, call, caller);
  const kept = caller.door.boxes?.kept;
  const row = receipt.outcome === "run" ? await callAt(deps, receipt.id) : undefined;
  if (kept !== undefined && row?.decision.kept?.name !== kept.name) await deps.rehearsals?.forget(kept.name);
  return receipt;
}

/** The host has said how the call ended: what it changed can be undone from now on. */
export async function noteKept(deps: Deps, call: string | undefined): Promise<void> {
  const row = call === undefined ? undefined : await callAt(deps, call);
  if (row?.decision.kept !== undefined) await deps.rehearsals?.noteWritten(row.decision.kept.name);
}
