import { callKeyOf, type Digest, type ToolCall } from "../../core/call.ts";
import type { Entry } from "../../core/ledger.ts";
import { draft } from "../../core/steps/draft.ts";
import { commitStep } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { failureText } from "../record/failure-text.ts";
import { listEntries } from "../record/ledger.ts";
import { callWithKey } from "./call-at.ts";

// A call that was left to the host's own user has no permission and no execution: Leeway does not know what the user
// answered. If the host reports a result, the user said yes, and the record says so.

/** The reported call. Hosts that give calls no id are matched by the content of the call. */
export type Reported = Pick<ToolCall, "agent" | "chain" | "tool" | "session" | "workspace"> & {
  callId?: string;
  digest: Digest;
};
type Ended = { ok: true } | { ok: false; error: string };

/** So many of an agent's newest entries about the tool are looked through. */
const LOOKED_AT = 100;

/** Records once how the call ended. Nothing is recorded about a call that was not left to the host's user. */
export async function reportDelegated(deps: Deps, call: Reported, ended: Ended): Promise<void> {
  const left = await delegatedEntry(deps, call);
  if (left === undefined) return;
  const body = ended.ok
    ? { ended: "succeeded" }
    : { ended: "failed", error: await failureText(deps, left.subject.call ?? "", ended.error) };
  const entry = draft(deps.mint, { kind: "call.reported", actor: `agent:${call.agent}`, subject: left.subject, body });
  await commitStep(deps, async () => ({ ok: true, pieces: [{ entries: [entry] }], value: undefined }));
}

/** The oldest such entry that nothing was reported about. */
async function delegatedEntry(deps: Deps, call: Reported): Promise<Entry | undefined> {
  const { agent, session, tool, callId, digest } = call;
  const entries = await listEntries(
    deps,
    {
      kinds: ["call.delegated", "call.reported"],
      subject: { agent, tool, ...(session === undefined ? {} : { session }) },
    },
    { limit: LOOKED_AT, order: "newest" },
  );
  const row = callId === undefined ? undefined : await callWithKey(deps, callKeyOf({ ...call, callId }));
  const reported = new Set(entries.filter(({ kind }) => kind === "call.reported").map(({ subject }) => subject.call));
  return entries.findLast(
    ({ kind, subject, body }) =>
      kind === "call.delegated" &&
      !reported.has(subject.call) &&
      (callId === undefined ? body?.json["digest"] === digest : subject.call === row?.id),
  );
}
