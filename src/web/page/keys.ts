import type { Words } from "../words/words.ts";
import { type Html, html } from "./html.ts";
import type { View } from "./view.ts";

const KEYS = [
  [["j", "k"], "keyMove"],
  [["a"], "keyApprove"],
  [["d"], "keyDeny"],
  [["r"], "keyRemember"],
  [["w"], "keyReply"],
  [["o"], "keyHandTo"],
  [["z"], "keyAside"],
  [["Esc"], "keyLeave"],
  [["?"], "keyHelp"],
] as const satisfies readonly (readonly [readonly string[], keyof Words])[];

/** The list of keys. They are optional: each one leads to something that is on the page. */
export function keysDialog({ words }: View): Html {
  return html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">${words.keys}</h2>
<dl class="keys">${KEYS.map(([keys, word]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${words[word]}</dd></div>`)}</dl>
<form method="dialog"><button>${words.close}</button></form></dialog>`;
}

/** Texts with which the script announces changes to screen readers. */
export function newsHtml({ words }: View): Html {
  return html`<p id="news" class="unseen" role="status" data-arrived="${words.newsArrived}" data-waiting="${words.waiting}" data-answered="${words.newsAnswered}" data-gone="${words.newsGone}" data-unsent="${words.newsUnsent}" data-out="${words.newsOut}"></p>`;
}
