import { isAbsolute } from "../../core/classify/path.ts";
import { EFFECT_CLASSES, type EffectClass } from "../../core/effect.ts";
import { say } from "../../core/messages/message.ts";
import type { GrantPattern } from "../../core/standing/grant.ts";
import { parseDuration } from "../../core/values/duration.ts";
import type { HttpRequest } from "../../http/request.ts";
import { badInput } from "../../service/refusal.ts";
import type { GrantInput } from "../../service/shapes/grant.ts";
import { fieldsOf } from "../page/fields.ts";
import { choices, provedOr } from "../page/forms.ts";
import { type Html, html } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

// A grant written by a person, without a question to start from.

export function grantForm(view: View, agents: readonly string[]): Html {
  const { words } = view;
  // A name with invisible characters is not offered as a suggestion; it must be typed.
  const plain = agents.filter((name) => shown(name) === name);
  const classes = EFFECT_CLASSES.map((one) => [one, one] as const);
  return html`<section class="panel"><details id="add-grant"><summary>${words.addGrant}</summary><p>${words.addGrantWhy}</p>${provedOr(
    view,
    "/grants",
    words.addGrantProve,
    html`<form method="post" action="/grants" class="stacked">
<div class="pair"><label>${words.agent}<input name="agent" required maxlength="512" autocapitalize="none" list="agents-known"></label><datalist id="agents-known">${plain.map((name) => html`<option value="${name}"></option>`)}</datalist>
<label>${words.lasts}<select name="lasts">${choices([
      ["24h", words.forHours],
      ["7d", words.forDay],
      ["5x", words.forFive],
    ])}</select></label></div>
<fieldset><legend>${words.grantCovers}</legend><div class="pair">
<label>${words.command}<input name="command" maxlength="2000" autocapitalize="none" spellcheck="false" placeholder="npm test"></label>
<label>${words.pathWord}<input name="path" maxlength="2000" autocapitalize="none" spellcheck="false" placeholder="src/**"></label>
<label>${words.domainWord}<input name="domain" maxlength="512" autocapitalize="none" spellcheck="false" placeholder="api.github.com"></label>
<label>${words.tool}<input name="tool" maxlength="512" autocapitalize="none" spellcheck="false" placeholder="write_file"></label>
<label>${words.classWord}<select name="class">${choices([["", words.any], ...classes])}</select></label></div>
<label class="tick"><input type="checkbox" name="projectCode" value="true"> ${words.grantProjectCode}</label>
<label class="tick"><input type="checkbox" name="projectContainers" value="true"> ${words.grantProjectContainers}</label>
<label class="tick"><input type="checkbox" name="inBox" value="true"> ${words.grantInBox}</label></fieldset>
<label>${words.because}<input name="because" required maxlength="2000" autocomplete="off"></label>
<button class="primary">${words.addGrantDo}</button></form>`,
  )}</details></section>`;
}

/** The grant from the form; what the form cannot express exactly is refused, never guessed. */
export function grantOf(request: HttpRequest, { by, project }: { by: string; project: string }): GrantInput {
  const {
    agent = "",
    because = "",
    command = "",
    path = "",
    domain = "",
    tool = "",
    lasts = "24h",
    projectCode,
    projectContainers,
    inBox,
  } = fieldsOf(request);
  const effectClass = fieldsOf(request)["class"] ?? "";
  const targets: GrantPattern[] = [
    ...(command.trim() === "" ? [] : [{ kind: "command" as const, words: wordsOf(command), cwd: project }]),
    ...(path.trim() === "" ? [] : [pathOf(path.trim(), project)]),
    ...(domain.trim() === "" ? [] : [{ kind: "domain" as const, pattern: domain.trim() }]),
  ];
  const isOwn = projectCode !== undefined || projectContainers !== undefined;
  if (agent.trim() === "") throw badInput("agent", say("refusal.grant_without_agent"), say("hint.name_it"));
  return {
    subject: { agent: agent.trim() },
    covers: {
      ...(effectClass === "" ? {} : { class: effectClass as EffectClass }),
      ...(tool.trim() === "" ? {} : { tool: { name: tool.trim() } }),
      ...(projectCode === undefined ? {} : { projectCode: project }),
      ...(projectContainers === undefined ? {} : { projectContainers: project }),
      ...(inBox === undefined ? {} : { inBox: true as const }),
      targets,
      level: command.trim() === "" && !isOwn ? "write" : "execute",
    },
    because,
    by,
    ...lastingOf(lasts),
  };
}

/** Plain words only: for words that a shell would change, use the command line. */
function wordsOf(command: string): readonly string[] {
  if (!/^[\w@%+=:,./ -]+$/.test(command))
    throw badInput("command", say("refusal.only_plain_words"), say("hint.grants_add_command"));
  return command.trim().split(/ +/);
}

function pathOf(path: string, project: string): GrantPattern {
  const recursive = path.endsWith("/**");
  const bare = recursive ? path.slice(0, -"/**".length) : path;
  if (/[*?[\]{}]/.test(bare)) throw badInput("path", say("refusal.only_stars_at_end"), say("hint.write_stars"));
  return { kind: "path", path: isAbsolute(bare) ? bare : `${project}/${bare.replace(/^\.\//, "")}`, recursive };
}

function lastingOf(lasts: string): Pick<GrantInput, "until" | "uses"> {
  const uses = /^([1-9]\d{0,3})x$/.exec(lasts)?.[1];
  if (uses !== undefined) return { uses: Number(uses) };
  if (parseDuration(lasts) === undefined) throw badInput("lasts", say("refusal.not_a_time"), say("hint.choose_one"));
  return { until: lasts };
}
