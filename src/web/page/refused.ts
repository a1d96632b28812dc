import { type Answer, seeOther, statusOf } from "../../http/answer.ts";
import { pageBefore } from "../../http/connection/site.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Serving } from "../../http/route.ts";
import type { LeewayRefusal } from "../../service/refusal.ts";
import { page, viewOf } from "./frame.ts";
import { html } from "./html.ts";
import { sentenceIn } from "./text.ts";

/** Why something was not done or was not found, and what to do, for a person. */
export async function refusedPage(serving: Serving, request: HttpRequest, why: LeewayRefusal): Promise<Answer> {
  if (request.method === "POST" && request.who.is === "person" && why.code !== "LEEWAY_CROSS_SITE") {
    return backToForm(serving, request, { why, to: pageBefore(request.headers) });
  }
  const view = await viewOf(serving, request);
  const { words } = view;
  const { code, said } = why;
  const { language } = view;
  const isPage = code === "LEEWAY_NOT_FOUND" && request.who.is === "person";
  const hint = isPage ? words.notThereDo : said.hint;
  const body = html`<section class="narrow refused"><h1>${code === "LEEWAY_NOT_FOUND" ? words.notThere : words.notDone}</h1>
<p class="warning" role="alert">${sentenceIn(language, said.reason)}</p>
<p>${sentenceIn(language, hint)}</p>
${hasPages(serving, request) && html`<p class="buttons"><a class="button" href="${pageBefore(request.headers)}">${words.goBack}</a> <a class="button" href="/">${words.inbox}</a>${isPage && html` <a class="button" href="/activity">${words.activity}</a>`}</p>`}
<p><small>${code}</small></p></section>`;
  const { status: _, ...rest } = page(view, {
    at: "",
    title: code === "LEEWAY_NOT_FOUND" ? words.notThere : words.notDone,
    body,
  });
  return { ...rest, status: statusOf(code) };
}

/** Back to the page of the form, which says what was refused. */
export function backToForm(
  serving: Serving,
  request: HttpRequest,
  { why, to, fields = {} }: { why: LeewayRefusal; to: string; fields?: Readonly<Record<string, string>> },
): Answer {
  const refusal = { action: request.path, code: why.code, ...why.said, fields };
  const page = new URL(to, "http://page");
  page.searchParams.delete("told");
  page.searchParams.set("refused", serving.kept.keep(request, { is: "refusal", refusal }));
  return seeOther(`${page.pathname}${page.search}`);
}

/** Under the address for programs every link would lead back here. */
function hasPages({ origins }: Serving, { headers }: HttpRequest): boolean {
  return [...origins].some((origin) => new URL(origin).host === headers["host"]?.toLowerCase());
}
