import { APPLY_TOOL } from "../../core/box.ts";
import type { CallId } from "../../core/ids.ts";
import type { Entry } from "../../core/ledger.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { saidOfCall } from "../../gate/boxes/seen-changes.ts";
import { openArgs } from "../../gate/calls/args.ts";
import { callAt } from "../../gate/calls/call-at.ts";
import type { Deps } from "../../gate/deps.ts";
import { effectIn } from "../../gate/record/guesses.ts";
import { headOf, listEntries } from "../../gate/record/ledger.ts";
import type { EntryFilter } from "../../ports.ts";
import { applyingCall, boxedOf, type ChangesSeen } from "../../service/views/boxed.ts";
import { approvalOf, executionOf } from "../../service/views/outcome.ts";
import { moment } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { entryRows, entrySentence, gravityOf } from "./entries.ts";
import { tierChip } from "./why.ts";

// The record as people read it: one row for each call, which opens to show everything about it, and one row for each
// other entry.

const HISTORY_MAX = 50;

/** Filters besides those of the entries. */
export type ActivityFilter = { filter: EntryFilter; q: string };

/**
 * The record is signed after every few calls. Among everything else, the entries about that would hide the calls; they
 * are listed when somebody looks for them.
 */
export function hidesSignatures({ filter: { kinds, actor, subject }, q }: ActivityFilter): boolean {
  return kinds === undefined && actor === undefined && subject === undefined && q.trim() === "";
}

/** The row of an entry; undefined if its call already has a row further up, or if it does not match. */
export async function rowOf(
  deps: Deps,
  view: View,
  entry: Entry,
  { filter, q }: ActivityFilter,
  seen: Set<string>,
): Promise<Html | undefined> {
  const { call } = entry.subject;
  if (entry.kind === "ledger.sealed" && hidesSignatures({ filter, q })) return undefined;
  if (call === undefined) return fits(q, entryText(entry)) ? plainRow(view, entry) : undefined;
  const row = await callAt(deps, call);
  const both = row === undefined ? undefined : await withChanges(deps, row, filter);
  const [first = call] = both?.ids ?? [];
  if (seen.has(first)) return undefined;
  seen.add(first);
  for (const id of both?.ids ?? [call])
    if (filter.beforeIndex !== undefined && (await isOnEarlierPage(deps, id, filter))) return undefined;
  if (both !== undefined) return callRow(deps, view, entry, both, q);
  return fits(q, entryText(entry)) ? plainRow(view, entry) : undefined;
}

/** A command, and the call that applies what it changed: for people these are one. */
type Both = { row: CallRow; applying?: CallRow; ids: readonly string[] };

/** Somebody who looks for one call, question or execution sees only that. */
async function withChanges(deps: Deps, row: CallRow, { subject = {} }: EntryFilter): Promise<Both> {
  const alone = { row, ids: [row.id] };
  if (APART.some((name) => subject[name] !== undefined)) return alone;
  if (row.tool === APPLY_TOOL) {
    const opened = openArgs(row);
    const command = opened.ok ? await callAt(deps, String(opened.args["call"] ?? "")) : undefined;
    return command === undefined ? alone : { row: command, applying: row, ids: [command.id, row.id] };
  }
  const applying = row.decision.box?.rehearsed === true ? await applyingCall(deps, row) : undefined;
  return applying === undefined ? alone : { row, applying, ids: [row.id, applying.id] };
}

const APART = ["call", "approval", "execution"] as const;

/** A call is at the position of its newest entry. */
async function isOnEarlierPage(
  deps: Deps,
  call: string,
  { beforeIndex = 0, ...filter }: EntryFilter,
): Promise<boolean> {
  const subject = { ...filter.subject, call } as NonNullable<EntryFilter["subject"]>;
  const [newest] = await listEntries(deps, { ...filter, subject }, { limit: 1, order: "newest" });
  return newest !== undefined && newest.index >= beforeIndex;
}

