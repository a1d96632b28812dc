import { say } from "../../core/messages/message.ts";
import type { Language } from "../../core/messages/text.ts";
import { type Fault, renderFault } from "../../core/policy/tree.ts";
import { cardOf } from "../../core/show/card.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { check } from "../../gate/calls/judging.ts";
import type { Deps } from "../../gate/deps.ts";
import { diffPolicy, type PolicyDiff } from "../../gate/standing/policy.ts";
import type { Answer } from "../../http/answer.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { parsedDraft } from "../../http/routes/records.ts";
import { badInput } from "../../service/refusal.ts";
import { callOf } from "../../service/scope.ts";
import { parse } from "../../service/shape.ts";
import { CALL } from "../../service/shapes/call.ts";
import { stepsOf, tierChip } from "../activity/why.ts";
import { exactHtml } from "../inbox/card.ts";
import { argsOf, fieldsOf } from "../page/fields.ts";
import { page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import type { Words } from "../words/words.ts";

// What would be decided: about one call under the policy in force, and about recorded calls under a draft.

export const POLICY_TRY_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/policy/try",
    for: ["read"],
    page: true,
    summary: "Decides a call step by step and records nothing.",
    act: tryPage,
  },
  {
    method: "POST",
    path: "/policy/draft",
    for: ["read"],
    page: true,
    summary:
      "Which of the last recorded calls a draft would have decided differently; with `progress`, the progress is shown.",
    act: draftPage,
  },
];

type Tried = {
  agent?: string | undefined;
  tool?: string | undefined;
  args?: string | undefined;
  command?: string | undefined;
  cwd?: string | undefined;
};

export function tryForm(words: Words, { agent = "coder", tool = "", args = "", command = "", cwd = "" }: Tried): Html {
  return html`<form method="post" action="/policy/try" class="stacked">
<label>${words.command}<input name="command" value="${command}" placeholder="git push --force" autocapitalize="none" spellcheck="false"></label>
<details${tool !== "" && html` open`}><summary>${words.orTool}</summary><div class="stacked">
<label>${words.tool}<input name="tool" value="${tool}" placeholder="write_file" autocapitalize="none" maxlength="512"></label>
<label>${words.argsJson}<textarea name="args" rows="4" spellcheck="false" placeholder="${'{"path": "src/a.ts"}'}">${args}</textarea></label></div></details>
<div class="pair"><label>${words.agent}<input name="agent" value="${agent}" required maxlength="512" autocapitalize="none"></label>
<label>${words.folder}<input name="cwd" value="${cwd}" placeholder="${words.projectFolder}" autocapitalize="none"></label></div>
<button class="primary">${words.tryDo}</button></form>`;
}

export function draftForm(words: Words, text: string, path: string): Html {
  return html`<form method="post" action="/policy/draft" class="stacked" data-progress>
<input type="hidden" name="path" value="${path}">
<label>${words.draftText}<textarea name="text" rows="9" required spellcheck="false" placeholder="version: 1&#10;preset: standard">${text}</textarea></label>
<button class="primary">${words.draftDo}</button></form>`;
}

async function tryPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words } = view;
  const given = fieldsOf(request);
  const call = triedCall(deps, given);
  const { decision, effect, digest } = await check(deps, call);
  const { language } = view;
  const { project } = deps.policies.current();
  const why = causeSentences(decision.causes, { language, project, effect });
  const card = cardOf({
    call,
    digest,
    effect,
    why,
    deadline: "",
    quorum: { needed: 1, approved: 0 },
    project,
    language,
  });
  const body = html`<p class="crumbs"><a href="/policy">${words.policy}</a></p>
<h1>${tierChip(decision.tier)} <span class="said">${card.sentence}</span></h1>
<p class="told">${words.nothingRecorded}</p>
<div class="columns"><div>${stepsOf(view, { decision, effect }, card, project)}</div><div><h2>${words.exactly}</h2>${exactHtml(card, language)}
<section class="panel"><h2>${words.tryAnother}</h2>${tryForm(words, given)}</section></div></div>`;
  return page(view, { at: "/policy", title: words.tryCall, body });
}

