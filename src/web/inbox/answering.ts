import { cancel } from "../../gate/approvals/cancel.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf, personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { answeredBy } from "../../http/routes/approvals.ts";
import { approvalView } from "../../service/approvals.ts";
import { LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { parse } from "../../service/shape.ts";
import { ANSWER } from "../../service/shapes/review.ts";
import { fieldsOf, listField, versionOf } from "../page/fields.ts";
import { languageFor } from "../page/frame.ts";
import { backToForm } from "../page/refused.ts";
import { dropDraft, needNoDraft } from "./draft.ts";
import { rememberedBy } from "./remember.ts";
import { listQuery, narrowedOf, waitingOf } from "./waiting.ts";
import { needWhole } from "./whole-shown.ts";

/** Does the action, and returns the name of the message to show. */
type Act = (serving: Serving, request: HttpRequest, id: string) => Promise<Acted>;
/** `stays`: the page shows the same question again. */
type Acted = { told: string; isOver: boolean; stays?: boolean };

/** One form of a question: one route that does one thing. After it comes the next question of the same list. */
export function answerRoute(does: string, summary: string, act: Act): Route {
  return {
    method: "POST",
    path: `/approvals/:id/${does}`,
    for: ["act"],
    page: true,
    summary,
    act: async (serving, request) => {
      const id = request.params["id"] ?? "";
      try {
        const next = await nextAfter(serving, request, id);
        const { told, isOver, stays } = await act(serving, request, id);
        const at = stays === true ? id : (next ?? (isOver ? undefined : id));
        const narrowed = narrowedOf(request.query);
        const list = at === undefined ? { ...narrowed, after: "" } : narrowed;
        return seeOther(`/${at === undefined ? "" : `approvals/${at}`}${listQuery(list, { told, of: id })}`);
      } catch (error) {
        if (!(error instanceof LeewayRefusal) || error.code === "LEEWAY_NOT_FOUND") throw error;
        return notCounted(serving, request, id, error);
      }
    },
  };
}

export const ANSWER_ROUTES: readonly Route[] = [
  answerRoute("approve", "One person's yes to the question they were shown.", async (serving, request, id) => {
    const { deps } = serving;
    const { digest = "", whole, remember = "", lasts = "24h" } = fieldsOf(request);
    const view = await approvalView(deps, id);
    await needWhole(deps, view, { ...seenBy(request), shown: whole });
    if (view.state === "pending") needNoDraft(serving, request, id);
    const grant =
      remember === "" ? {} : { remember: await rememberedBy(deps, id, { remember, lasts, asked: request }) };
    return answered(await answeredBy(deps, request, id, parse(ANSWER, { verdict: "approve", digest, ...grant })));
  }),
  answerRoute("deny", "One person's no, with a reason that the agent reads.", async ({ deps }, request, id) => {
    const { digest = "", note = "" } = fieldsOf(request);
    return answered(await answeredBy(deps, request, id, parse(ANSWER, { verdict: "deny", digest, note })));
  }),
  answerRoute(
    "edit",
    "Approves other arguments than the ones asked about; they are decided anew.",
    async (serving, request, id) => {
      const { deps } = serving;
      const { digest = "", note = "", args = "", whole } = fieldsOf(request);
      await needWhole(deps, await approvalView(deps, id), { ...seenBy(request), shown: whole });
      const answer = parse(ANSWER, { verdict: "approve", digest, note, edits: versionOf(args) });
      const { state } = await answeredBy(deps, request, id, answer);
      dropDraft(serving, request, id);
      return { told: state === "pending" ? "counted" : "editedNow", isOver: true };
    },
  ),
  answerRoute("discard", "Forgets the version of the call that was not sent.", async (serving, request, id) => {
    await approvalView(serving.deps, id);
    dropDraft(serving, request, id);
    return { told: "versionDiscarded", isOver: false, stays: true };
  }),
  answerRoute("cancel", "Withdraws a question.", async ({ deps }, request, id) => {
    orThrow(await cancel(deps, id, actingOf(request)));
    return { told: "withdrawn", isOver: true };
  }),
];

function answered({ state }: { state: string }): { told: string; isOver: boolean } {
  return state === "pending" ? { told: "counted", isOver: false } : { told: "answered", isOver: true };
}

/** The next question in the list that the person is looking at, else the previous one. */
async function nextAfter({ deps }: Serving, request: HttpRequest, id: string): Promise<string | undefined> {
  const { lines } = await waitingOf(deps, narrowedOf(request.query), seenBy(request));
  const at = lines.findIndex(({ approval }) => approval.id === id);
  return (lines[at + 1] ?? lines[at - 1])?.approval.id;
}

function seenBy(request: HttpRequest) {
  return { person: personOf(request).name, language: languageFor(request) };
}

/** Back to the question, through a sign-in if needed, with what was typed and chosen. */
function notCounted(serving: Serving, request: HttpRequest, id: string, why: LeewayRefusal): Answer {
  const { args, note, text, remember = "", lasts = "" } = fieldsOf(request);
  const also = listField(request, `also${remember}`).join(",");
  const chosen: Record<string, string> = remember === "" ? {} : { remember, lasts, also };
  const proves = why.code === "LEEWAY_STALE_SIGN_IN";
  const after: Record<string, string> = proves ? { told: "notSentYet" } : {};
  const whole: Record<string, string> = fieldsOf(request)["whole"] === undefined ? {} : { whole: "1" };
  const to = `/approvals/${id}${listQuery(narrowedOf(request.query), { ...chosen, ...whole, ...after })}`;
  const typed = Object.entries({ args, note, text }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const fields: Record<string, string> = Object.fromEntries(typed);
  const back = proves && args === undefined ? seeOther(to) : backToForm(serving, request, { why, to, fields });
  return proves ? seeOther(`/sign-in?next=${encodeURIComponent(back.headers?.["location"] ?? to)}`) : back;
}
