import type { Entry, EntryKind } from "../../core/ledger.ts";
import type { Track } from "../../core/trust/trust.ts";
import type { Deps } from "../../gate/deps.ts";
import { listEntries } from "../../gate/record/ledger.ts";
import type { TrustView } from "../../gate/record/trust.ts";
import { moment } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { ENDS, saidIn, spanText } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { barsOf, chart, type Mark } from "./chart.ts";

// The track record of an agent as a chart over time, with its numbers.

const MARKED: readonly EntryKind[] = [
  "call.decided",
  "approval.denied",
  "execution.succeeded",
  "execution.failed",
  "execution.unknown",
];
/** Older events are in the numbers, but not in the chart. */
const ENTRIES_MAX = 5_000;
const PAGE = 500;

export async function recordHtml(deps: Deps, view: View, record: TrustView): Promise<Html> {
  const { words } = view;
  const { total, classes, suggestions } = record;
  if (total.calls === 0) return html`<h2>${words.record}</h2><p>${words.noRecord}</p>`;
  const entries = await markedOf(deps, record.agent);
  const firstMs = entries.at(-1)?.atMs ?? view.nowMs;
  const bars = (of: readonly Entry[]) => barsOf(of.flatMap(markOf), firstMs, view.nowMs);
  const whole = bars(entries);
  const said = (track: Track, name: string) => ({
    title: `${words.record}: ${name}`,
    desc: `${words.calls} ${track.calls}, ${words.wentWell} ${track.outcomes.success}, ${words.failed} ${track.outcomes.failure}, ${words.deniedCount} ${track.outcomes.denied}`,
  });
  return html`<h2>${words.record}</h2>
<figure class="panel">${chart(whole, said(total, words.all), 90)}
<figcaption><span>${moment(view, whole[0]?.fromMs ?? firstMs)}</span><span class="legend"><i class="well"></i>${words.wentWell} <i class="failed"></i>${words.failed} <i class="denied"></i>${words.deniedCount}</span><span>${words.now}</span></figcaption></figure>
<div class="scroll"><table class="stack record"><thead><tr><th scope="col">${words.classWord}</th><th scope="col">${words.overTime}</th><th scope="col" class="number">${words.calls}</th><th scope="col" class="number">${words.wentWell}</th><th scope="col" class="number">${words.failed}</th><th scope="col" class="number">${words.deniedCount}</th><th scope="col" class="number">${words.proposed}</th><th scope="col" class="number">${words.unknownCount}</th></tr></thead>
<tbody>${classes.map((track) => trackRow(view, track, chart(bars(entries.filter(({ subject }) => subject.class === track.class)), said(track, track.class), 24)))}</tbody></table></div>
<p>${answeredText(view, total)}</p>
${suggestions.map(({ text }) => html`<p class="told">${words.suggestion}: ${saidIn(view.language, text)}</p>`)}`;
}

/** Read page by page, so that other requests are answered in between. */
async function markedOf(deps: Deps, agent: string): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  while (found.length < ENTRIES_MAX) {
    const last = found.at(-1)?.index;
    const where = { kinds: MARKED, subject: { agent }, ...(last === undefined ? {} : { beforeIndex: last }) };
    const page = await listEntries(deps, where, { limit: PAGE, order: "newest" });
    found.push(...page);
    if (page.length < PAGE) break;
    await deps.clock.sleep(0);
  }
  return found;
}

function trackRow({ words }: View, track: Track & { class: string }, picture: Html): Html {
  const { success, failure, denied } = track.outcomes;
  const counts = [
    [words.calls, track.calls],
    [words.wentWell, success],
    [words.failed, failure],
    [words.deniedCount, denied],
    [words.proposed, track.proposals],
    [words.unknownCount, track.unknowns],
  ] as const;
  return html`<tr><th scope="row">${track.class}</th><td class="spark">${picture}</td>${counts.map(([name, count]) => html`<td class="number${count === 0 && " zero"}" data-label="${name}">${count}</td>`)}</tr>`;
}

function markOf(entry: Entry): Mark[] {
  const { kind, atMs, subject } = entry;
  if (kind === "execution.succeeded") return [{ atMs, was: "well" }];
  if (kind === "execution.failed" || kind === "execution.unknown") return [{ atMs, was: "failed" }];
  // A call that needs a human is refused and asked at once; a denial is a separate entry.
  const isAsked = entry.body?.json["denyCode"] === "LEEWAY_NEEDS_HUMAN" && subject.approval !== undefined;
  return kind === "approval.denied" || (subject.outcome === "denied" && !isAsked) ? [{ atMs, was: "denied" }] : [];
}

function answeredText({ words, language }: View, { answered, lastIncident }: Track): Html {
  const took =
    answered.count === 0
      ? words.nobodyAnswered
      : `${words.tookToAnswer} ${spanText(language, answered.totalMs / answered.count)} (${words.atMost} ${spanText(language, answered.longestMs)})`;
  const end = ENDS[language];
  return html`${took}${end} ${lastIncident === undefined ? words.noIncident : html`${words.lastIncident}: <a href="/activity/${lastIncident.index}">${words[`incident_${lastIncident.was}`]}</a>`}${end}`;
}
