import type { ChannelKind } from "../../core/channel.ts";
import { say } from "../../core/messages/message.ts";
import { type ChannelField, type ChannelValues, channelFields, typedSecret } from "../../core/policy/channel-fields.ts";
import type { Drafted, Tried } from "../../gate/notices/try-channel.ts";
import type { HttpRequest } from "../../http/request.ts";
import { fieldsOf } from "../page/fields.ts";
import { choices } from "../page/forms.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, sentenceIn } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { copyButton } from "../people/reach.ts";

// The form that makes the lines of one channel for the policy file.

/** Keys that few people need: they are folded away. */
const RARE: readonly string[] = ["api", "nearby", "language", "user"];

type Typed = Readonly<Record<string, string | undefined>>;

export function channelForm(view: View, kind: ChannelKind, typed: Typed): Html {
  const { words } = view;
  const fields = channelFields(kind);
  const rare = fields.filter(({ key, required }) => !required && RARE.includes(key));
  const common = fields.filter((field) => !rare.includes(field));
  const isOpen = rare.some(({ key }) => (typed[key] ?? "") !== "");
  return html`<form method="post" action="/channels/${kind}/set-up" class="stacked">
${common.map((field) => fieldHtml(view, field, typed[field.key] ?? ""))}
${rare.length > 0 && html`<details${isOpen && html` open`}><summary>${words.moreSettings}</summary><div class="stacked">${rare.map((field) => fieldHtml(view, field, typed[field.key] ?? ""))}</div></details>`}
<button class="primary">${words.setUpDo}</button></form>`;
}

function fieldHtml(view: View, field: ChannelField, value: string): Html {
  const { words, language } = view;
  const { key, label, secret, required, words: allowed, flag } = field;
  const said = withCode(saidIn(language, say(label)));
  const more = [...(secret ? [words.secretPlace] : []), ...(required ? [] : [words.optional])].join("; ");
  const text = html`${said}${more !== "" && html` <small>(${more})</small>`}`;
  if (flag)
    return html`<label class="tick"><input type="checkbox" name="${key}" value="true"${value === "true" && html` checked`}> ${said}</label>`;
  if (allowed !== undefined) {
    const options = [...(required ? [] : [["", ""] as const]), ...allowed.map((word) => [word, word] as const)];
    return html`<label>${text}<select name="${key}">${choices(options, value)}</select></label>`;
  }
  return html`<label>${text}<input name="${key}" value="${value}" placeholder="${field.example}"${required && html` required`}${secret && html` data-place`} maxlength="512" autocomplete="off" autocapitalize="none" spellcheck="false"></label>`;
}

/** Words between backticks are names from the policy or from the service, and are shown as code. */
function withCode(text: string): Html {
  return html`${text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** The fields that were filled in; empty fields are left out. */
export function valuesFrom(asked: HttpRequest, kind: ChannelKind): ChannelValues {
  const typed = fieldsOf(asked);
  const entries = channelFields(kind).flatMap(({ key, flag, many }): [string, ChannelValues[string]][] => {
    const text = typed[key]?.trim() ?? "";
    if (text === "") return [];
    if (flag) return [[key, true]];
    return [[key, many ? text.split(/[\s,]+/).filter((one) => one !== "") : text]];
  });
  return Object.fromEntries(entries);
}

/** The values that the form may show again: never one that is a secret or looks like one. */
export function shownAgain(kind: ChannelKind, values: ChannelValues): Readonly<Record<string, string>> {
  const entries = Object.entries(values).filter(([key, value]) => typedSecret(kind, { [key]: value }) === undefined);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === "object" ? value.join(" ") : String(value)]),
  );
}

/** The result of a test: whether the channel works, and if not, what is wrong and what to do. */
export function triedHtml({ words, language }: View, tried: Tried): Html {
  const said = "why" in tried && html`${sentenceIn(language, tried.why)} ${sentenceIn(language, tried.remedy)}`;
  if (!tried.ok)
    return html`<div class="warning grave" role="alert"><strong>${words.testFailed}</strong> ${said}</div>`;
  return html`<p class="told" role="status">${tried.told === "you" ? words.testedYou : tried.told === "chat" ? words.testedChat : said}</p>`;
}

export function linesHtml(view: View, { lines }: Drafted): Html {
  const { words } = view;
  return html`<section class="panel shown"><h2>${words.policyLines}</h2><p>${words.policyLinesWhy} <a href="/policy">${words.policy}</a></p>
<pre class="literal" id="lines" tabindex="0">${lines}</pre>${copyButton(view, "lines")}</section>`;
}
