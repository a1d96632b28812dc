import { cancel } from "../gate/approvals/cancel.ts";
import { type Answer, seeOther } from "../http/answer.ts";
import { answeredBy } from "../http/answering.ts";
import { actingOf, personOf } from "../http/person.ts";
import type { Asked } from "../http/request.ts";
import type { Route, Serving } from "../http/route.ts";
import { approvalView } from "../service/approvals.ts";
import { LeewayRefusal, orThrow } from "../service/refusal.ts";
import { parse } from "../service/shape.ts";
import { ANSWER } from "../service/shapes/review.ts";
import { argsOf, fieldsOf, listField } from "./fields.ts";
import { languageFor } from "./frame.ts";
import { backToForm } from "./refused.ts";
import { rememberedBy } from "./remember.ts";
import { listQuery, narrowedOf, waitingOf } from "./waiting.ts";
import { needWhole } from "./whole-shown.ts";

/** Does the action, and returns the name of the message to show. */
type Act = (serving: Serving, asked: Asked, id: string) => Promise<{ told: string; isOver: boolean }>;

/** One form of a question: one route that does one thing. After it comes the next question of the same list. */
function answerRoute(does: string, summary: string, act: Act): Route {
  return {
    method: "POST",
    path: `/approvals/:id/${does}`,
    for: ["act"],
    page: true,
    summary,
    act: async (serving, asked) => {
      const id = asked.params["id"] ?? "";
      try {
        const next = await nextAfter(serving, asked, id);
        const { told, isOver } = await act(serving, asked, id);
        const at = next ?? (isOver ? undefined : id);
        const narrowed = narrowedOf(asked.query);
        const list = at === undefined ? { ...narrowed, after: "" } : narrowed;
        return seeOther(`/${at === undefined ? "" : `approvals/${at}`}${listQuery(list, { told, of: id })}`);
      } catch (error) {
        if (!(error instanceof LeewayRefusal) || error.code === "LEEWAY_NOT_FOUND") throw error;
        return notCounted(serving, asked, id, error);
      }
    },
  };
}

export const ANSWER_ROUTES: readonly Route[] = [
  answerRoute("approve", "One person's yes to the question they were shown.", async ({ deps }, asked, id) => {
    const { digest = "", whole, remember = "", lasts = "24h" } = fieldsOf(asked);
    await needWhole(deps, await approvalView(deps, id), { ...seenBy(asked), shown: whole });
    const grant = remember === "" ? {} : { remember: await rememberedBy(deps, id, { remember, lasts, asked }) };
    return answered(await answeredBy(deps, asked, id, parse(ANSWER, { verdict: "approve", digest, ...grant })));
  }),
  answerRoute("deny", "One person's no, with a reason that the agent reads.", async ({ deps }, asked, id) => {
    const { digest = "", note = "" } = fieldsOf(asked);
    return answered(await answeredBy(deps, asked, id, parse(ANSWER, { verdict: "deny", digest, note })));
  }),
  answerRoute(
    "edit",
    "Approves other arguments than the ones asked about; they are decided anew.",
    async ({ deps }, asked, id) => {
      const { digest = "", note = "", args = "", whole } = fieldsOf(asked);
      await needWhole(deps, await approvalView(deps, id), { ...seenBy(asked), shown: whole });
      const answer = parse(ANSWER, { verdict: "approve", digest, note, edits: argsOf(args) });
      const { state } = await answeredBy(deps, asked, id, answer);
      return { told: state === "pending" ? "counted" : "editedNow", isOver: true };
    },
  ),
  answerRoute("cancel", "Withdraws a question.", async ({ deps }, asked, id) => {
    orThrow(await cancel(deps, id, actingOf(asked)));
    return { told: "withdrawn", isOver: true };
  }),
];

function answered({ state }: { state: string }): { told: string; isOver: boolean } {
  return state === "pending" ? { told: "counted", isOver: false } : { told: "answered", isOver: true };
}

/** The next question in the list that the person is looking at, else the previous one. */
async function nextAfter({ deps }: Serving, asked: Asked, id: string): Promise<string | undefined> {
  const { lines } = await waitingOf(deps, narrowedOf(asked.query), languageFor(asked));
  const at = lines.findIndex(({ approval }) => approval.id === id);
  return (lines[at + 1] ?? lines[at - 1])?.approval.id;
}

function seenBy(asked: Asked) {
  return { person: personOf(asked).name, language: languageFor(asked) };
}

/** Back to the question, through a sign-in if needed, with what was typed and chosen. */
function notCounted(serving: Serving, asked: Asked, id: string, why: LeewayRefusal): Answer {
  const { args, note, remember = "", lasts = "" } = fieldsOf(asked);
  const also = listField(asked, `also${remember}`).join(",");
  const chosen: Record<string, string> = remember === "" ? {} : { remember, lasts, also };
  const whole: Record<string, string> = fieldsOf(asked)["whole"] === undefined ? {} : { whole: "1" };
  const to = `/approvals/${id}${listQuery(narrowedOf(asked.query), { ...chosen, ...whole })}`;
  const fields = { ...(args === undefined ? {} : { args }), ...(note === undefined ? {} : { note }) };
  const proves = why.code === "LEEWAY_STALE_SIGN_IN";
  const back = proves && args === undefined ? seeOther(to) : backToForm(serving, asked, { why, to, fields });
  return proves ? seeOther(`/sign-in?next=${encodeURIComponent(back.headers?.["location"] ?? to)}`) : back;
}
