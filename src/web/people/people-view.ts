import type { Token } from "../../core/people.ts";
import type { PersonView } from "../../service/people.ts";
import { button, choices, provedOr } from "../page/forms.ts";
import { moment } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import type { Words } from "../words/words.ts";

// People and tokens as tables, and the forms that add to them.

export function peopleTable(view: View, people: readonly PersonView[]): Html {
  const { words, admin, fresh, person: me } = view;
  const acts = admin && fresh;
  const rows = [...people].sort((a, b) => Number(a.state !== "active") - Number(b.state !== "active"));
  return html`<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.role}</th><th scope="col">${words.groups}</th><th scope="col">${words.since}</th>${acts && html`<th scope="col">${words.acts}</th>`}</tr></thead>
<tbody>${rows.map(
    (person) =>
      html`<tr${person.state !== "active" && html` class="ended"`}><td><b>${shown(person.name)}</b>${person.name === me && html` <small>${words.you}</small>`}</td><td>${person.state === "active" ? words[SHORT[roleOf(person)]] : words.isRemoved}</td><td>${person.groups.map(shown).join(", ")}</td><td data-label="${words.since}">${moment(view, person.addedMs)}</td>${acts && html`<td>${person.state === "active" && personActs(view, person)}</td>`}</tr>`,
  )}</tbody></table></div>`;
}

function roleOf({ admin, auditor }: PersonView): "roleAdmin" | "roleAuditor" | "roleReviewer" {
  return admin ? "roleAdmin" : auditor ? "roleAuditor" : "roleReviewer";
}

const SHORT = { roleAdmin: "isAdmin", roleAuditor: "isAuditor", roleReviewer: "isReviewer" } as const;

function personActs({ words }: View, person: PersonView): Html {
  const { name, groups, invitable } = person;
  const at = `/people/${encodeURIComponent(name)}`;
  return html`<details><summary>${words.change}</summary><form method="post" action="${at}/change" class="stacked"><label>${words.role}<select name="role">${roleChoices(words, person)}</select></label><label>${words.groupsList}<input name="groups" autocomplete="off" autocapitalize="none" value="${groups.join(", ")}"></label><button>${words.changePersonDo}</button></form>
<form method="post" action="${at}/passphrase" class="stacked"><label>${words.newPassphrase}<input name="passphrase" type="password" autocomplete="new-password" minlength="8" required></label><button>${words.setPassphrase}</button></form>
${invitable && button(`${at}/invite`, words.invite)}
${button(`${at}/remove`, `${words.remove} ${shown(name)}`, { kind: "danger" })}</details>`;
}

const ROLES = [
  ["reviewer", "roleReviewer"],
  ["admin", "roleAdmin"],
  ["auditor", "roleAuditor"],
] as const;

function roleChoices(words: Words, person?: PersonView): Html {
  const [chosen] = ROLES.find(([, word]) => person !== undefined && word === roleOf(person)) ?? [];
  return choices(
    ROLES.map(([role, word]) => [role, words[word]] as const),
    chosen,
  );
}

export function personForm(view: View, at: string): Html {
  const { words } = view;
  return html`<h2>${words.addPerson}</h2>${provedOr(
    view,
    at,
    words.addPersonWhy,
    html`<form method="post" action="${at}" class="stacked">
<div class="pair"><label>${words.name}<input name="name" required maxlength="64" autocomplete="off" autocapitalize="none"></label>
<label>${words.role}<select name="role">${roleChoices(words)}</select></label></div>
<div class="pair"><label>${words.groupsList}<input name="groups" autocomplete="off" autocapitalize="none" placeholder="ops, finance"></label>
<label>${words.passphrase}<input name="passphrase" type="password" autocomplete="new-password" minlength="8"></label></div>
<p class="hint">${words.passphraseOrInvite}</p>
<button class="primary">${words.addPersonDo}</button></form>`,
  )}`;
}

export function tokenTable(view: View, tokens: readonly Token[]): Html {
  const { words } = view;
  if (tokens.length === 0) return html`<p class="empty">${words.noTokens}</p>`;
  const rows = [...tokens].sort(
    (a, b) => Number(a.state !== "live") - Number(b.state !== "live") || b.createdMs - a.createdMs,
  );
  return html`<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.holder}</th><th scope="col">${words.can}</th><th scope="col">${words.made}</th><th scope="col">${words.lastUsed}</th><th scope="col">${words.acts}</th></tr></thead>
<tbody>${rows.map((token) => tokenRow(view, token))}</tbody></table></div>`;
}

function tokenRow(view: View, token: Token): Html {
  const { words, mayAct } = view;
  const { id, holder, createdMs, usedMs, by, state } = token;
  const calls = holder.can === "name-requesters" ? words.canNameRequesters : words.canCall;
  const [name, can] = "agent" in holder ? [holder.agent, calls] : [holder.person, words[CAN[holder.can]]];
  return html`<tr${state !== "live" && html` class="ended"`}><td><b>${shown(name)}</b> <small>${"agent" in holder ? words.agent : words.person}</small></td><td>${can}</td><td data-label="${words.made}">${moment(view, createdMs)}, ${by}</td><td data-label="${words.lastUsed}">${usedMs === undefined ? words.never : moment(view, usedMs)}</td><td>${state !== "live" ? words[`token_${state}`] : mayAct && button(`/tokens/${id}/revoke`, words.revoke, { kind: "danger" })}</td></tr>`;
}

const CAN = { read: "canRead", approve: "canApprove", "sign-in": "canSignIn", join: "canJoin" } as const;

/** The same for an invitation. */
export function inviteShown({ words }: View, { name, link }: { name: string; link: string }): Html {
  return html`<section class="panel shown" role="status"><h2>${words.inviteMade} ${shown(name)}</h2><p>${words.inviteOnce}</p><p><code class="secret">${link}</code></p></section>`;
}

/** Shown in this answer only, and stored nowhere. */
export function tokenShown({ words }: View, text: string): Html {
  return html`<section class="panel shown" role="status"><h2>${words.tokenMade}</h2><p>${words.tokenOnce}</p><p><code class="secret">${text}</code></p></section>`;
}

export function tokenForm(view: View, at: string, people: readonly PersonView[]): Html {
  const { words, admin, person: me = "" } = view;
  const names = admin ? people.map(({ name }) => name) : [me];
  return html`<h3>${words.addToken}</h3>${provedOr(
    view,
    at,
    words.addTokenWhy,
    html`<form method="post" action="/tokens" class="stacked">
${
  admin &&
  html`<fieldset><legend>${words.holder}</legend>
<label class="inline"><input type="radio" name="of" value="agent" checked> ${words.agent} <input name="agent" value="" placeholder="coder" autocapitalize="none" maxlength="128" aria-label="${words.agent}"></label>
<label class="inline"><input type="radio" name="of" value="person"> ${words.person} <select name="person" aria-label="${words.person}">${choices(
    names.map((name) => [name, shown(name)] as const),
    me,
  )}</select></label></fieldset>`
}
${!admin && html`<input type="hidden" name="of" value="person"><input type="hidden" name="person" value="${me}">`}
<label>${words.personCan}<select name="can">${choices([
      ["read", words.canRead],
      ["approve", words.canApprove],
    ])}</select></label>
<button class="primary">${words.addTokenDo}</button></form>`,
  )}`;
}
