import { at } from "../../client/path.ts";
import type { Approval } from "../../core/approval.ts";
import type { Card } from "../../core/show/card.ts";
import type { Suggested } from "../../gate/standing/grants.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { usage } from "../failure.ts";
import type { There } from "./server.ts";

/** A question as a server shows it; `approved` is how many yeses count so far. */
type Shown = Approval & {
  approved: number;
  card: Card;
  remember: readonly Suggested[];
  /** Why nothing can be remembered, where nothing can. */
  notRemembered?: string;
};

const LISTED_MAX = 1000;
const ID = /^apr_[0-9a-f-]*$/;

export async function shownAt({ ask }: There, id: string): Promise<Shown> {
  return (await ask({ path: at`/v1/approvals/${id}` })) as unknown as Shown;
}

export function pendingAt({ gate }: There): Promise<readonly Approval[]> {
  return gate.approvals.list({ state: "pending", limit: LISTED_MAX });
}

/** By its id, or the start of it that fits only one of the last questions. Never "the latest". */
export async function questionAt(there: There, id: string): Promise<Shown> {
  if (!ID.test(id))
    throw usage(`\`${id}\` is not the id of a question`, "ids look like apr_019a8b3c4d5e; `leeway inbox` shows them");
  try {
    return await shownAt(there, id);
  } catch (error) {
    if (!(error instanceof LeewayRefusal) || error.code !== "LEEWAY_NOT_FOUND") throw error;
    const known = await there.gate.approvals.list({ limit: LISTED_MAX });
    const fitting = known.filter((one) => one.id.startsWith(id));
    const [only] = fitting;
    if (only === undefined) throw error;
    if (fitting.length > 1) throw usage(`${fitting.length} questions start with ${id}`, "write more of the id");
    return shownAt(there, only.id);
  }
}
