import { maskText } from "../core/masking/redact.ts";
import { say } from "../core/messages/message.ts";
import { type Language, textOf } from "../core/messages/text.ts";
import { escaped } from "../core/show/escape.ts";
import { sha256Hex } from "../core/values/hash.ts";
import { visible } from "../core/values/text.ts";
import type { Outgoing } from "../ports.ts";
import { type Sections, sectionsOf } from "./sections.ts";

// A notice as a mail: the same in plain text and in HTML. The HTML loads nothing from anywhere.

export type Letter = {
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** The name of the conversation: mail programs show mails that refer to the same id together. No mail has this id itself. */
  thread: string;
  headers: Record<string, string>;
};

/** Longer commands are shown on the page only; mail programs cut long mails. */
const CHARACTERS_MAX = 20_000;
const SUBJECT_MAX = 150;

export function letterOf(outgoing: Outgoing, { domain, account }: { domain: string; account: string }): Letter {
  const { id, ref, title, link = "" } = outgoing;
  // With the beginning of the workspace's addresses, if it has one.
  const origin = /^https?:\/\/[^/]+(?:\/w\/[^/]+)?/.exec(link)?.[0] ?? "";
  const idOf = (name: string) => `<${sha256Hex(name).slice(0, 32)}@${domain}>`;
  const parts = partsOf(outgoing, account, `${origin}/settings`);
  return {
    subject: oneLine(title).slice(0, SUBJECT_MAX),
    text: textPart(parts),
    html: htmlPart(parts, outgoing.language),
    // The id is the same on every attempt, so that a mail that was sent twice is shown once.
    messageId: idOf(`${origin} message ${id}`),
    thread: idOf(`${origin} about ${ref}`),
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "List-Id": `Leeway <leeway.${domain}>`,
      ...(origin === "" ? {} : { "List-Unsubscribe": `<${origin}/settings>` }),
    },
  };
}

/** A title may contain text of an agent, so line breaks and secrets are removed before it becomes a header. */
function oneLine(text: string): string {
  return visible(maskText(text.replaceAll(/\s+/g, " "))).trim();
}

type Parts = {
  heading: string;
  lines: readonly string[];
  sections: Sections | undefined;
  labels: { wouldRun: string };
  link?: Link;
  inbox?: Link;
  foot: string;
};

type Link = { label: string; at: string; more?: string };

/** The mail has a link to answer only if an answer by it can count. */
function partsOf(outgoing: Outgoing, account: string, settings: string): Parts {
  const { kind, text, link, language, answerAt } = outgoing;
  const sections = sectionsOf(outgoing, { charactersMax: CHARACTERS_MAX });
  const inWords = (id: "email.answer" | "email.answer_more" | "channel.open" | "channel.would_run") =>
    textOf(say(id), language);
  const canAnswer = sections?.buttons.approve === true && answerAt !== undefined;
  return {
    // The card says this too, with the owner of the agent.
    heading: kind === "pending" && sections !== undefined ? sections.title : oneLine(outgoing.title),
    lines: sections === undefined && text !== "" ? text.split("\n") : [],
    sections,
    labels: { wouldRun: inWords("channel.would_run") },
    ...(canAnswer
      ? { link: { label: inWords("email.answer"), at: answerAt, more: inWords("email.answer_more") } }
      : {}),
    ...(link === undefined ? {} : { inbox: { label: inWords("channel.open"), at: link } }),
    foot: textOf(say("email.sent_to", { account, settings }), language),
  };
}

