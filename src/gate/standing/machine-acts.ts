import type { Refused } from "../../core/codes.ts";
import type { EntryKind } from "../../core/ledger.ts";
import { draft } from "../../core/steps/draft.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actingPerson, actStep } from "../people/acting.ts";

/** Acts of people on files of the machine, of which the database has no row. */
export type MachineAct = Extract<EntryKind, "login.added" | "login.ended" | "workspace.added" | "workspace.removed">;

/** Records what a person is about to do on this machine. It is recorded first: what cannot be recorded is not done. */
export function recordMachineAct(
  deps: Deps,
  kind: MachineAct,
  { by, assurance }: Acting,
  body: JsonObject,
): Promise<{ ok: true; value: undefined } | Refused> {
  return actStep(deps, async (_, inForce): Promise<Step<undefined>> => {
    const acting = actingPerson(inForce, by);
    if ("code" in acting) return acting;
    const entry = draft(deps.mint, {
      kind,
      actor: `person:${by}`,
      subject: { person: by },
      body: { ...body, assurance },
    });
    return { ok: true, pieces: [{ entries: [entry] }], value: undefined };
  });
}
