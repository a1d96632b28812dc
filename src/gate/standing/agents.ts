import { put, unchanged, type Write } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { EffectClass } from "../../core/effect.ts";
import type { AgentName, PersonName } from "../../core/ids.ts";
import { redactText } from "../../core/masking/redact.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { type Agent, recordedOwner } from "../../core/people.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import type { Promotion } from "../../core/standing/standing.ts";
import { draft } from "../../core/steps/draft.ts";
import { type Ended, endedBy } from "../../core/steps/standing/promoting.ts";
import type { Tier } from "../../core/tier.ts";
import { handoverNotices } from "../calls/handover-notices.ts";
import type { Deps } from "../deps.ts";
import {
  type Acting,
  type Assured,
  actingAdmin,
  actingPerson,
  actStep,
  type HeldStanding,
  pausedPerson,
  unsure,
} from "../people/acting.ts";
import { agentAt } from "./owner.ts";

/** A change of an agent's leeway by a person: to which tier, for which class, until when, and why. */
export type Move = {
  agent: AgentName;
  tier: Tier;
  class?: EffectClass;
  because: string;
  by: PersonName;
  untilMs?: number;
};

type Moved = { ok: true; value: Promotion } | Refused;

/** Every agent that ever made a call, with its owner: the one that the policy names, else the recorded one. */
export async function listAgents(deps: Deps): Promise<readonly Agent[]> {
  const inForce = await deps.standing.current();
  const { workspace } = deps;
  const limit = await deps.store.read({ ask: "count", workspace, table: "agents", where: {} });
  const rows = await deps.store.read({ ask: "rows", workspace, table: "agents", where: {}, limit, order: "oldest" });
  return rows
    .map(({ row }) => {
      const { owner: _, ...rest } = row;
      const owner = inForce.owners.get(row.name) ?? recordedOwner(row, inForce.rows.people);
      return owner === undefined ? rest : { ...rest, owner };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names of the newest agents, in alphabetical order. */
export async function newestAgents({ store, workspace }: Deps, limit: number): Promise<readonly AgentName[]> {
  const rows = await store.read({ ask: "rows", workspace, table: "agents", where: {}, limit, order: "newest" });
  return rows.map(({ row }) => row.name).sort();
}

/** Gives more leeway. Without a class it does not apply to dangerous classes (see `decide`). */
export function promote(deps: Deps, { assurance, ...move }: Move & Assured): Promise<Moved> {
  return recordMove(deps, "promote", move, { assurance });
}

/** Gives less leeway: a cap. Approved calls that have not started are checked against it when they are claimed. */
export function demote(deps: Deps, move: Move): Promise<Moved> {
  return recordMove(deps, "demote", move);
}

/** Changes the owner of an agent. Only admins may do it, so that nobody gets an agent without having agreed. */
export function setOwner(
  deps: Deps,
  change: { agent: AgentName; owner: PersonName } & Acting,
): Promise<{ ok: true; value: Agent } | Refused> {
  return actStep(deps, async (nowMs, inForce) => {
    const { people } = inForce.rows;
    const held = await agentAt(deps, change.agent);
    if (held === undefined) return noAgent(change.agent);
    const acting = actingAdmin(inForce, change.by, say("act.set_owner"));
    if ("code" in acting) return acting;
    const no = unsure(inForce, change);
    if (no !== undefined) return no;
    if (!people.some((person) => person.name === change.owner && person.state === "active")) {
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_person", { person: change.owner }), say("hint.people_list"));
    }
    const agent: Agent = { ...held.row, owner: change.owner, ownedMs: nowMs };
    const entry = draft(deps.mint, {
      kind: "agent.changed",
      actor: `person:${change.by}`,
      subject: { agent: agent.name, person: change.by },
      body: { owner: change.owner, before: held.row.owner ?? null },
      rows: [madeRow("agents", agent, held.row)],
    });
    const told = await handoverNotices(deps, agent.name, change.owner, nowMs);
    // Processes that remember the agent must read it again.
    const writes: Write[] = [put("agents", agent), { do: "turn" }, ...told];
    const needs = [unchanged("agents", agent.name, held.version)];
    return {
      ok: true,
      pieces: [{ needs, writes, entries: [entry] }],
      value: agent,
    };
  });
}

/** It is in force from the next decision on. The newest change of the same scope counts. */
function recordMove(deps: Deps, kind: Promotion["kind"], move: Move, sure?: Assured): Promise<Moved> {
  return actStep(deps, async (nowMs, inForce) => {
    const no =
      (await refusal(deps, inForce, kind, move, nowMs)) ??
      (sure && (pausedPerson(inForce, move.by) ?? unsure(inForce, sure)));
    if (no !== undefined) return no;
    const row: Promotion = {
      id: deps.mint.next("pro"),
      workspace: deps.workspace,
      kind,
      agent: move.agent,
      ...(move.class === undefined ? {} : { class: move.class }),
      tier: move.tier,
      because: redactText(move.because),
      by: move.by,
      atMs: nowMs,
      ...(move.untilMs === undefined ? {} : { untilMs: move.untilMs }),
    };
    const over = endedBy(row, inForce.rows.promotions, nowMs);
    const writes: Write[] = [row, ...over.map(({ now }) => now)].map((one) => put("promotions", one));
    const entries = [draft(deps.mint, moveEntry(row, over, sure))];
    return { ok: true, pieces: [{ writes: [...writes, { do: "turn" }], entries }], value: row };
  });
}

function moveEntry(row: Promotion, over: readonly Ended[], sure: Assured | undefined): Parameters<typeof draft>[1] {
  const { agent, tier, by, because, untilMs } = row;
  return {
    kind: row.kind === "promote" ? "trust.promoted" : "trust.demoted",
    actor: `person:${by}`,
    subject: { agent, tier, person: by, ...(row.class === undefined ? {} : { class: row.class }) },
    body: { promotion: row.id, tier, because, ...sure, ...(untilMs === undefined ? {} : { untilMs }) },
    rows: [madeRow("promotions", row), ...over.map(({ now, before }) => madeRow("promotions", now, before))],
  };
}

async function refusal(
  deps: Deps,
  inForce: HeldStanding,
  kind: Promotion["kind"],
  move: Move,
  nowMs: number,
): Promise<Refused | undefined> {
  const known = await agentAt(deps, move.agent);
  if (known === undefined) return noAgent(move.agent);
  // Only a known person may do this, not an agent.
  const acting = actingPerson(inForce, move.by);
  if ("code" in acting) return acting;
  if (
    !acting.admin &&
    acting.name !== (inForce.owners.get(move.agent) ?? recordedOwner(known.row, inForce.rows.people))
  ) {
    return refused("LEEWAY_FORBIDDEN", mayNot(kind, move), say("hint.owner_or_admin"));
  }
  if (move.because.trim() === "") return refused("LEEWAY_BAD_INPUT", say("refusal.no_reason"), say("hint.say_why"));
  if (move.untilMs !== undefined && move.untilMs <= nowMs) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.ended_already"), say("hint.time_to_come"));
  }
  const { tier } = move;
  if (kind === "promote" && tier === "deny")
    return refused("LEEWAY_BAD_INPUT", say("refusal.cannot_promote_to", { tier }), say("hint.use_demote"));
  if (kind === "demote" && tier === "auto")
    return refused("LEEWAY_BAD_INPUT", say("refusal.cannot_demote_to", { tier }), say("hint.use_promote"));
  return undefined;
}

function mayNot(kind: Promotion["kind"], { by: person, agent }: { by: PersonName; agent: AgentName }): Message {
  return kind === "promote"
    ? say("refusal.may_not_promote", { person, agent })
    : say("refusal.may_not_demote", { person, agent });
}

function noAgent(name: AgentName): Refused {
  return refused("LEEWAY_NOT_FOUND", say("refusal.no_agent", { name }), say("hint.agents_list"));
}
