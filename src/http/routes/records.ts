import { say } from "../../core/messages/message.ts";
import { inEnglish } from "../../core/messages/text.ts";
import { renderFault } from "../../core/policy/tree.ts";
import { shownEntry } from "../../core/show/entry-body.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { Deps } from "../../gate/deps.ts";
import { exportLedger, headOf, listEntries, verifyLedger } from "../../gate/record/ledger.ts";
import { proveEntry } from "../../gate/record/prove-entry.ts";
import { sealLedger, sealWhenDue } from "../../gate/record/sealing.ts";
import { trustExport, trustOf } from "../../gate/record/trust.ts";
import { acceptPolicy, diffPolicy, policyInForce } from "../../gate/standing/policy.ts";
import type { LoadedPolicy } from "../../ports.ts";
import { badInput, LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { anyText, flag, listOf, maybe, nameOf, object, oneOf, open, text } from "../../service/shape.ts";
import { actRoute, readRoute, reply, textRoute } from "../api-route.ts";
import { actingOf } from "../identity/person.ts";
import { LISTED } from "../paging.ts";
import { count, ENTRY, HASH_OR_NULL, ms, POLICY_IN_FORCE, someObject, texts } from "../schemas.ts";
import { ENTRY_QUERY, filterOf } from "./entry-query.ts";

export const RECORD_ROUTES = [
  readRoute("GET /v1/ledger", {
    for: ["read"],
    summary: "Entries, newest first; `cursor` is the index of the last entry of the previous page.",
    gives: open({ entries: listOf(ENTRY) }),
    query: ENTRY_QUERY,
    answer: async ({ deps }, request) => {
      const { limit = LISTED, order = "newest" } = request.query;
      const entries = await listEntries(deps, filterOf(request.query), { limit, order });
      const last = entries.at(-1);
      const goesOn = order === "newest" && entries.length === limit && last !== undefined && last.index > 1;
      const next = goesOn ? String(last.index) : undefined;
      return reply({ entries: entries.map(shownEntry), ...(next === undefined ? {} : { next }) });
    },
  }),
  readRoute("GET /v1/ledger/head", {
    for: ["read"],
    summary: "The end of the ledger: its last index and hash.",
    gives: open({ index: count, atMs: ms, hash: HASH_OR_NULL }),
    answer: async ({ deps }) => reply(await headOf(deps)),
  }),
  readRoute("GET /v1/ledger/verify", {
    for: ["read"],
    summary: "Verifies the whole chain, and says whether it is the one that was signed.",
    gives: open({ ok: flag }),
    answer: async ({ deps }) => reply(inEnglish(await verifyLedger(deps))),
  }),
  textRoute("GET /v1/ledger/export", {
    for: ["read"],
    summary: "The whole chain as JSON lines, for `leeway verify` and tools/verify.py.",
    gives: "application/jsonl",
    act: async ({ deps }) => ({
      status: 200,
      headers: { "content-type": "application/jsonl; charset=utf-8" },
      body: async (write, gone) => {
        for await (const line of exportLedger(deps)) {
          if (gone.aborted || !(await written(write, line, deps))) return;
        }
      },
    }),
  }),
  readRoute("GET /v1/ledger/checkpoint", {
    for: ["read"],
    summary: "The signed checkpoint of the ledger as it is now; a new one is signed if the ledger has grown.",
    gives: open({ size: count, note: anyText }),
    answer: async ({ deps }) => {
      const grown = await sealWhenDue(deps, 1);
      if (grown !== undefined) return reply(orThrow(grown));
      const note = await deps.seals?.newest(deps.workspace);
      // If there is no key for signing, `sealLedger` returns this refusal.
      return reply(note === undefined ? orThrow(await sealLedger(deps)) : { size: sizeOf(note), note });
    },
  }),
  readRoute("GET /v1/ledger/:index/proof", {
    for: ["read"],
    summary: "One entry with the proof that it was signed, for somebody who does not have the ledger.",
    gives: open({ entry: ENTRY, beside: texts, checkpoint: anyText }),
    answer: async ({ deps }, request) => {
      const index = request.params.index;
      if (!/^[1-9]\d{0,14}$/.test(index))
        throw badInput("index", say("refusal.no_entry_index", { index }), say("hint.give_number"));
      return reply(orThrow(await proveEntry(deps, Number(index))));
    },
  }),
  readRoute("GET /v1/trust", {
    for: ["read"],
    summary: "The track record as an OpenTrustGraph chain, of one agent or of all.",
    gives: open({ schema: anyText, chain: someObject, records: listOf(someObject) }),
    query: object({ agent: maybe(text) }),
    answer: async ({ deps }, { query }) => reply(await trustExport(deps, query)),
  }),
  readRoute("GET /v1/trust/:agent", {
    for: ["read"],
    summary: "An agent's track record: in total, per class, and per class and tool.",
    gives: open({ agent: anyText, total: someObject, classes: listOf(someObject), records: listOf(someObject) }),
    answer: async ({ deps }, request) => reply(inEnglish(await trustOf(deps, request.params.agent))),
  }),
  readRoute("GET /v1/policy", {
    for: ["read"],
    summary: "The policy layers in force, outermost first, with their sources.",
    gives: POLICY_IN_FORCE,
    answer: async ({ deps }) => reply(await policyInForce(deps)),
  }),
  actRoute("PUT /v1/policy", {
    for: ["admin"],
    fresh: true,
    summary: "Accepts the policy file at `path`, if it still has the `version` that was shown.",
    gives: open({ path: anyText, version: anyText, state: oneOf(["loaded", "accepted"]), atMs: ms }),
    body: object({ path: text, version: nameOf<Hash>() }),
    answer: async ({ deps }, request) => {
      const { path, version } = request.body;
      return reply(orThrow(await acceptPolicy(deps, path, { ...actingOf(request), version })));
    },
  }),
  actRoute("POST /v1/policy/check", {
    for: ["read"],
    summary: "Says whether the text of a policy loads; if not, the line, the column and the fix of each fault.",
    gives: open({ ok: flag, version: maybe(anyText), faults: maybe(listOf(someObject)) }),
    body: object({ text: anyText }),
    answer: async ({ deps }, request) => {
      const { text: content } = request.body;
      const loaded = parsedDraft(deps, content, DRAFT);
      return reply(
        loaded.ok
          ? { ok: true, version: loaded.policy.version }
          : { ok: false, faults: loaded.faults.map((fault) => renderFault(fault)) },
      );
    },
  }),
  actRoute("POST /v1/policy/diff", {
    for: ["read"],
    summary: "Which of the last recorded calls, at most 1,000, a draft policy would have decided differently.",
    gives: open({ compared: count, changed: listOf(someObject), skipped: listOf(someObject) }),
    body: object({ text: anyText, path: maybe(text) }),
    answer: async ({ deps }, request) => {
      const { text: content, path = DRAFT } = request.body;
      const loaded = parsedDraft(deps, content, path);
      if (!loaded.ok) {
        const [fault] = loaded.faults;
        throw new LeewayRefusal({
          code: "LEEWAY_POLICY_INVALID",
          reason: fault === undefined ? say("refusal.draft_does_not_load") : say("refusal.draft_fault", fault),
          hint: fault?.hint ?? say("hint.post_to_check"),
        });
      }
      return reply(inEnglish(await diffPolicy(deps, loaded.policy, { limit: DIFFED_MAX })));
    },
  }),
];

/** The second line of a checkpoint is the number of entries that it covers. */
function sizeOf(note: string): number {
  return Number(note.split("\n")[1]);
}

const DRAFT = "draft.yaml";
const DIFFED_MAX = 1_000;

const DRAIN_MS = 20;
const DRAINS_MAX = 1_500;

/** Waits for a slow client, and ends if the client stops reading. */
async function written(write: (text: string) => boolean, line: string, deps: Deps): Promise<boolean> {
  for (let tries = 0; tries < DRAINS_MAX; tries++) {
    if (write(`${line}\n`)) return true;
    await deps.clock.sleep(DRAIN_MS);
  }
  return false;
}

/** More than twice the length of the longest policy in the package. Parsing a longer one would delay other requests. */
const DRAFT_MAX = 32 * 1024;

/** Parses a policy that was sent to a server. Its length is limited; a policy file on the machine itself may be longer. */
export function parsedDraft(deps: Deps, text: string, path: string): LoadedPolicy {
  if (text.length <= DRAFT_MAX) return deps.policies.parse(text, path);
  const reason = say("refusal.draft_too_long", { count: DRAFT_MAX });
  const hint = say("hint.check_file_on_server");
  throw new LeewayRefusal({ code: "LEEWAY_TOO_LARGE", reason, hint });
}
