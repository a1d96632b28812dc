import { APPLY_TOOL, isGateOnly, UNDO_TOOL } from "../../core/box.ts";
import type { ToolCall } from "../../core/call.ts";
import { placeIn } from "../../core/channel.ts";
import type { ExecutionIn } from "../../core/execution.ts";
import { nameText } from "../../core/letters/name-text.ts";
import { maskText, redactTextOf } from "../../core/masking/redact.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { Notice } from "../../core/notice.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { outputOf } from "../../core/show/output.ts";
import { RAN_WINDOW_MS, ranCounter } from "../../core/steps/notices.ts";
import { visible } from "../../core/values/text.ts";
import { commandOf, isAboutChanges, leadOfCall } from "../boxes/seen-changes.ts";
import { openArgs } from "../calls/args.ts";
import type { Deps } from "../deps.ts";
import { ownerOf } from "../standing/owner.ts";

// A notice is stored without arguments and results, only with references. Its text about a call is made and masked when it is sent or
// shown.

/** A digest says how many calls it is about and names them. The result of a call is told together with the call. */
export async function withNames(deps: Deps, notice: Notice): Promise<Notice> {
  if (notice.kind !== "ran") return notice;
  if (notice.id.startsWith("ntc_ran_")) return digestOf(deps, notice);
  const execution = await deps.store.read({
    ask: "row",
    workspace: deps.workspace,
    table: "executions",
    id: notice.ref,
  });
  const state = execution?.row.state;
  const call = execution === undefined ? undefined : await callAt(deps, execution.row.call);
  if (execution === undefined || call === undefined || (state !== "succeeded" && state !== "failed")) return notice;
  const named = {
    agent: call.agent,
    call: await nameOf(deps, call, namingOf(call)),
  };
  return {
    ...notice,
    title: titleOf(call.tool, state, named),
    text: placeIn(notice.to) === undefined ? resultText(call, execution.row as Ended) : "",
  };
}

type Ended = ExecutionIn<"succeeded" | "failed">;

/** What the owner and the requester are told of a result. Everybody in a chat reads what is sent there, so it is not told there. */
function resultText(call: CallRow, ended: Ended): Message | string {
  if (isGateOnly(call.tool)) return "";
  const output = outputOf(call, ended).text;
  const said = output === "" && ended.state === "failed" ? visible(maskText(ended.error)) : output;
  const opened = openArgs(call);
  // One line in quotation marks: nothing that a tool returns can look like words of ours.
  const line = said
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replace(/[“”]/g, '"')
    .trim();
  const masked = opened.ok ? redactTextOf(opened.args, line) : line;
  if (masked === "") return "";
  const text = shortened(masked);
  return ended.state === "failed" ? say("notice.failed_with", { text }) : say("notice.returned", { text });
}

function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= RESULT_LETTERS_MAX ? text : `${letters.slice(0, RESULT_LETTERS_MAX).join("")}…`;
}

const RESULT_LETTERS_MAX = 200;

/** The gate applies and undoes what a command of the agent changed. */
function titleOf(tool: string, state: "succeeded" | "failed", named: { agent: string; call: string }): Message {
  const isDone = state === "succeeded";
  if (tool === APPLY_TOOL)
    return isDone ? say("notice.changes_applied", named) : say("notice.changes_not_applied", named);
  if (tool === UNDO_TOOL) return isDone ? say("notice.changes_undone", named) : say("notice.changes_not_undone", named);
  return isDone ? say("notice.ran_well", named) : say("notice.ran_badly", named);
}

async function digestOf(deps: Deps, notice: Notice): Promise<Notice> {
  const text = await namesIn(deps, notice);
  return { ...(await withCount(deps, notice)), text: text === "" ? notice.text : text };
}

/** How many calls a digest is about. The number may be stored; the names may not. */
export async function withCount(deps: Deps, notice: Notice): Promise<Notice> {
  if (!notice.id.startsWith("ntc_ran_")) return notice;
  const counters = [ranCounter(notice.to, notice.createdMs)];
  const { workspace } = deps;
  const [calls = 0] = await deps.store.read({ ask: "counters", workspace, counters, nowMs: deps.clock.nowMs() });
  // Counters expire after a while, so the earlier number is kept.
  if (calls === 0) return notice;
  return { ...notice, title: say("notice.calls_ran", { count: calls }) };
}

/** How many entries of a window are read, and how many calls of each agent are named. */
const [LOOKED_AT_MAX, NAMED_MAX] = [200, 5];

/** "coder: write_file src/a.ts, write_file src/b.ts and 3 more; tester: save x" */
async function namesIn(deps: Deps, { to, createdMs }: Notice): Promise<string> {
  const { workspace, store } = deps;
  const where = {
    kinds: ["call.decided"] as const,
    fromMs: createdMs,
    toMs: createdMs + RAN_WINDOW_MS - 1,
    subject: { tier: "notify", outcome: "run" } as const,
  };
  const entries = await store.read({ ask: "entries", workspace, where, limit: LOOKED_AT_MAX, order: "oldest" });
  const inForce = await deps.standing.current();
  const admins = new Set(inForce.rows.people.filter(({ admin }) => admin).map(({ name }) => name));
  const owned = new Map<string, string[]>();
  for (const { subject } of entries) {
    const call = subject.call === undefined ? undefined : await callAt(deps, subject.call);
    if (call === undefined || (await belongsToAnother(deps, call))) continue;
    const owner = await ownerOf(deps, inForce, call.chain[0] ?? call.agent);
    if (owner === undefined ? !admins.has(to) && to !== "admins" : owner !== to) continue;
    const agent = nameText(call.agent);
    owned.set(agent, [...(owned.get(agent) ?? []), await nameOf(deps, call)]);
  }
  return [...owned].map(([agent, names]) => `${agent}: ${listed(names)}`).join("; ");
}

/** A command and what it changed are told as one: the command is in the same digest, or in the one before. */
async function belongsToAnother(deps: Deps, row: CallRow): Promise<boolean> {
  const opened = row.tool === APPLY_TOOL ? openArgs(row) : undefined;
  if (opened?.ok !== true) return false;
  const command = await callAt(deps, String(opened.args["call"] ?? ""));
  return command?.decision.tier === "notify";
}

function listed(names: readonly string[]): string {
  const different = [...new Set(names)];
  const more = different.length - NAMED_MAX;
  return `${different.slice(0, NAMED_MAX).join(", ")}${more > 0 ? ` +${more}` : ""}`;
}

const NAME_LETTERS_MAX = 80;

function namingOf(call: CallRow): Naming {
  return isAboutChanges(call) ? commandOf : leadOfCall;
}

type Naming = (deps: Deps, call: ToolCall) => Promise<string>;

async function nameOf(deps: Deps, row: CallRow, naming: Naming = leadOfCall): Promise<string> {
  const opened = openArgs(row);
  const letters = [...(opened.ok ? await naming(deps, opened.call) : visible(row.tool))];
  return letters.length <= NAME_LETTERS_MAX ? letters.join("") : `${letters.slice(0, NAME_LETTERS_MAX).join("")}…`;
}

async function callAt({ store, workspace }: Deps, id: string): Promise<CallRow | undefined> {
  return (await store.read({ ask: "row", workspace, table: "calls", id }))?.row;
}
