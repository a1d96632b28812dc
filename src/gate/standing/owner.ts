import type { AgentName, PersonName } from "../../core/ids.ts";
import { recordedOwner } from "../../core/people.ts";
import type { Versioned } from "../../core/rows.ts";
import type { Asker } from "../../core/steps/pending.ts";
import type { Circle } from "../../core/steps/quorum.ts";
import type { Deps } from "../deps.ts";
import { circleOf, type InForce } from "./standing.ts";

// Agents come and go by themselves, many at once, and no decision depends on their rows: they are read when somebody
// has to answer for one, so that a first call of one agent never makes another agent's decision stale.

export function agentAt(deps: Deps, name: AgentName): Promise<Versioned<"agents"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "agents", id: name });
}

/** Whom the outermost file names, else who was recorded with the agent. */
export async function ownerOf(deps: Deps, inForce: InForce, agent: AgentName): Promise<PersonName | undefined> {
  return inForce.owners.get(agent) ?? recordedOwner((await agentAt(deps, agent))?.row, inForce.rows.people);
}

/** Who may answer for this agent, or for the one whose sub-agent it is, and who is told, as of now. */
export async function circleFor(deps: Deps, inForce: InForce, { agent, root = agent }: Asker): Promise<Circle> {
  return circleOf(inForce, await ownerOf(deps, inForce, root), deps.channels.keys());
}
