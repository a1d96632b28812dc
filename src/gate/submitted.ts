import type { ToolCall } from "../core/call.ts";
import { wordOn } from "../core/classify/declared.ts";
import type { Decision } from "../core/decision.ts";
import { EFFECT_CLASSES, type Effect, type EffectClass } from "../core/effect.ts";
import type { Grant } from "../core/grant.ts";
import type { PersonName } from "../core/ids.ts";
import type { PolicyRow } from "../core/rows.ts";
import { redactText } from "../core/show/redact.ts";
import { boundedBy } from "../core/steps/granting.ts";
import type { Submission } from "../core/steps/submission.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { CallbackReply, Deps } from "./deps.ts";
import { type Counted, declaredIn } from "./judging.ts";
import { circleOf, type InForce } from "./standing.ts";
import type { Manner } from "./submit.ts";

type Decided = {
  call: ToolCall;
  manner: Manner;
  digest: Submission["digest"];
  key: string;
  argsText: string;
  tooLarge: boolean;
  effect: Effect;
  decision: Decision;
  inputs?: JsonObject;
  inForce: InForce;
  counted: Counted;
  /** Who owns the agent that stands for the call. */
  owner: PersonName | undefined;
  /** The agent has never asked before. */
  isNew: boolean;
  openAlready: number;
  askedLately: number;
  reply?: { given: CallbackReply | undefined };
  nowMs: number;
};

/** Everything that planning the Change needs, taken from the world once. */
export function submissionOf(deps: Deps, d: Decided): Submission {
  const { call, decision, inForce, manner } = d;
  const runner = deps.runners.get(call.tool);
  const later = decision.outcome === "not_executed" || decision.code === "LEEWAY_NEEDS_HUMAN";
  const runBy = runner !== undefined && (later || manner.runBy === "leeway") ? "leeway" : "caller";
  const declared = wordOn(declaredIn(deps, inForce), call.tool).says;
  const usesMax = d.counted.grants.find((grant) => grant.id === decision.grant)?.usesMax;
  return {
    call,
    digest: d.digest,
    key: d.key,
    effect: d.effect,
    decision,
    ...(d.inputs === undefined ? {} : { inputs: d.inputs }),
    args: deps.sealer.seal(d.argsText, d.digest),
    runBy,
    idempotent: runner?.idempotent ?? declared?.idempotent ?? false,
    claimer: deps.owner,
    handed: manner.handed,
    delegates: manner.delegates === true,
    editable: runBy === "leeway" || !manner.handed,
    class: classOf(d.effect),
    circle: circleOf(inForce, d.owner, deps.channels.keys()),
    openAlready: d.openAlready,
    askedLately: d.askedLately,
    ...(usesMax === undefined ? {} : { grantUsesMax: usesMax }),
    firsts: firstsOf(deps, d),
  };
}

/** The part to name a call by: the last of the class list, which goes from harmless to grave. */
export function classOf(effect: Effect): EffectClass {
  const [first, ...rest] = effect.parts;
  let gravest = first.class;
  for (const part of rest) {
    if (EFFECT_CLASSES.indexOf(part.class) > EFFECT_CLASSES.indexOf(gravest)) gravest = part.class;
  }
  return gravest;
}

function firstsOf(deps: Deps, d: Decided): Submission["firsts"] {
  const { inForce, nowMs } = d;
  const { version, layers } = inForce.layers;
  const grant = callbackGrant(deps, d);
  const agent = d.isNew ? newAgent(deps, d) : undefined;
  const policy: PolicyRow | undefined = inForce.recorded.has(version)
    ? undefined
    : {
        id: version,
        workspace: deps.workspace,
        state: "loaded",
        version,
        path: layers.map((layer) => layer.policy.source).join(" + "),
        text: textsOf(deps, inForce),
        atMs: nowMs,
      };
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(policy === undefined ? {} : { policy }),
    ...(grant === undefined ? {} : { grant }),
  };
}

/** The first call registers the agent, owned like the one it is a sub-agent of, else by who ran `init` or the first admin. */
function newAgent(deps: Deps, { call, inForce, owner: known, nowMs }: Decided) {
  const admins = inForce.rows.people.filter((person) => person.admin && person.state === "active");
  const owner = inForce.owners.get(call.agent) ?? known ?? admins.sort((a, b) => a.addedMs - b.addedMs)[0]?.name;
  return {
    name: call.agent,
    workspace: deps.workspace,
    registeredMs: nowMs,
    ...(owner === undefined ? {} : { owner }),
  };
}

/** The files' texts, so that a past decision can be decided again when the files are long gone. */
function textsOf(deps: Deps, inForce: InForce): string {
  const { files } = deps.policies.current();
  const layers = inForce.layers.layers.map(({ policy }) => {
    const accepted = inForce.rows.policies.find((row) => row.state === "accepted" && row.version === policy.version);
    const found = files.find((file) => file.loaded.ok && file.loaded.policy.version === policy.version);
    return { path: policy.source, version: policy.version, text: accepted?.text ?? found?.text ?? "" };
  });
  return JSON.stringify(layers);
}

/** A callback's yes may come with a grant, bounded like any other and named as the callback's. */
function callbackGrant(deps: Deps, { call, reply, nowMs }: Decided): Grant | undefined {
  const given = reply?.given;
  if (deps.callback === undefined || given?.answer !== "allow" || given.grant === undefined) return undefined;
  const { covers, session, untilMs, uses } = given.grant;
  const because = redactText(given.grant.because);
  return {
    id: deps.mint.next("grt"),
    workspace: deps.workspace,
    subject: {
      agent: call.agent,
      ...(session === true && call.session !== undefined ? { session: call.session } : {}),
    },
    covers,
    tier: "auto",
    grantedBy: { callback: deps.callback.name },
    because,
    createdMs: nowMs,
    ...boundedBy(
      { ...(untilMs === undefined ? {} : { untilMs }), ...(uses === undefined ? {} : { usesMax: uses }) },
      nowMs,
    ),
    state: "live",
  };
}