function plainRow(view: View, entry: Entry): Html {
  const { words } = view;
  const { agent } = entry.subject;
  return html`<li class="event"><span class="when">${moment(view, entry.atMs)}</span><span class="what"><span class="dot ${gravityOf(entry)}"></span>${entrySentence(view.language, entry)}</span><span class="links">${agent !== undefined && html`<a href="/agents/${encodeURIComponent(agent)}">${words.agentLink}</a> `}<a href="/activity/${entry.index}">${words.place} ${entry.index}</a></span></li>`;
}

async function callRow(deps: Deps, view: View, entry: Entry, both: Both, q: string): Promise<Html | undefined> {
  const { words, language } = view;
  const { row, applying, ids } = both;
  const opened = openArgs(row);
  const said = opened.ok ? await saidOfCall(deps, opened.call, effectIn(deps, row), language) : undefined;
  const lead = said?.lead ?? shown(row.tool);
  const text = [lead, said?.sentence, row.agent, row.tool, row.id, row.approvalId, row.executionId].join(" ");
  if (!fits(q, text)) return undefined;
  const { changes } = applying === undefined ? {} : await boxedOf(deps, applying, language);
  const questions = [row, applying].flatMap((one) => one?.approvalId ?? []);
  const history = await historyOf(deps, ids);
  const ofChanges = applying !== undefined && !isSettled(changes?.state);
  const came = await cameText(deps, view, ofChanges ? applying : row);
  return html`<li class="call"><details><summary><span class="when">${moment(view, entry.atMs)}</span><span class="what"><span class="dot ${gravityOf(entry)}"></span><b>${shown(row.agent)}</b> <code>${lead}</code></span><span class="links">${row.decision.box !== undefined && html`<span class="badge quiet">${words.inBox}</span> `}${tierChip(row.decision.tier)} <small>${ofChanges && `${words.itsChanges} `}${came}</small></span></summary>
<p class="said">${said?.sentence ?? ""}${changes !== undefined && html` <a href="/calls/${changes.call}">${changes.said}</a>`}</p>
<p class="facts"><a href="/calls/${row.id}">${words.whyLink}</a>${questions.map((id) => html` <a href="/approvals/${id}">${words.questionLink}</a>`)} <a href="/agents/${encodeURIComponent(row.agent)}">${words.agentLink}</a></p>
${entryRows(view, history, { links: false })}</details></li>`;
}

/** What happened to a command and to its changes, in the order of time. */
async function historyOf(deps: Deps, ids: readonly string[]): Promise<readonly Entry[]> {
  const page = { limit: HISTORY_MAX, order: "oldest" } as const;
  const found = await Promise.all(ids.map((id) => listEntries(deps, { subject: { call: id as CallId } }, page)));
  return found.flat().sort((a, b) => a.index - b.index);
}

/** Nothing about the changes is open, so how the command itself ended counts. */
function isSettled(state: ChangesSeen["state"] | undefined): boolean {
  return state === undefined || state === "applied" || state === "undone";
}

/** The state so far: the result, else what people answered, else what was decided. */
async function cameText(deps: Deps, { words }: View, row: CallRow): Promise<string> {
  const execution = await executionOf(deps, row);
  if (execution !== undefined) return words[`brief_${execution.state}`];
  const asked = await approvalOf(deps, row);
  return asked === undefined ? words[OUTCOMES[row.outcome]] : words[`is_${asked.state}`];
}

const OUTCOMES = {
  run: "outcomeRun",
  pending: "outcomePending",
  not_executed: "outcomeNotExecuted",
  denied: "outcomeDenied",
  delegated: "outcomeDelegated",
} as const;

function entryText({ kind, actor, subject, body }: Entry): string {
  return `${kind} ${actor} ${Object.values(subject).join(" ")} ${JSON.stringify(body?.json ?? {})}`;
}

function fits(q: string, text: string): boolean {
  return text.toLowerCase().includes(q.trim().toLowerCase());
}

/** The first entry at or after this time; entries are in order of time. */
export async function indexAt(deps: Deps, atMs: number): Promise<number> {
  const { index: last } = await headOf(deps);
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const where = { afterIndex: middle - 1, beforeIndex: middle + 1 };
    const [entry] = await listEntries(deps, where, { limit: 1, order: "oldest" });
    if (entry === undefined || entry.atMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
