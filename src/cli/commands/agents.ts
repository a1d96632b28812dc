import { EFFECT_CLASSES } from "../../core/effect.ts";
import { inOrAgo } from "../../core/show/when.ts";
import { parseTier, TIERS } from "../../core/tier.ts";
import { visible } from "../../core/values/text.ts";
import { trustOf } from "../../gate/record/trust.ts";
import { demote, listAgents, promote, setOwner } from "../../gate/standing/agents.ts";
import { agentText } from "../agent-view.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { AS_OPTION, prove } from "../person.ts";
import { type CommandSpec, first, type Given, needed, oneOf, text } from "../spec.ts";
import { table, tierColour, wrap } from "../table.ts";
import { durationMs } from "../time.ts";
import { pauseScope, resumeScope } from "./pause.ts";

const NAME = ["<agent>", "its name"] as const;

const list: CommandSpec = {
  name: "agents list",
  summary: "every agent that ever made a call",
  examples: ["leeway agents list"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) => {
      const agents = await listAgents(deps);
      given.out.answer(agents, () =>
        agents.length === 0
          ? wrap("No agents yet: one appears with its first call. Try `leeway run -- ls`.", given.out.width)
          : table(
              given.out,
              ["AGENT", "OWNER", "FIRST CALL"],
              agents.map((agent) => [
                visible(agent.name),
                agent.owner ?? "-",
                inOrAgo(agent.registeredMs, deps.clock.nowMs()),
              ]),
            ),
      );
      return 0;
    }),
};

const show: CommandSpec = {
  name: "agents show",
  summary: "an agent: its owner, what was decided about its leeway, its record",
  args: [NAME],
  examples: ["leeway agents show coder"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) => {
      const agent = await agentOf(deps, first(given));
      const { promotions, pauses } = (await deps.standing.current()).rows;
      const own = {
        ...agent,
        promotions: promotions.filter((row) => row.agent === agent.name),
        pauses: pauses.filter(
          (row) => row.state === "set" && row.scope.of === "agent" && row.scope.name === agent.name,
        ),
        record: await trustOf(deps, agent.name),
      };
      given.out.answer(own, () => agentText(given.out, own, deps.clock.nowMs()));
      return 0;
    }),
};

const pause: CommandSpec = {
  name: "agents pause",
  summary: "stop an agent: whatever it asks is denied until it is resumed",
  args: [NAME],
  options: [["--because <text>", "why; the agent is told"], AS_OPTION],
  examples: ["leeway agents pause coder --because 'it loops'"],
  exits: [0, 1, 2, 5],
  act: (given) => withGate(given, (deps) => pauseScope(given, deps, { of: "agent", name: first(given) })),
};

const resume: CommandSpec = {
  name: "agents resume",
  summary: "let a paused agent go on",
  args: [NAME],
  options: [AS_OPTION],
  examples: ["leeway agents resume coder"],
  exits: [0, 1, 2, 5],
  act: (given) => withGate(given, (deps) => resumeScope(given, deps, { of: "agent", name: first(given) })),
};

const MOVE_OPTIONS = [
  ["--tier <tier>", "to which tier"],
  ["--class <class>", "for this class of effect only"],
  ["--for <span>", "until then, as in 7d; left out: until somebody changes it"],
  ["--because <text>", "why"],
  AS_OPTION,
] as const;

const promoteSpec: CommandSpec = {
  name: "agents promote",
  summary: "give an agent a looser tier than the policy does",
  args: [NAME],
  options: MOVE_OPTIONS,
  examples: ["leeway agents promote coder --tier notify --class fs.write --because '142 of 142 approved' --for 7d"],
  exits: [0, 1, 2, 5],
  act: (given) => move(given, "promote"),
};

const demoteSpec: CommandSpec = {
  name: "agents demote",
  summary: "give an agent a stricter tier than the policy does",
  args: [NAME],
  options: MOVE_OPTIONS,
  examples: ["leeway agents demote coder --tier suggest --because 'deleted the wrong folder'"],
  exits: [0, 1, 2, 5],
  act: (given) => move(given, "demote"),
};

const own: CommandSpec = {
  name: "agents own",
  summary: "say who answers for an agent",
  args: [NAME],
  options: [["--owner <person>", "who"], AS_OPTION],
  examples: ["leeway agents own coder --owner ben"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (deps) => {
      const owner = needed(given, "owner", "say who answers for it, as in --owner ben");
      const { name: agent } = await agentOf(deps, first(given));
      const { name } = await prove(given, deps, `make ${owner} the owner of ${agent}`);
      const owned = orFail(await setOwner(deps, { agent, owner, by: name, assurance: "tty" }));
      given.out.answer(owned.value, () => `${visible(agent)} is ${owner}'s agent now`);
      return 0;
    }),
};

export const agents = [list, show, own, pause, resume, promoteSpec, demoteSpec];

const MOVES = { promote, demote };

async function move(given: Given, kind: "promote" | "demote"): Promise<number> {
  const wanted = needed(given, "tier", `one of: ${TIERS.join(", ")}`);
  const tier = parseTier(wanted);
  if (tier === undefined) throw usage(`tier \`${wanted}\` is not known`, `one of: ${TIERS.join(", ")}`);
  const because = needed(given, "because", "say why, for the record");
  const [cls, span] = [text(given, "class"), text(given, "for")];
  const scope = {
    agent: first(given),
    tier,
    because,
    ...(cls === undefined ? {} : { class: oneOf(cls, EFFECT_CLASSES, "class") }),
  };
  const lastsMs = span === undefined ? undefined : durationMs(span);
  return withGate(given, async (deps) => {
    await agentOf(deps, scope.agent);
    const { name } = await prove(given, deps, `${kind} ${scope.agent}`);
    const until = lastsMs === undefined ? {} : { untilMs: deps.clock.nowMs() + lastsMs };
    const moved = orFail(await MOVES[kind](deps, { ...scope, ...until, by: name, assurance: "tty" }));
    given.out.answer(
      moved.value,
      () => `${scope.agent} is at ${tierColour(given.out, tier)}${cls === undefined ? "" : ` for ${cls}`}`,
    );
    return 0;
  });
}

async function agentOf(deps: Opened, name: string) {
  const agent = (await listAgents(deps)).find((row) => row.name === name);
  if (agent !== undefined) return agent;
  throw new Failure(1, `there is no agent called ${visible(name)}`, "`leeway agents list` lists them");
}
