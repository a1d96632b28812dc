import { approvalAt } from "../../gate/approvals/approval-at.ts";
import type { Deps } from "../../gate/deps.ts";
import type { HttpRequest } from "../../http/request.ts";
import { headlineOf } from "../../service/views/cards.ts";
import { html } from "../page/html.ts";
import type { View } from "../page/view.ts";
import { listQuery, narrowedOf } from "./waiting.ts";

const SAID = { approved: "approvedIt", denied: "deniedIt" } as const;

/**
 * After an answer the page says which question was answered and how, with a link to its result. The address only has
 * the id of the question; its state is looked up.
 */
export async function withAnswer(deps: Deps, { query }: HttpRequest, view: View): Promise<View> {
  const { told, of: id } = query;
  if (told !== "answered" || id === undefined) return view;
  const found = await approvalAt(deps, id);
  const state = found?.row.state;
  if (found === undefined || (state !== "approved" && state !== "denied")) return view;
  const { lead } = await headlineOf(deps, found.row, view.language);
  const at = `/approvals/${id}${listQuery(narrowedOf(query))}`;
  const { rows } = await deps.standing.current();
  const isRemembered = state === "approved" && rows.grants.some(({ fromApproval }) => fromApproval === id);
  return {
    ...view,
    told: html`${view.words[isRemembered ? "rememberedIt" : SAID[state]]}: <a href="${at}" data-open="${id}">${lead}</a>`,
  };
}
