import { EFFECT_CLASSES } from "../../../core/effect.ts";
import { nameText } from "../../../core/letters/name-text.ts";
import type { Agent } from "../../../core/people.ts";
import { inOrAgo } from "../../../core/show/when.ts";
import { parseTier, TIERS } from "../../../core/tier.ts";
import { visible } from "../../../core/values/text.ts";
import { listAgents, setOwner } from "../../../gate/standing/agents.ts";
import { Failure, orFail, usage } from "../../failure.ts";
import { withDatabase } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { AS_OPTION, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, needed, oneOf, text } from "../../spec.ts";
import { table, tierColour, wrap } from "../../terminal/table.ts";
import { durationMs } from "../../terminal/time.ts";
import { agentText } from "../../views/agent-view.ts";
import { pauseScope, resumeScope } from "./pause.ts";

const NAME = ["<agent>", "its name"] as const;

const list: CommandSpec = {
  name: "agents list",
  summary: "list every agent that has made a call",
  examples: ["leeway agents list"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const agents = await gate.agents();
      given.out.answer(agents, () =>
        agents.length === 0
          ? wrap("No agents yet. An agent appears here after its first call. Try `leeway run -- ls`.", given.out.width)
          : table(
              given.out,
              ["AGENT", "OWNER", "FIRST CALL"],
              agents.map((agent) => [
                visible(agent.name),
                agent.owner ?? "-",
                inOrAgo(agent.registeredMs, gate.nowMs()),
              ]),
            ),
      );
      return 0;
    }),
};

const show: CommandSpec = {
  name: "agents show",
  summary: "show an agent: its owner, what people changed about its tiers, its track record",
  args: [NAME],
  examples: ["leeway agents show coder"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const agent = await gate.agent(known(await gate.agents(), first(given)));
      given.out.answer(agent, () => agentText(given.out, agent, gate.nowMs()));
      return 0;
    }),
};

const pause: CommandSpec = {
  name: "agents pause",
  summary: "pause an agent: every call it makes is denied until you resume it",
  args: [NAME],
  options: [["--because <text>", "the reason; the agent reads it"], AS_OPTION],
  examples: ["leeway agents pause coder --because 'it loops'"],
  exits: [0, 1, 2, 5],
  act: (given) => withGate(given, (gate) => pauseScope(given, gate, { of: "agent", name: first(given) })),
};

const resume: CommandSpec = {
  name: "agents resume",
  summary: "resume a paused agent",
  args: [NAME],
  options: [AS_OPTION],
  examples: ["leeway agents resume coder"],
  exits: [0, 1, 2, 5],
  page: "Agents",
  act: (given) => withDatabase(given, (deps) => resumeScope(given, deps, { of: "agent", name: first(given) })),
};

const MOVE_OPTIONS = [
  ["--tier <tier>", "the new tier"],
  ["--class <class>", "for this class of effect only"],
  ["--for <span>", "how long, as in 7d (default: until somebody changes it)"],
  ["--because <text>", "the reason"],
  AS_OPTION,
] as const;

const promoteSpec: CommandSpec = {
  name: "agents promote",
  summary: "give an agent a looser tier than the policy gives it",
  args: [NAME],
  options: MOVE_OPTIONS,
  examples: ["leeway agents promote coder --tier notify --class fs.write --because '142 of 142 approved' --for 7d"],
  exits: [0, 1, 2, 5],
  page: "Agents",
  act: (given) => move(given, "promote"),
};

const demoteSpec: CommandSpec = {
  name: "agents demote",
  summary: "give an agent a stricter tier than the policy gives it",
  args: [NAME],
  options: MOVE_OPTIONS,
  examples: ["leeway agents demote coder --tier suggest --because 'deleted the wrong folder'"],
  exits: [0, 1, 2, 5],
  act: (given) => move(given, "demote"),
};

const own: CommandSpec = {
  name: "agents own",
  summary: "set the owner of an agent: the person who is responsible for it",
  args: [NAME],
  options: [["--owner <person>", "the new owner"], AS_OPTION],
  examples: ["leeway agents own coder --owner ben"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withDatabase(given, async (deps) => {
      const owner = needed(given, "owner", "name the new owner, as in --owner ben");
      const agent = known(await listAgents(deps), first(given));
      const { name } = await prove(given, deps, `make ${owner} the owner of ${nameText(agent)}`);
      const owned = orFail(await setOwner(deps, { agent, owner, by: name, assurance: "tty" }));
      given.out.answer(owned.value, () => `${nameText(agent)} is ${owner}'s agent now`);
      return 0;
    }),
};

export const agents = [list, show, own, pause, resume, promoteSpec, demoteSpec];

async function move(given: CommandInput, kind: "promote" | "demote"): Promise<number> {
  const wanted = needed(given, "tier", `use one of: ${TIERS.join(", ")}`);
  const tier = parseTier(wanted);
  if (tier === undefined) throw usage(`unknown tier \`${wanted}\``, `use one of: ${TIERS.join(", ")}`);
  const because = needed(given, "because", "give a reason for the record");
  const [cls, span] = [text(given, "class"), text(given, "for")];
  const scope = {
    agent: first(given),
    tier,
    because,
    ...(cls === undefined ? {} : { class: oneOf(cls, EFFECT_CLASSES, "class") }),
  };
  const lastsMs = span === undefined ? undefined : durationMs(span);
  return withGate(given, async (gate) => {
    known(await gate.agents(), scope.agent);
    const person = await gate.prove(`${kind} ${nameText(scope.agent)}`);
    const until = lastsMs === undefined ? {} : { untilMs: gate.nowMs() + lastsMs };
    const moved = await person[kind]({ ...scope, ...until });
    given.out.answer(
      moved,
      () =>
        `${nameText(scope.agent)} now has the tier ${tierColour(given.out, tier)}${cls === undefined ? "" : ` for ${cls}`}`,
    );
    return 0;
  });
}

/** The name, if an agent has it. */
function known(agents: readonly Agent[], name: string): string {
  if (agents.some((agent) => agent.name === name)) return name;
  throw new Failure(1, `no agent is named ${nameText(name)}`, "run `leeway agents list` to see all agents");
}
