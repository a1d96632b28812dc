import { put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import type { Subject } from "../../core/ledger.ts";
import { redactText } from "../../core/masking/redact.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { isTheirs } from "../../core/people.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import type { Pause, PauseScope } from "../../core/standing/standing.ts";
import { draft } from "../../core/steps/draft.ts";
import { unproved } from "../../core/steps/reviewing.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import {
  type Acting,
  type Assured,
  actingAdmin,
  actingPerson,
  actStep,
  type HeldStanding,
  isSomebodyLeft,
  pausedPerson,
  unsure,
} from "../people/acting.ts";
import { ownerOf } from "./owner.ts";
import type { InForce } from "./standing.ts";

type Changed = { ok: true; value: Pause } | Refused;

/**
 * The kill switch. Everybody who may answer may pause; it counts from the next call on. Pausing a reviewer changes who
 * decides, so it needs an admin with a fresh proof, like everything that gives leeway.
 */
export async function setPause(
  deps: Deps,
  given: { scope: PauseScope; because: Message | string; by: PersonName } & Partial<Assured>,
): Promise<Changed> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Pause>> => {
    const acting = actingPerson(inForce, given.by);
    if ("code" in acting) return acting;
    const no = given.scope.of === "reviewer" ? unpausable(inForce, given.scope.name, given) : undefined;
    if (no !== undefined) return no;
    const { scope, by } = given;
    const because = typeof given.because === "string" ? redactText(given.because) : given.because;
    const row: Pause = {
      id: deps.mint.next("pau"),
      workspace: deps.workspace,
      scope,
      because,
      by,
      setMs: nowMs,
      state: "set",
    };
    return kept(deps, row, undefined, { kind: "pause.set", by, body: { pause: row.id, because } });
  });
}

function unpausable(
  inForce: HeldStanding,
  name: PersonName,
  given: { by: PersonName } & Partial<Assured>,
): Refused | undefined {
  const admin = actingAdmin(inForce, given.by, say("act.pause_reviewer"));
  if ("code" in admin) return admin;
  if (given.stale === true) return unproved(say("act.pausing_reviewer"));
  if (!isSomebodyLeft(inForce, name)) {
    return refused(
      "LEEWAY_FORBIDDEN",
      say("refusal.pause_cannot_lift", { person: name }),
      say("hint.another_admin_first"),
    );
  }
  return unsure(inForce, { assurance: given.assurance ?? "process" });
}

/** A pause can be lifted by admins, by the person who set it, and by the owner of the paused agent. */
export async function liftPause(deps: Deps, id: string, acted: Acting): Promise<Changed> {
  const { by } = acted;
  return actStep(deps, async (nowMs, inForce): Promise<Step<Pause>> => {
    const acting = actingPerson(inForce, by);
    if ("code" in acting) return acting;
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "pauses", id });
    if (held === undefined)
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_pause", { id }), say("hint.status_lists"));
    const pause = held.row;
    if (pause.state !== "set")
      return refused("LEEWAY_ALREADY_RESOLVED", say("refusal.pause_lifted", { id }), say("hint.nothing_to_do"));
    const isOwn = pause.by === by && isTheirs(acting, pause.setMs);
    if (!acting.admin && !isOwn && !(await owns(deps, inForce, by, pause.scope))) {
      return refused("LEEWAY_FORBIDDEN", say("refusal.may_not_lift", { person: by, id }), say("hint.admin_or_setter"));
    }
    const no = pausedPerson(inForce, by) ?? unsure(inForce, acted);
    if (no !== undefined) return no;
    const row: Pause = { ...pause, state: "lifted", atMs: nowMs, by };
    return kept(deps, row, held, { kind: "pause.lifted", by, body: { pause: id } });
  });
}

/** All pauses in force. */
export async function listPauses(deps: Deps): Promise<readonly Pause[]> {
  return (await deps.standing.current()).pauses;
}

async function owns(deps: Deps, inForce: InForce, by: PersonName, scope: PauseScope): Promise<boolean> {
  const agent = scope.of === "agent" ? scope.name : scope.of === "tool" ? scope.agent : undefined;
  return agent !== undefined && (await ownerOf(deps, inForce, agent)) === by;
}

function kept(
  deps: Deps,
  row: Pause,
  held: Versioned<"pauses"> | undefined,
  entry: { kind: "pause.set" | "pause.lifted"; by: PersonName; body: JsonObject },
): Step<Pause> {
  return {
    ok: true,
    value: row,
    pieces: [
      {
        needs: [unchanged("pauses", row.id, held?.version ?? 0)],
        writes: [put("pauses", row), { do: "turn" }],
        entries: [
          draft(deps.mint, {
            kind: entry.kind,
            actor: `person:${entry.by}`,
            subject: { person: entry.by, ...subjectOf(row.scope) },
            body: { ...entry.body, scope: row.scope as unknown as JsonObject },
            rows: [madeRow("pauses", row, held?.row)],
          }),
        ],
      },
    ],
  };
}

function subjectOf(scope: PauseScope): Subject {
  switch (scope.of) {
    case "everything":
      return {};
    case "reviewer":
      return { person: scope.name };
    case "tool": {
      const { name: tool, session, agent } = scope;
      return { tool, ...(session === undefined ? {} : { session }), ...(agent === undefined ? {} : { agent }) };
    }
    default:
      return { [scope.of]: scope.name };
  }
}
