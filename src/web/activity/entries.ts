import type { Entry } from "../../core/ledger.ts";
import { keptMessage, type Message, say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Json } from "../../core/values/json.ts";
import { moment } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { KIND_WORDS, TRIED_WORDS } from "../words/kinds.ts";
import { type Language, type Words, wordsOf } from "../words/words.ts";
import { scopeText } from "./pause-scope.ts";

/** An entry as one sentence, with names highlighted. */
export function entrySentence(language: Language, entry: Entry): Html {
  const pieces = wordsFor(entry)[language].split(/\{(\w+)\}/);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : named(language, entry, piece)))}`;
}

function wordsFor({ kind, body }: Entry): { readonly [L in Language]: string } {
  const tried = kind === "review.refused" ? body?.json["verdict"] : undefined;
  const isOther = typeof tried === "string" && Object.hasOwn(TRIED_WORDS, tried);
  return (isOther ? TRIED_WORDS[tried] : undefined) ?? KIND_WORDS[kind];
}

function named(language: Language, entry: Entry, name: string): Html {
  const word = wordOf(language, entry, name);
  if (name === "tier") return html`<span class="tier ${word}">${word}</span>`;
  return WORDS.includes(name) ? html`<span class="words">${word}</span>` : html`<b>${word}</b>`;
}

const LETTERS_MAX = 160;
/** For a name that is missing because the body was erased. */
const MISSING = "–";

function wordOf(language: Language, entry: Entry, name: string): string {
  const value = entry.body?.json[name];
  const found =
    sureOf(language, name, value) ??
    codedOf(language, name, value) ??
    FOUND[name]?.(entry) ??
    entry.subject[name as keyof Entry["subject"]] ??
    (name === "scope" ? scopeText(wordsOf(language), value) : valueText(language, value));
  const text = found === "" ? MISSING : shown(found);
  return text.length > LETTERS_MAX ? `${text.slice(0, LETTERS_MAX)}…` : text;
}

/** Values that are text, not names. */
const WORDS: readonly string[] = ["reason", "why", "because", "note", "error", "assurance", "to"];

/** Words that the ledger stores unchanged. */
const CODED: { readonly [word: string]: Message } = {
  approve: say("word.approve"),
  deny: say("word.deny"),
  succeeded: say("word.succeeded"),
  failed: say("word.failed"),
};

/** Values that are stored under another key. */
const FOUND: { readonly [name: string]: (entry: Entry) => string | undefined } = {
  who: ({ actor }) => actorName(actor),
  holder: ({ subject }) => subject.agent ?? subject.person,
};

function actorName(actor: string): string {
  return actor.replace(/^(person|agent):/, "");
}

/** What was answered, and how a call ended. */
function codedOf(language: Language, name: string, value: Json | undefined): string | undefined {
  if (name !== "verdict" && name !== "outcome") return undefined;
  return typeof value === "string" && Object.hasOwn(CODED, value) ? textOf(CODED[value] ?? value, language) : undefined;
}

function sureOf(language: Language, name: string, value: Json | undefined): string | undefined {
  const word = `sure_${value}`;
  const words = wordsOf(language);
  return name === "assurance" && word in words ? words[word as keyof Words] : undefined;
}

/** A message in the language of the page; text and numbers, as people, programs and older entries have them, unchanged. */
function valueText(language: Language, value: Json | undefined): string {
  if (typeof value === "number") return String(value);
  const said = keptMessage(value);
  return said === undefined ? MISSING : textOf(said, language);
}

/** A list of entries: when, what, and a link to the reason. */
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

/** A colour; the sentence says the same in words. */
export function gravityOf({ kind, subject }: Entry): string {
  if (kind === "call.decided")
    return subject.outcome === "denied" ? "grave" : subject.outcome === "run" ? "mild" : "middle";
  return GRAVE.test(kind) ? "grave" : MILD.test(kind) ? "mild" : "";
}