function textPart({ heading, lines, sections, labels, link, inbox, foot }: Parts): string {
  const card =
    sections === undefined
      ? []
      : [
          ...(sections.title === heading ? [] : [sections.title]),
          sections.sentence,
          ...(sections.outcome === undefined ? [] : [sections.outcome]),
          [`${labels.wouldRun}:`, ...sections.exact.map((line) => `    ${line}`), ...told(sections.cut)].join("\n"),
          ...sections.facts.map(({ label, text }) => `${label}:\n${indented(text, "  ")}`),
          // The agent's words cannot look like ours: every line of them is quoted.
          ...(sections.says === undefined ? [] : [`${sections.says.label}:\n${indented(sections.says.text, "> ")}`]),
          ...told(sections.noApproval),
        ];
  const links = [link, inbox].flatMap((one) =>
    one === undefined ? [] : [[`${one.label}:`, one.at, ...told(one.more)].join("\n")],
  );
  return `${[heading, ...lines, ...card, ...links, `-- \n${foot}`].join("\n\n")}\n`;
}

function told(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

function indented(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => by + line)
    .join("\n");
}

const STYLE = {
  body: "margin:0;padding:16px;background:#f7f7f5;color:#1b1b18;font:15px/1.5 -apple-system,'Segoe UI',Roboto,'Noto Sans SC',sans-serif",
  sheet:
    "max-width:640px;margin:0 auto;padding:20px 24px;background:#ffffff;border:1px solid #dcdcd6;border-radius:8px",
  heading: "margin:0 0 4px;font-size:18px",
  label: "margin:16px 0 4px;font-size:13px;color:#5b5b54",
  exact:
    "margin:0;padding:10px 12px;background:#f1f1ec;border-radius:6px;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere",
  says: "margin:0;padding:2px 12px;border-left:3px solid #c8c8c0;color:#5b5b54;white-space:pre-wrap;overflow-wrap:anywhere",
  note: "margin:12px 0 0;padding:8px 12px;background:#fff4d6;border-radius:6px",
  button:
    "display:inline-block;margin:16px 12px 4px 0;padding:10px 16px;background:#1f5fbf;color:#ffffff;border-radius:6px;text-decoration:none",
  plain: "display:inline-block;margin:16px 0 4px;color:#1f5fbf",
  foot: "max-width:640px;margin:12px auto 0;font-size:12px;color:#5b5b54",
} as const;

function block(tag: string, style: keyof typeof STYLE, text: string): string {
  return `<${tag} style="${STYLE[style]}">${escaped(text)}</${tag}>`;
}

function htmlPart({ heading, lines, sections, labels, link, inbox, foot }: Parts, language: Language): string {
  const card =
    sections === undefined ? lines.map((line) => `<p>${escaped(line)}</p>`) : cardHtml(sections, heading, labels);
  const links = [
    ...(link === undefined ? [] : [`<a style="${STYLE.button}" href="${escaped(link.at)}">${escaped(link.label)}</a>`]),
    ...(inbox === undefined
      ? []
      : [`<a style="${STYLE.plain}" href="${escaped(inbox.at)}">${escaped(inbox.label)}</a>`]),
    ...(link?.more === undefined ? [] : [block("p", "label", link.more)]),
  ];
  return `<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title></head>
<body style="${STYLE.body}"><div role="main"><div style="${STYLE.sheet}" dir="ltr">
${[block("h1", "heading", heading), ...card, ...links].join("\n")}
</div>
${block("p", "foot", foot)}
</div></body></html>
`;
}

function cardHtml(sections: Sections, heading: string, { wouldRun }: Parts["labels"]): readonly string[] {
  const { title, sentence, exact, cut, facts, says, outcome, noApproval } = sections;
  return [
    ...(title === heading ? [] : [block("p", "label", title)]),
    `<p>${escaped(sentence)}</p>`,
    ...told(outcome).map((text) => block("p", "note", text)),
    block("h2", "label", wouldRun),
    block("pre", "exact", exact.join("\n")),
    ...told(cut).map((text) => block("p", "note", text)),
    ...facts.flatMap(({ label, text }) => [
      block("h2", "label", label),
      `<div>${text.split("\n").map(escaped).join("<br>")}</div>`,
    ]),
    ...(says === undefined ? [] : [block("h2", "label", says.label), block("blockquote", "says", says.text)]),
    ...told(noApproval).map((text) => block("p", "note", text)),
  ];
}
