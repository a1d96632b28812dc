import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import { draft, subjectOfApproval } from "../../core/steps/draft.ts";
import { mayDeny } from "../../core/steps/quorum.ts";
import { unproved } from "../../core/steps/reviewing.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { openArgs } from "../calls/args.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actStep, unsure } from "../people/acting.ts";
import { circleFor } from "../standing/owner.ts";
import { approvalAt, noApproval } from "./approval-at.ts";

/** The unmasked arguments, for a person who may answer the question. Who looked at them is recorded first. */
export async function reveal(
  deps: Deps,
  id: string,
  acting: Acting,
): Promise<{ ok: true; value: JsonObject } | Refused> {
  return actStep(deps, async (_, inForce): Promise<Step<JsonObject>> => {
    const asked = await approvalAt(deps, id);
    if (asked === undefined) return noApproval(id);
    const { by } = acting;
    if (!mayDeny(asked.row, by, await circleFor(deps, inForce, asked.row))) {
      return refused(
        "LEEWAY_FORBIDDEN",
        say("refusal.may_not_see_masked", { person: by, id }),
        say("hint.reviewers_can"),
      );
    }
    const no = acting.stale === true ? unproved(say("act.seeing_masked")) : unsure(inForce, acting);
    if (no !== undefined) return no;
    const call = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: asked.row.call });
    const opened = call === undefined ? undefined : openArgs(call.row);
    if (opened?.ok !== true)
      return refused("LEEWAY_NOT_FOUND", say("refusal.arguments_unreadable", { id }), say("hint.see_verify"));
    const subject = { ...subjectOfApproval(asked.row), person: by };
    const body = { digest: asked.row.digest, assurance: acting.assurance };
    const entry = draft(deps.mint, { kind: "secret.revealed", actor: `person:${by}`, subject, body });
    return { ok: true, pieces: [{ entries: [entry] }], value: opened.args };
  });
}