function triedCall(deps: Deps, { agent = "", tool = "", args = "", command = "", cwd = "" }: Tried) {
  if ((tool === "") === (command === ""))
    throw badInput("command", say("refusal.command_or_tool"), say("hint.one_of_two"));
  const input = {
    tool: tool === "" ? "shell" : tool,
    args: tool === "" ? { command } : argsOf(args),
    ...(cwd === "" ? {} : { cwd }),
  };
  const { workspace, mint } = deps;
  const { project } = deps.policies.current();
  return callOf(parse(CALL, input), {
    scope: { chain: [], layers: [] },
    agent: agent.trim() === "" ? "coder" : agent,
    cwd: project,
    workspace,
    mint,
  });
}

const DRAFT = "draft.yaml";
const DIFFED_MAX = 1_000;

async function draftPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words } = view;
  const { text = "", path = "", progress } = fieldsOf(request);
  const loaded = parsedDraft(deps, text, path === "" ? DRAFT : path);
  const result = async (onProgress?: (done: number, of: number) => void) =>
    loaded.ok
      ? diffHtml(view, await diffPolicy(deps, loaded.policy, { limit: DIFFED_MAX, ...(onProgress && { onProgress }) }))
      : html`<div class="warning grave" role="alert"><strong>${words.doesNotLoad}</strong>${faultList(view.language, loaded.faults)}</div>`;
  if (progress !== undefined) {
    return {
      status: 200,
      headers: { "content-type": "application/jsonl; charset=utf-8" },
      body: async (write) => {
        const shown = await result((done, of) => void write(`${JSON.stringify({ done, of })}\n`));
        write(`${JSON.stringify({ html: shown.html })}\n`);
      },
    };
  }
  const body = html`<p class="crumbs"><a href="/policy">${words.policy}</a></p><h1>${words.tryDraft}</h1>
<div id="drafted">${await result()}</div>
<section class="panel">${draftForm(words, text, path)}</section>`;
  return page(view, { at: "/policy", title: words.tryDraft, body });
}

function diffHtml({ words, language }: View, { compared, changed, skipped }: PolicyDiff): Html {
  const looser = changed.filter(({ before, after }) => before.outcome !== "run" && after.outcome === "run").length;
  const judged = ({ tier, needsHuman }: PolicyDiff["changed"][number]["before"]) =>
    html`${tierChip(tier)}${needsHuman && html` <span class="badge">${words.needsHuman}</span>`}`;
  return html`<p class="${looser > 0 ? "warning" : "told"}" role="status"><strong>${changed.length} / ${compared}</strong> ${words.wouldChange}; <strong>${looser}</strong> ${words.wouldLoosen}.${skipped.length > 0 && html` ${skipped.length} ${words.notDecidedAgain} (${saidIn(language, skipped[0]?.why ?? "")}).`}</p>
${changed.length > 0 && html`<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.callWord}</th><th scope="col">${words.agent}</th><th scope="col">${words.tool}</th><th scope="col">${words.before}</th><th scope="col">${words.after}</th></tr></thead><tbody>${changed.map(({ call, agent, tool, before, after }) => html`<tr><td class="links"><a href="/calls/${call}">${words.whyLink}</a></td><td>${shown(agent)}</td><td>${shown(tool)}</td><td>${judged(before)}</td><td>${judged(after)}</td></tr>`)}</tbody></table></div>`}`;
}

/** What is wrong with a policy's text: where, what, and how to repair it. */
export function faultList(language: Language, faults: readonly Fault[]): Html {
  const rendered = faults.map((fault) => renderFault(fault, language));
  return html`<ul class="plain">${rendered.map(
    ({ file, line, column, message, hint }) =>
      html`<li><code>${shown(file)}:${line}:${column}</code> ${shown(message)}${hint !== undefined && html` – ${shown(hint)}`}</li>`,
  )}</ul>`;
}
