import type { Rehearsals } from "../../box-port.ts";
import { APPLY_TOOL, type FileChange, isGateOnly, UNDO_TOOL } from "../../core/box.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Effect } from "../../core/effect.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { Language } from "../../core/messages/text.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { sayIn } from "../../core/say/languages.ts";
import { saidOf } from "../../core/show/card.ts";
import type { SeenChange } from "../../core/show/changes/changed-files.ts";
import { changesSaid, type SeenChanges } from "../../core/show/changes/changes-card.ts";
import { leadOf } from "../../core/show/lead.ts";
import { contentOf } from "../../core/steps/applying.ts";
import { visible } from "../../core/values/text.ts";
import { openArgs } from "../calls/args.ts";
import { callAt } from "../calls/call-at.ts";
import type { Deps } from "../deps.ts";

/** Whether the call applies or undoes what a command changed. */
export function isAboutChanges({ tool }: Pick<CallRow, "tool">): boolean {
  return isGateOnly(tool);
}

/** The command whose changes the call applies or undoes, in one line. */
export async function commandOf(deps: Deps, { args }: Pick<ToolCall, "args">): Promise<string> {
  const { call: id } = args;
  const row = typeof id === "string" ? await callAt(deps, id) : undefined;
  const opened = row === undefined ? undefined : openArgs(row);
  return opened?.ok === true ? leadOf(opened.call) : visible(String(id));
}

/** What a call would do, in one line and in one sentence. */
export async function saidOfCall(
  deps: Deps,
  call: ToolCall,
  effect: Effect,
  language: Language = "en",
): Promise<ReturnType<typeof saidOf>> {
  if (isAboutChanges(call)) return changesSaid(call, await commandOf(deps, call), sayIn(language), "does");
  return saidOf(call, effect, deps.policies.current().project, language);
}

/** The command, or the tool and its main argument, in one line. */
export async function leadOfCall(deps: Deps, call: ToolCall, language: Language = "en"): Promise<string> {
  if (!isAboutChanges(call)) return leadOf(call);
  return sayIn(language).changed.lead(call.tool === UNDO_TOOL ? "undo" : "apply", await commandOf(deps, call));
}

/** The files with their bytes, for the card. If the question is not open, it does not matter whether it can be approved. */
export async function seenChanges(deps: Deps, call: ToolCall, { isOpen }: { isOpen: boolean }): Promise<SeenChanges> {
  const command = await commandOf(deps, call);
  const found = (isOpen ? undefined : await appliedChanges(deps, call)) ?? (await changesOf(deps, call));
  const manner = isOpen ? "would" : "does";
  if ("blocked" in found) return { command, manner, ...(isOpen ? found : {}) };
  const { changes, moved } = await withBytes(found, call);
  const blocked = moved.length > 0 ? movedMessage(moved) : isOpen ? await blockedBy(found, call) : undefined;
  return { command, manner, changes, ...(blocked === undefined || !isOpen ? {} : { blocked }) };
}

/** What the call has applied, as long as it can be undone. */
async function appliedChanges({ rehearsals }: Deps, { tool, args }: ToolCall): Promise<Found | undefined> {
  const name = String(args["rehearsal"]);
  const changes = tool === APPLY_TOOL ? await rehearsals?.applied(name) : undefined;
  if (rehearsals === undefined || changes === undefined || changes === "undone") return undefined;
  return { rehearsals, name, changes };
}

/** Why nobody can approve the call; undefined if they can. */
export async function blockedChanges(deps: Deps, call: ToolCall): Promise<Message | undefined> {
  const found = await changesOf(deps, call);
  return "blocked" in found ? found.blocked : blockedBy(found, call);
}

/** Changes from how the files are to how they would be, relative to the project. */
type Found = { rehearsals: Rehearsals; name: string; changes: readonly FileChange[] };

