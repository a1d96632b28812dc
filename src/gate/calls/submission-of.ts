import type { digestOf, ToolCall } from "../../core/call.ts";
import { wordOn } from "../../core/classify/declared.ts";
import type { Decision } from "../../core/decision.ts";
import { classOf, type Effect } from "../../core/effect.ts";
import type { Grant } from "../../core/grant.ts";
import type { PersonName } from "../../core/ids.ts";
import { redactText } from "../../core/masking/redact.ts";
import type { Agent } from "../../core/people.ts";
import { secretOf } from "../../core/secret.ts";
import { boundedBy } from "../../core/steps/granting.ts";
import type { Submission } from "../../core/steps/submission-input.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { CallbackReply, Deps } from "../deps.ts";
import { circleOf, type InForce } from "../standing/standing.ts";
import { type Counted, declaredIn } from "./judging.ts";
import type { Manner } from "./manner.ts";

type Decided = {
  effect: Effect;
  inForce: InForce;
  counted: Counted;
  /** Who owns the agent that stands for the call. */
  owner: PersonName | undefined;
  /** The agent has never asked before. */
  isNew: boolean;
  open: { openAlready: number; askedLately: number };
  made: { decision: Decision; inputs?: JsonObject };
  nowMs: number;
};

/** Everything that planning the Change needs, taken from the world once. */
export function submissionOf(deps: Deps, sent: Sent, d: Decided): Submission {
  const { call, manner } = sent;
  const { decision, inputs } = d.made;
  const runner = deps.runners.get(call.tool);
  const later = decision.outcome === "not_executed" || decision.code === "LEEWAY_NEEDS_HUMAN";
  const runBy = runner !== undefined && (later || manner.runBy === "leeway") ? "leeway" : "caller";
  const declared = wordOn(declaredIn(deps, d.inForce), call.tool).says;
  const submission: Submission = {
    call,
    digest: sent.digest,
    key: sent.key,
    effect: d.effect,
    decision,
    args: secretOf(sent.argsText),
    runBy,
    idempotent: runner?.idempotent ?? declared?.idempotent ?? false,
    claimer: deps.owner,
    handed: manner.handed,
    delegates: manner.delegates === true,
    editable: runBy === "leeway" || !manner.handed,
    class: classOf(d.effect),
    circle: circleOf(d.inForce, d.owner, deps.channels.keys()),
    openAlready: d.open.openAlready,
    askedLately: d.open.askedLately,
    firsts: firstsOf(deps, sent, d),
  };
  if (inputs !== undefined) submission.inputs = inputs;
  const usesMax = d.counted.grants.find((grant) => grant.id === decision.grant)?.usesMax;
  if (usesMax !== undefined) submission.grantUsesMax = usesMax;
  return submission;
}

function firstsOf(deps: Deps, sent: Sent, d: Decided): Submission["firsts"] {
  const { inForce, nowMs } = d;
  const { version, layers } = inForce.layers;
  const firsts: Submission["firsts"] = {};
  const grant = callbackGrant(deps, sent, nowMs);
  if (grant !== undefined) firsts.grant = grant;
  if (d.isNew) firsts.agent = newAgent(deps, sent.call, d);
  if (!inForce.isRecorded) {
    firsts.policy = {
      id: version,
      workspace: deps.workspace,
      state: "loaded",
      version,
      path: layers.map((layer) => layer.policy.source).join(" + "),
      text: textsOf(deps, inForce),
      atMs: nowMs,
    };
  }
  return firsts;
}

/** The first call registers the agent, owned like the one it is a sub-agent of, else by who ran `init` or the first admin. */
function newAgent(deps: Deps, call: ToolCall, { inForce, owner: known, nowMs }: Decided): Agent {
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
    const accepted = inForce.rows.policies.find((row) => row.version === policy.version);
    const found = files.find((file) => file.loaded.ok && file.loaded.policy.version === policy.version);
    return { path: policy.source, version: policy.version, text: accepted?.text ?? found?.text ?? "" };
  });
  return JSON.stringify(layers);
}

/** A callback's yes may come with a grant, bounded like any other and named as the callback's. */
function callbackGrant(deps: Deps, { call, reply }: Sent, nowMs: number): Grant | undefined {
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

/** What stays the same however often a submission has to start over. */
export type Sent = {
  call: ToolCall;
  manner: Manner;
  digest: ReturnType<typeof digestOf>;
  key: string;
  argsText: string;
  tooLarge: boolean;
  /** What is remembered was tried, and did not hold: now the store is asked. */
  looks?: true;
  /** Asked once: a program's callback may have effects of its own. */
  reply?: { given: CallbackReply | undefined };
};
