import { say } from "../core/messages/message.ts";
import type { Deps } from "../gate/deps.ts";
import type { LoadedPolicy } from "../ports.ts";
import { LeewayRefusal } from "../service/refusal.ts";

/** More than twice the longest policy that Leeway brings along. A longer one takes so long to read that others would wait. */
const DRAFT_MAX = 32 * 1024;

/** A draft that somebody sent to a server. A policy file on the machine itself may be as long as it likes. */
export function parsedDraft(deps: Deps, text: string, path: string): LoadedPolicy {
  if (text.length <= DRAFT_MAX) return deps.policies.parse(text, path);
  const reason = say("refusal.draft_too_long", { count: DRAFT_MAX });
  const hint = say("hint.check_file_on_server");
  throw new LeewayRefusal({ code: "LEEWAY_TOO_LARGE", reason, hint });
}
