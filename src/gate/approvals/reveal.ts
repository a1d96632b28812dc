import { type Refused, refused } from "../../core/codes.ts";
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

/** The arguments with nothing masked, for somebody who may answer the question. Who looked stands in the record first. */
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
      return refused("LEEWAY_FORBIDDEN", `${by} may not see what is masked in ${id}`, "whoever may review it can");
    }
    const no = acting.stale === true ? unproved("seeing what is masked") : unsure(inForce, acting);
    if (no !== undefined) return no;
    const call = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: asked.row.call });
    const opened = call === undefined ? undefined : openArgs(call.row);
    if (opened?.ok !== true)
      return refused("LEEWAY_NOT_FOUND", `the arguments of ${id} cannot be read`, "see `leeway verify`");
    const subject = { ...subjectOfApproval(asked.row), person: by };
    const body = { digest: asked.row.digest, assurance: acting.assurance };
    const entry = draft(deps.mint, { kind: "secret.revealed", actor: `person:${by}`, subject, body });
    return { ok: true, pieces: [{ entries: [entry] }], value: opened.args };
  });
}
