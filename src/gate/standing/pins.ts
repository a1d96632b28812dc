import { type Approval, stateAt } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import type { ApprovalId, PersonName } from "../../core/ids.ts";
import type { Policy } from "../../core/policy.ts";
import type { Receipt } from "../../core/receipt.ts";
import {
  type Offer,
  offerHash,
  offerIn,
  PIN_TOOL,
  pinAgent,
  pinArgs,
  upstreamOfAgent,
} from "../../core/standing/pin.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { Runner } from "../../ports.ts";
import { openArgs } from "../calls/args.ts";
import { callAt } from "../calls/call-at.ts";
import { submit } from "../calls/submit.ts";
import { unvouchedApproval } from "../calls/vouched.ts";
import type { Deps } from "../deps.ts";
import { listAgents } from "./agents.ts";

// What people accepted of MCP servers. There is no row for it: a pin is the approved question about the offer, compared
// with the entries that made it.

/** What is known about an offer. */
export type Pin = { offer: Offer; approvalId: ApprovalId; atMs: number } & (
  | { state: "accepted"; by: readonly PersonName[] }
  | { state: "refused"; by: PersonName; note: string }
  | { state: "asked" }
);

/** The pins of one upstream. The newest answer to an offer counts. */
export type Pins = {
  of(offer: Offer): Pin | undefined;
  /** The text that was accepted last for the same thing, to show what has changed. */
  before(offer: Offer): string | undefined;
  all: readonly Pin[];
};

const QUESTIONS_MAX = 5_000;

export async function readPins(deps: Deps, upstream: string): Promise<Pins> {
  const { store, workspace } = deps;
  const where = { agent: pinAgent(upstream) };
  const found = await store.read({
    ask: "rows",
    workspace,
    table: "approvals",
    where,
    limit: QUESTIONS_MAX,
    order: "newest",
  });
  const byHash = new Map<Hash, Pin>();
  for (const { row } of found) {
    const pin = await pinOf(deps, row);
    if (pin === undefined) continue;
    const hash = offerHash(pin.offer);
    if (!byHash.has(hash)) byHash.set(hash, pin);
  }
  const all = [...byHash.values()];
  return {
    of: (offer) => byHash.get(offerHash(offer)),
    before: ({ of, name }) =>
      all.find((pin) => pin.state === "accepted" && pin.offer.of === of && pin.offer.name === name)?.offer.text,
    all,
  };
}

/** The upstreams that ever asked. */
export async function pinnedUpstreams(deps: Deps): Promise<readonly string[]> {
  const agents = await listAgents(deps);
  return agents.flatMap(({ name }) => upstreamOfAgent(name) ?? []);
}

/** What cannot change about a question is found once: its offer, and that its answer is the recorded one. */
const offers = new WeakMap<Deps, Map<string, Offer | undefined>>();
const vouched = new WeakMap<Deps, Set<string>>();

async function pinOf(deps: Deps, row: Approval): Promise<Pin | undefined> {
  // A question that somebody else opened, without the mark, may have been answered in bulk or by a token.
  if (row.tool !== PIN_TOOL || !row.needsHuman) return undefined;
  const offer = await offerOf(deps, row);
  if (offer === undefined || pinAgent(offer.upstream) !== row.agent) return undefined;
  const base = { offer, approvalId: row.id };
  switch (stateAt(row, deps.clock.nowMs())) {
    case "pending":
      return { ...base, state: "asked", atMs: row.openedMs };
    case "approved":
      if (row.state !== "approved" || !(await isVouched(deps, row))) return undefined;
      return { ...base, state: "accepted", atMs: row.atMs, by: row.reviews.map(({ by }) => by) };
    case "denied":
      return row.state === "denied"
        ? { ...base, state: "refused", atMs: row.atMs, by: row.by, note: row.note }
        : undefined;
    default:
      return undefined;
  }
}

async function offerOf(deps: Deps, { id, call }: Approval): Promise<Offer | undefined> {
  const known = offers.get(deps) ?? new Map<string, Offer | undefined>();
  offers.set(deps, known);
  if (!known.has(id)) {
    const row = await callAt(deps, call);
    const opened = row === undefined ? undefined : openArgs(row);
    known.set(id, opened?.ok === true ? offerIn(opened.args) : undefined);
  }
  return known.get(id);
}

async function isVouched(deps: Deps, row: Approval): Promise<boolean> {
  const known = vouched.get(deps) ?? new Set<string>();
  vouched.set(deps, known);
  if (!known.has(row.id) && (await unvouchedApproval(deps, row)) === undefined) known.add(row.id);
  return known.has(row.id);
}

/** Asks people to accept an offer. While a question about it is open, no second one is opened. */
export function askForPin(deps: Deps, offer: Offer, before: string | undefined): Promise<Receipt> {
  const call: ToolCall = {
    workspace: deps.workspace,
    agent: pinAgent(offer.upstream),
    tool: PIN_TOOL,
    args: pinArgs(offer, before),
    callId: deps.mint.next("call"),
    traceId: deps.mint.next("trace"),
    chain: [],
    claims: {},
  };
  return submit(deps, call, {
    scopes: [needsPerson(deps)],
    door: { waits: true, hands: false, delegates: false, edits: false },
  });
}

/** Whatever the policy says, only a person can accept an offer: no grant, preset or callback can. */
function needsPerson({ policies }: Deps): Policy {
  const loaded = policies.parse("version: 1\nhuman: true\n", PIN_TOOL);
  if (!loaded.ok) throw new Error("the layer of pins does not load (this is a bug)");
  return loaded.policy;
}

/** The approved question is the pin, so there is nothing left to do when the call runs. */
export function pinRunner(): Runner {
  return {
    name: PIN_TOOL,
    idempotent: true,
    run: async ({ args }) => ({ ok: true, result: { accepted: args["name"] ?? null } }),
  };
}
