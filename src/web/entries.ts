import type { Entry } from "../core/ledger.ts";
import type { Json } from "../core/values/json.ts";
import { moment } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { saidIn } from "./said.ts";
import { scopeText } from "./scope.ts";
import { shown } from "./shown.ts";
import type { View } from "./view.ts";
import { KIND_WORDS } from "./words/kinds.ts";
import { type Language, type Words, wordsOf } from "./words.ts";

/** What an entry says, in one sentence; the names in it stand out. */
export function entrySentence(language: Language, entry: Entry): Html {
  const pieces = KIND_WORDS[entry.kind][language].split(/\{(\w+)\}/);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : named(language, entry, piece)))}`;
}

function named(language: Language, entry: Entry, name: string): Html {
  const word = wordOf(language, entry, name);
  if (name === "tier") return html`<span class="tier ${word}">${word}</span>`;
  return WORDS.includes(name) ? html`<span class="words">${word}</span>` : html`<b>${word}</b>`;
}

const LETTERS_MAX = 160;
/** Where a name is missing, because what an entry said was erased. */
const MISSING = "–";

function wordOf(language: Language, entry: Entry, name: string): string {
  const value = entry.body?.json[name];
  const found =
    sureOf(language, name, value) ??
    FOUND[name]?.(entry) ??
    entry.subject[name as keyof Entry["subject"]] ??
    (name === "scope" ? scopeText(wordsOf(language), value) : textOf(value));
  const text = found === "" ? MISSING : SAID.includes(name) ? saidIn(language, found) : shown(found);
  return text.length > LETTERS_MAX ? `${text.slice(0, LETTERS_MAX)}…` : text;
}

/** What is said and is nobody's name. */
const WORDS: readonly string[] = ["reason", "why", "because", "note", "error", "assurance", "to"];

/** What the gate may have said by itself; the rest are names, and what people and programs wrote. */
const SAID: readonly string[] = ["reason", "why", "because", "verdict", "outcome", "to"];

/** Words that stand elsewhere than under their own name. */
const FOUND: { readonly [name: string]: (entry: Entry) => string | undefined } = {
  who: ({ actor }) => actorName(actor),
  holder: ({ subject }) => subject.agent ?? subject.person,
};

function actorName(actor: string): string {
  return actor.replace(/^(person|agent):/, "");
}

function sureOf(language: Language, name: string, value: Json | undefined): string | undefined {
  const word = `sure_${value}`;
  const words = wordsOf(language);
  return name === "assurance" && word in words ? words[word as keyof Words] : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : MISSING;
}

/** Entries as a list to read: when, what, and the way to why. */
export function entryRows(view: View, entries: readonly Entry[], given: { links: boolean } = { links: true }): Html {
  const { words, language } = view;
  return html`<div class="scroll"><table class="entries"><thead><tr><th scope="col">${words.place}</th><th scope="col">${words.when}</th><th scope="col">${words.what}</th><th scope="col">${words.more}</th></tr></thead>
<tbody>${entries.map(
    (entry) =>
      html`<tr><td class="number"><a href="/activity/${entry.index}">${entry.index}</a></td><td class="when">${moment(view, entry.atMs)}</td><td class="what"><span class="dot ${gravityOf(entry)}"></span>${entrySentence(language, entry)}</td><td class="links">${given.links && links(view, entry)}</td></tr>`,
  )}</tbody></table></div>`;
}

function links({ words }: View, { subject }: Entry): Html {
  const { call, approval, agent } = subject;
  return html`${call !== undefined && html`<a href="/calls/${call}">${words.whyLink}</a> `}${approval !== undefined && html`<a href="/approvals/${approval}">${words.questionLink}</a> `}${call === undefined && agent !== undefined && html`<a href="/agents/${encodeURIComponent(agent)}">${words.agentLink}</a>`}`;
}

const GRAVE = /denied|failed|unknown|refused|wrong|dead|behind|demoted|limit|pause\.set|expired$/;
const MILD = /succeeded|approved|created|promoted|lifted|accepted|reconciled/;

/** A colour for the eye; the sentence says the same in words. */
export function gravityOf({ kind, subject }: Entry): string {
  if (kind === "call.decided")
    return subject.outcome === "denied" ? "grave" : subject.outcome === "run" ? "mild" : "middle";
  return GRAVE.test(kind) ? "grave" : MILD.test(kind) ? "mild" : "";
}
