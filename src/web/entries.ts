import type { Entry } from "../core/ledger.ts";
import { isObject, type Json } from "../core/values/json.ts";
import { moment, type View } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { shown } from "./shown.ts";
import { KIND_WORDS } from "./words/kinds.ts";
import type { Language } from "./words.ts";

/** What an entry says, in one sentence; the names in it stand out. */
export function entrySentence(language: Language, entry: Entry): Html {
  const pieces = KIND_WORDS[entry.kind][language].split(/\{(\w+)\}/);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : named(entry, piece)))}`;
}

function named(entry: Entry, name: string): Html {
  const word = wordOf(entry, name);
  return name === "tier" ? html`<span class="tier ${word}">${word}</span>` : html`<b>${word}</b>`;
}

const LETTERS_MAX = 160;
/** Where a name is missing, because what an entry said was erased. */
const MISSING = "–";

function wordOf(entry: Entry, name: string): string {
  const found = FOUND[name]?.(entry) ?? entry.subject[name as keyof Entry["subject"]] ?? textOf(entry.body?.json[name]);
  const text = shown(found === "" ? MISSING : found);
  return text.length > LETTERS_MAX ? `${text.slice(0, LETTERS_MAX)}…` : text;
}

/** Words that stand elsewhere than under their own name. */
const FOUND: { readonly [name: string]: (entry: Entry) => string | undefined } = {
  who: ({ actor }) => actorName(actor),
  holder: ({ subject }) => subject.agent ?? subject.person,
};

export function actorName(actor: string): string {
  return actor.replace(/^(person|agent):/, "");
}

/** A scope is an object: its words say what it is. */
function textOf(value: Json | undefined): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (!isObject(value)) return MISSING;
  return Object.values(value)
    .filter((one) => typeof one === "string")
    .join(" ");
}

/** Entries as a list to read: when, what, and the way to why. */
export function entryRows(view: View, entries: readonly Entry[]): Html {
  const { words, language } = view;
  return html`<div class="scroll"><table class="entries"><thead><tr><th scope="col">${words.place}</th><th scope="col">${words.when}</th><th scope="col">${words.what}</th><th scope="col">${words.more}</th></tr></thead>
<tbody>${entries.map(
    (entry) =>
      html`<tr><td class="number"><a href="/activity/${entry.index}">${entry.index}</a></td><td class="when">${moment(view, entry.atMs)}</td><td class="what"><span class="dot ${gravityOf(entry)}"></span>${entrySentence(language, entry)}</td><td class="links">${links(view, entry)}</td></tr>`,
  )}</tbody></table></div>`;
}

function links({ words }: View, { subject }: Entry): Html {
  const { call, approval, agent } = subject;
  return html`${call !== undefined && html`<a href="/calls/${call}">${words.whyLink}</a> `}${approval !== undefined && html`<a href="/approvals/${approval}">${words.questionLink}</a> `}${call === undefined && agent !== undefined && html`<a href="/agents/${encodeURIComponent(agent)}">${words.agentLink}</a>`}`;
}

const GRAVE = /denied|failed|unknown|refused|wrong|dead|behind|demoted|limit|pause\.set|expired$/;
const MILD = /succeeded|approved|created|promoted|lifted|accepted|reconciled/;

/** A colour for the eye; the sentence says the same in words. */
function gravityOf({ kind, subject }: Entry): string {
  if (kind === "call.decided")
    return subject.outcome === "denied" ? "grave" : subject.outcome === "run" ? "mild" : "middle";
  return GRAVE.test(kind) ? "grave" : MILD.test(kind) ? "mild" : "";
}
