import { parseDuration } from "../core/values/duration.ts";
import { cancel } from "../gate/cancel.ts";
import { suggestGrants } from "../gate/grants.ts";
import { type Answer, seeOther, statusOf } from "../http/answer.ts";
import { answeredBy } from "../http/answering.ts";
import type { Asked } from "../http/asked.ts";
import { actingOf, personOf } from "../http/person.ts";
import type { Route, Serving } from "../http/route.ts";
import { approvalView } from "../library/approvals.ts";
import { badInput, LeewayRefusal, orThrow } from "../library/refusal.ts";
import type { ReviewInput } from "../library/reviews.ts";
import { argsOf, fieldsOf } from "./fields.ts";
import { languageFor } from "./frame.ts";
import { inboxPage } from "./inbox.ts";
import { needWhole } from "./whole.ts";

type Act = (serving: Serving, asked: Asked, id: string) => Promise<Answer>;

/** What does not count is told above the question, with what was typed still there. */
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
        return await act(serving, asked, id);
      } catch (error) {
        if (!(error instanceof LeewayRefusal) || error.code === "LEEWAY_NOT_FOUND") throw error;
        if (error.code === "LEEWAY_STALE_SIGN_IN") return proveFirst(asked, id);
        const { args, note = "" } = fieldsOf(asked);
        const shown = await inboxPage(serving, asked, id, {
          refusal: error,
          note,
          ...(args === undefined ? {} : { args }),
        });
        return { ...shown, status: statusOf(error.code) };
      }
    },
  };
}

export const ANSWER_ROUTES: readonly Route[] = [
  answerRoute("answer", "One person's answer to the question they were shown.", answered),
  answerRoute("edit", "Approves other arguments than the ones asked about; they are decided anew.", edited),
  answerRoute("cancel", "Withdraws a question.", async ({ deps }, asked, id) => {
    orThrow(await cancel(deps, id, actingOf(asked)));
    return seeOther("/?told=withdrawn");
  }),
];

async function answered({ deps }: Serving, asked: Asked, id: string): Promise<Answer> {
  const { verdict, digest = "", note = "", remember = "", lasts = "24h", whole } = fieldsOf(asked);
  if (verdict !== "approve" && verdict !== "deny") throw badInput("verdict", "that is no answer", "approve or deny");
  const answer: Omit<ReviewInput, "by"> = { verdict, digest, note };
  if (verdict === "approve") {
    await needWhole(deps, await approvalView(deps, id), { ...seenBy(asked), shown: whole });
    if (remember !== "") answer.remember = await rememberOf(deps, id, remember, lasts);
  }
  const { state } = await answeredBy(deps, asked, id, answer);
  return seeOther(state === "pending" ? "/?told=counted" : `/?told=answered&of=${id}`);
}

function seenBy(asked: Asked) {
  return { person: personOf(asked).name, language: languageFor(asked) };
}

/** Back to the question, with what was chosen to be remembered still chosen. */
function proveFirst(asked: Asked, id: string): Answer {
  const { remember = "", lasts = "24h" } = fieldsOf(asked);
  const chosen = remember === "" ? "" : `?${new URLSearchParams({ remember, lasts })}`;
  return seeOther(`/sign-in?next=${encodeURIComponent(`/approvals/${id}${chosen}`)}`);
}

/** The grant is the one that was offered under this number: nothing a form says widens it. */
async function rememberOf(deps: Serving["deps"], id: string, width: string, lasts: string) {
  const { offers } = orThrow(await suggestGrants(deps, id));
  const offer = /^[1-9]$/.test(width) ? offers[Number(width) - 1] : undefined;
  if (offer === undefined) throw badInput("remember", "that was not offered", "look at the question again");
  const uses = /^([1-9]\d{0,3})x$/.exec(lasts)?.[1];
  if (uses === undefined && parseDuration(lasts) === undefined)
    throw badInput("lasts", "that is no time", "choose one");
  return { covers: offer.covers, ...(uses === undefined ? { until: lasts } : { uses: Number(uses) }) };
}

async function edited({ deps }: Serving, asked: Asked, id: string): Promise<Answer> {
  const { digest = "", note = "", args = "", whole } = fieldsOf(asked);
  await needWhole(deps, await approvalView(deps, id), { ...seenBy(asked), shown: whole });
  const { state } = await answeredBy(deps, asked, id, { verdict: "approve", digest, note, edits: argsOf(args) });
  return seeOther(`/?told=${state === "pending" ? "counted" : "editedNow"}`);
}