/** The changes that the call names, only if they are exactly what its digest covers. */
async function changesOf(deps: Deps, { tool, args, cwd }: ToolCall): Promise<Found | { blocked: Message }> {
  const { rehearsals } = deps;
  if (rehearsals === undefined) return { blocked: say("refusal.changes_elsewhere") };
  const name = String(args["rehearsal"]);
  const kept = await (tool === UNDO_TOOL ? undoing(rehearsals, name) : rehearsals.read(name));
  const whole = kept?.map((change) => ({ ...change, path: `${cwd}/${change.path}` }));
  if (kept === undefined || whole === undefined || contentOf(whole) !== args["content"])
    return { blocked: say("refusal.changes_gone") };
  return { rehearsals, name, changes: kept };
}

async function undoing(rehearsals: Rehearsals, name: string): Promise<readonly FileChange[] | undefined> {
  const applied = await rehearsals.applied(name);
  return applied === undefined || applied === "undone" ? undefined : applied.map(reversed);
}

/** The same change backwards. */
export function reversed({ path, was, now }: FileChange): FileChange {
  return { path, was: now, now: was };
}

async function blockedBy({ rehearsals, name }: Found, { tool }: ToolCall): Promise<Message | undefined> {
  if (tool !== APPLY_TOOL) return undefined;
  const moved = await rehearsals.moved(name);
  if (moved === undefined) return say("refusal.changes_gone");
  return moved.length === 0 ? undefined : movedMessage(moved);
}

const NAMED_MAX = 5;

function movedMessage(moved: readonly string[]): Message {
  const more = moved.length > NAMED_MAX ? ` +${moved.length - NAMED_MAX}` : "";
  return say("refusal.changes_moved", { paths: `${moved.slice(0, NAMED_MAX).join(", ")}${more}` });
}

/** Larger files, and what is left when so much was read, are shown by size. */
const FILE_MAX = 200_000;
const ALL_MAX = 2_000_000;

async function withBytes(
  { rehearsals, name, changes }: Found,
  { tool, cwd }: ToolCall,
): Promise<{ changes: readonly SeenChange[]; moved: readonly string[] }> {
  const moved: string[] = [];
  const seen: SeenChange[] = [];
  let room = ALL_MAX;
  for (const change of changes) {
    const whole = { ...change, path: `${cwd}/${change.path}` };
    const sizes = [change.was, change.now].map((one) => (one?.kind === "file" ? one.bytes : 0));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (change.was?.kind !== "file" && change.now?.kind !== "file") seen.push(whole);
    else if (sizes.some((one) => one > FILE_MAX) || size > room) seen.push({ ...whole, bytes: { are: "large" } });
    else {
      const read = (which: "was" | "now") =>
        rehearsals.bytes(name, change.path, tool === UNDO_TOOL ? OTHER[which] : which, FILE_MAX);
      const bytes = { was: await read("was"), now: await read("now") };
      const isRead = (of: "was" | "now") => change[of]?.kind !== "file" || bytes[of] !== undefined;
      if (!isRead("was") || !isRead("now")) {
        moved.push(change.path);
        seen.push(whole);
        continue;
      }
      const texts = textsOf(change, bytes);
      if (texts !== undefined) room -= size;
      seen.push({ ...whole, bytes: texts === undefined ? { are: "binary" } : { are: "text", ...texts } });
    }
  }
  return { changes: seen, moved };
}

const OTHER = { was: "now", now: "was" } as const;

type Both<T> = { was: T; now: T };

/** Undefined unless everything is text that people can read. */
function textsOf(change: FileChange, bytes: Both<Uint8Array | undefined>): Both<string | null> | undefined {
  const texts = (["was", "now"] as const).map((of) => (change[of]?.kind === "file" ? textOf(bytes[of]) : null));
  const [was, now] = texts;
  return was === undefined || now === undefined ? undefined : { was, now };
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // These bytes are no UTF-8, so the file is no text.
    return undefined;
  }
}
