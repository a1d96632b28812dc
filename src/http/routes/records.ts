import type { Entry } from "../../core/ledger.ts";
import { renderFault } from "../../core/policy/tree.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { Deps } from "../../gate/deps.ts";
import { exportLedger, headOf, listEntries, verifyLedger } from "../../gate/record/ledger.ts";
import { proveEntry } from "../../gate/record/prove-entry.ts";
import { sealLedger, sealWhenDue } from "../../gate/record/sealing.ts";
import { trustExport, trustOf } from "../../gate/record/trust.ts";
import { acceptPolicy, diffPolicy, policyInForce } from "../../gate/standing/policy.ts";
import { badInput, LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { anyText, maybe, text } from "../../service/shape.ts";
import { json } from "../answer.ts";
import { parsedDraft } from "../draft.ts";
import { ENTRY_QUERY, filterOf } from "../entry-query.ts";
import { limitOf, PAGE_QUERY } from "../paging.ts";
import { actingOf } from "../person.ts";
import type { Route } from "../route.ts";
import { shownBody } from "../shown-to-agents.ts";

export const RECORD_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/ledger",
    for: ["read"],
    summary: "Entries, newest first; `cursor` is the index of the last one of the page before.",
    gives: { entries: ["Entry"] },
    query: {
      ...PAGE_QUERY,
      ...ENTRY_QUERY,
    },
    act: async ({ deps }, asked) => {
      const limit = limitOf(asked.query);
      const order = asked.query["order"] === "oldest" ? "oldest" : "newest";
      const entries = await listEntries(deps, filterOf(asked.query), { limit, order });
      const last = entries.at(-1);
      const goesOn = order === "newest" && entries.length === limit && last !== undefined && last.index > 1;
      const next = goesOn ? String(last.index) : undefined;
      return json({ entries: entries.map(entryView), ...(next === undefined ? {} : { next }) });
    },
  },
  {
    method: "GET",
    path: "/v1/ledger/head",
    for: ["read"],
    summary: "Where the ledger stands: its last index and hash.",
    act: async ({ deps }) => json(await headOf(deps)),
  },
  {
    method: "GET",
    path: "/v1/ledger/verify",
    for: ["read"],
    summary: "Reads the whole chain once and says whether it is the one that was signed.",
    act: async ({ deps }) => json(await verifyLedger(deps)),
  },
  {
    method: "GET",
    path: "/v1/ledger/export",
    for: ["read"],
    summary: "The whole chain as JSON lines, which `leeway verify` and tools/verify.py read.",
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
  },
  {
    method: "GET",
    path: "/v1/ledger/checkpoint",
    for: ["read"],
    summary: "The signed note over the ledger as it is now; signs it where it has grown since the last one.",
    act: async ({ deps }) => {
      const grown = await sealWhenDue(deps, 1);
      if (grown !== undefined) return json(orThrow(grown));
      const note = await deps.seals?.newest(deps.workspace);
      // Where there is no key to sign with, sealing says so.
      return json(note === undefined ? orThrow(await sealLedger(deps)) : { size: sizeOf(note), note });
    },
  },
  {
    method: "GET",
    path: "/v1/ledger/:index/proof",
    for: ["read"],
    summary: "One entry with what shows that it was signed, for somebody who has nothing else of the ledger.",
    act: async ({ deps }, asked) => {
      const index = asked.params["index"] ?? "";
      if (!/^[1-9]\d{0,14}$/.test(index)) throw badInput("index", `${index} is no entry`, "give its number");
      return json(orThrow(await proveEntry(deps, Number(index))));
    },
  },
  {
    method: "GET",
    path: "/v1/trust",
    for: ["read"],
    summary: "The record as an OpenTrustGraph chain: of one agent, or of all.",
    query: { agent: maybe(text) },
    act: async ({ deps }, { query: { agent } }) => json(await trustExport(deps, agent === undefined ? {} : { agent })),
  },
  {
    method: "GET",
    path: "/v1/trust/:agent",
    for: ["read"],
    summary: "An agent's record: all in all, per class, per class and tool.",
    act: async ({ deps }, asked) => json(await trustOf(deps, asked.params["agent"] ?? "")),
  },
  {
    method: "GET",
    path: "/v1/policy",
    for: ["read"],
    summary: "The layers that decide now, outermost first, and where each came from.",
    act: async ({ deps }) => json(await policyInForce(deps)),
  },
  {
    method: "PUT",
    path: "/v1/policy",
    for: ["admin"],
    fresh: true,
    summary: "Accepts the policy file at `path`, if it still says what `version` names: what was looked at.",
    body: { path: text, version: text },
    act: async ({ deps }, asked) => {
      const { path, version } = asked.body as { path: string; version: Hash };
      return json(orThrow(await acceptPolicy(deps, path, { ...actingOf(asked), version })));
    },
  },
  {
    method: "POST",
    path: "/v1/policy/check",
    for: ["read"],
    summary: "Whether a policy's text loads, and the line, the column and the fix where it does not.",
    body: { text: anyText },
    act: async ({ deps }, asked) => {
      const { text: content } = asked.body as { text: string };
      const loaded = parsedDraft(deps, content, DRAFT);
      return json(
        loaded.ok
          ? { ok: true, version: loaded.policy.version }
          : { ok: false, faults: loaded.faults.map((fault) => renderFault(fault)) },
      );
    },
  },
  {
    method: "POST",
    path: "/v1/policy/diff",
    for: ["read"],
    summary: "What a draft policy would have changed over the last recorded calls, at most 1,000.",
    body: { text: anyText, path: maybe(text) },
    act: async ({ deps }, asked) => {
      const { text: content, path = DRAFT } = asked.body as { text: string; path?: string };
      const loaded = parsedDraft(deps, content, path);
      if (!loaded.ok) {
        const [fault] = loaded.faults.map((one) => renderFault(one));
        const place = fault === undefined ? "" : `${fault.line}:${fault.column}: `;
        throw new LeewayRefusal({
          code: "LEEWAY_POLICY_INVALID",
          reason: `${place}${fault?.message ?? "the draft does not load"}`,
          hint: fault?.hint ?? "POST it to /v1/policy/check to see every fault",
        });
      }
      return json(await diffPolicy(deps, loaded.policy, { limit: DIFFED_MAX }));
    },
  },
];

/** What looks like a secret is masked; who verifies the chain takes the export, which is as it was hashed. */
function entryView(entry: Entry): Entry {
  const { body } = entry;
  return body === undefined ? entry : { ...entry, body: { ...body, json: shownBody(body.json) } };
}

/** The second line of a checkpoint says how many entries it is over. */
function sizeOf(note: string): number {
  return Number(note.split("\n")[1]);
}

const DRAFT = "draft.yaml";
const DIFFED_MAX = 1_000;

const DRAIN_MS = 20;
const DRAINS_MAX = 1_500;

/** Waits for a reader that is slow, and gives up on one that has stopped. */
async function written(write: (text: string) => boolean, line: string, deps: Deps): Promise<boolean> {
  for (let tries = 0; tries < DRAINS_MAX; tries++) {
    if (write(`${line}\n`)) return true;
    await deps.clock.sleep(DRAIN_MS);
  }
  return false;
}
