import { apiRoutes } from "../http/api.ts";
import { accessText } from "../http/openapi.ts";
import type { Route } from "../http/route.ts";
import { page, viewOf } from "./page/frame.ts";
import { html } from "./page/html.ts";
import { accessZh, ROUTES_ZH } from "./words/routes-zh.ts";
import type { Language } from "./words/words.ts";

/** For people who use the API: all routes, in the words of the OpenAPI document. */
export const DOCS_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/docs",
    for: ["anybody"],
    page: true,
    summary: "Every route of the API, and who may use it.",
    act: async (serving, request) => {
      const view = await viewOf(serving, request);
      const routes = apiRoutes("").map(
        (route) =>
          html`<tr><th scope="row"><code>${route.method} ${route.path}</code></th><td>${summaryOf(view.language, route)}</td><td><small>${view.language === "zh" ? accessZh(route) : accessText(route)}</small></td></tr>`,
      );
      const body = html`<h1>API</h1><p class="lead">${view.words.apiLead} <a href="/openapi.json">openapi.json</a></p>
<div class="scroll"><table class="stack routes"><tbody>${routes}</tbody></table></div>`;
      return page(view, { at: "/docs", title: "API", body });
    },
  },
];

function summaryOf(language: Language, { method, path, summary }: Route): string {
  return language === "zh" ? (ROUTES_ZH[`${method} ${path}`] ?? summary) : summary;
}
