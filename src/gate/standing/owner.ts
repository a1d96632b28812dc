import type { AgentName, PersonName } from "../../core/ids.ts";
import { recordedOwner } from "../../core/people.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import type { Asker } from "../../core/steps/pending.ts";
import type { Circle } from "../../core/steps/quorum.ts";
import type { Deps } from "../deps.ts";
import { circleOf, type InForce } from "./standing.ts";

// Agents register themselves, many at once, and no decision depends on their rows. A row is read when its owner is needed,
// so that the first call of one agent never makes another agent's decision stale.

export function agentAt(deps: Deps, name: AgentName): Promise<Versioned<"agents"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "agents", id: name });
}

/** The owner that the outermost policy file names, else the recorded one. */
export async function ownerOf(deps: Deps, inForce: InForce, agent: AgentName): Promise<PersonName | undefined> {
  return inForce.owners.get(agent) ?? recordedOwner((await agentAt(deps, agent))?.row, inForce.rows.people);
}

/** Who may answer and who is told about this agent now. For a sub-agent, the agent above it counts. */
export async function circleFor(deps: Deps, inForce: InForce, { agent, root = agent }: Asker): Promise<Circle> {
  return circleOf(inForce, { agent: root, owner: await ownerOf(deps, inForce, root) }, deps.channels.keys());
}
