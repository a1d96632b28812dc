import { isOpen } from "../../core/approval.ts";
import { isGateOnly } from "../../core/box.ts";
import { ARGS_BYTES_MAX, callKeyOf, digestOf, rootOf, type ToolCall, tooLarge } from "../../core/call.ts";
import { wordOn } from "../../core/classify/known-tool.ts";
import { refused } from "../../core/codes.ts";
import type { Decision } from "../../core/decision.ts";
import { classOf, type Effect } from "../../core/effect.ts";
import type { PersonName } from "../../core/ids.ts";
import { redactText } from "../../core/masking/redact.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { type Agent, recordedOwner } from "../../core/people.ts";
import type { Receipt } from "../../core/receipt.ts";
import { inputsOf } from "../../core/record/replay.ts";
import type { Seen } from "../../core/rows/rows.ts";
import { secretOf } from "../../core/secret.ts";
import type { Grant } from "../../core/standing/grant.ts";
import { askedCounter, openCounter } from "../../core/steps/pending.ts";
import { recall, type Undecided } from "../../core/steps/recall.ts";
import { boundedBy } from "../../core/steps/standing/granting.ts";
import { opens, outright, planSubmission } from "../../core/steps/submission.ts";
import type { Submission } from "../../core/steps/submission-input.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { StoreUnavailable } from "../../ports.ts";
import { againAfter, busy, commitAgain, patience, type RetryReason } from "../commit.ts";
import type { CallbackGrant, CallbackReply, Deps } from "../deps.ts";
import { sealGuesses } from "../record/guesses.ts";
import { ownerOf } from "../standing/owner.ts";
import { circleOf, type InForce } from "../standing/standing.ts";
import { clockNotes, timeKnown, timeNow } from "../time/clock.ts";
import {
  boxesOf,
  type CallerOptions,
  type CountersToRead,
  countersFor,
  DEFAULT_CALLER,
  declaredIn,
  effectOf,
  judge,
  replyFor,
} from "./judging.ts";
import {
  answerRecalled,
  refusalAfter,
  settledReceipt,
  tookBack,
  unrecorded,
  whereItLed,
  wroteExpiry,
  wroteJoining,
  wroteReopening,
} from "./recalled-answer.ts";

/** Decides one call and records it. */
export async function submit(deps: Deps, call: ToolCall, caller: CallerOptions = DEFAULT_CALLER): Promise<Receipt> {
  if (deps.observers === undefined) return decideAndRecord(deps, call, caller);
  const startMs = performance.now();
  const receipt = await decideAndRecord(deps, call, caller);
  const ms = performance.now() - startMs;
  for (const observer of deps.observers) observer.decided?.(call, receipt, ms);
  return receipt;
}

/** While deciding, only this function catches errors, and an error becomes a denial. */
async function decideAndRecord(deps: Deps, call: ToolCall, caller: CallerOptions): Promise<Receipt> {
  try {
    if (call.agent === "" || call.tool === "" || call.callId === "") {
      return unrecorded(deps, call, refused("LEEWAY_BAD_CALL", say("refusal.empty_names"), say("hint.name_them")));
    }
    const named = secretName(call);
    if (named !== undefined) return namedLikeSecret(deps, call, named);
    const large = tooLarge(call);
    const text = canonical(call.args);
    const sent: SubmittedCall = {
      call,
      caller,
      digest: digestOf(call, text),
      key: callKeyOf(call),
      argsText: large ? "{}" : text,
      tooLarge: large,
    };
    const isOver = patience();
    for (;;) {
      const receipt = await attempt(deps, sent);
      if (typeof receipt !== "string") {
        const notes = clockNotes(deps);
        return notes.length === 0 ? receipt : { ...receipt, notes };
      }
      if (!isOver(receipt)) continue;
      return unrecorded(deps, call, busy());
    }
  } catch (error) {
    deps.standing.forget();
    return unrecorded(deps, call, refusalAfter(error));
  }
}

const plainNames = new Set<string>();
const PLAIN_NAMES_MAX = 1_000;

/** Which name of the call looks like a secret. Rows and entries are found by these names, so they cannot be masked. */
function secretName(call: ToolCall): Message | undefined {
  if (isSecretName(call.agent)) return say("name.agent");
  if (isSecretName(call.tool)) return say("name.tool");
  if (isSecretName(call.session)) return say("name.session");
  if (isSecretName(call.run)) return say("name.run");
  if (isSecretName(call.cwd)) return say("name.working_folder");
  if (isSecretName(call.requestedBy)) return say("name.requester");
  if (call.chain.some(isSecretName)) return say("name.agent_above");
  // These ids are new in each call, so their result is not kept.
  if (redactText(call.callId) !== call.callId) return say("name.call_id");
  if (redactText(call.traceId) !== call.traceId) return say("name.trace");
  return call.replayOf !== undefined && redactText(call.replayOf) !== call.replayOf ? say("name.repeats") : undefined;
}

/** Names that are no secrets are kept, because most calls have the same few names. */
function isSecretName(name: string | undefined): boolean {
  if (name === undefined || plainNames.has(name)) return false;
  if (redactText(name) !== name) return true;
  if (plainNames.size >= PLAIN_NAMES_MAX) plainNames.clear();
  plainNames.add(name);
  return false;
}

/** Paths are stored unmasked, to be compared before the call runs. The words of a command are stored in any case. */
function hasSecretPath({ parts }: Effect): boolean {
  let isFound = false;
  for (const { targets } of parts) {
    for (const one of targets) {
      if (one.kind === "command") return false;
      isFound ||= one.kind === "path" && redactText(one.path) !== one.path;
    }
  }
  return isFound;
}

function namedLikeSecret(deps: Deps, call: ToolCall, what: Message): Receipt {
  const why = say("refusal.name_is_secret", { what });
  return unrecorded(deps, call, refused("LEEWAY_BAD_CALL", why, say("hint.call_otherwise")));
}

/** One read, one decision, one Change; or why the call must be decided again, if another process changed something first. */
async function attempt(deps: Deps, sent: SubmittedCall): Promise<Receipt | RetryReason> {
  const { call, digest } = sent;
  // Values that are known are used without `await`, because waiting costs more than deciding a call.
  const nowMs = timeKnown(deps) ?? (await timeNow(deps));
  const inForce = deps.standing.known() ?? (await deps.standing.current());
  const effect = effectOf(deps, call, inForce);
  if (hasSecretPath(effect)) return namedLikeSecret(deps, call, say("name.file"));
  const counted = countersFor(call, effect, inForce, sent.caller.scopes, nowMs);
  // If the agent had nothing waiting, the first try reads nothing: the Change proves that nothing waits.
  const isRemembered = sent.isRead !== true && counted.names.length === 0;
  const known = isRemembered ? deps.remembered.seenOf(call.agent, inForce.rows.epoch) : undefined;
  sent.isRead = true;
  const seen = known ?? (await seenOf(deps, sent, counted, nowMs));
  if (seen.epoch !== inForce.rows.epoch) {
    await deps.standing.current();
    return "turned";
  }
  // A call that was allowed to run keeps its execution forever. Without it, the same call would run a second time.
  if (seen.call?.row.executionId !== undefined && seen.execution === undefined) throw new StoreUnavailable(RIGHT_GONE);
  if (await tookBack(deps, seen.execution, nowMs)) return "stale";
  const { live } = seen;
  if (live !== undefined && !isOpen(live.row, nowMs) && (await wroteExpiry(deps, live, inForce, nowMs))) return "stale";
  const found = recall(seen, digest, nowMs);
  if (found.is === "pending" && (await wroteJoining(deps, call, found.approval, nowMs))) return "stale";
  if (found.is !== "undecided") return (await answerRecalled(deps, call, seen, found, nowMs)) ?? "stale";
  const recalled = found.permit === undefined ? found : await whereItLed(deps, found, found.permit, seen, effect);
  return decideNew(deps, sent, { effect, inForce, counted, seen, recalled, nowMs });
}

/** Decides a call that has no answer yet, and commits the decision. */
async function decideNew(deps: Deps, sent: SubmittedCall, known: DecisionInputs): Promise<Receipt | RetryReason> {
  const { call } = sent;
  const { effect, inForce, counted, seen, recalled, nowMs } = known;
  if (deps.callback !== undefined && !sent.tooLarge && sent.reply === undefined) {
    const reply = await replyFor(deps, call, effect, judgedBy(sent, known), nowMs);
    if (reply !== undefined) sent.reply = reply;
  }
  const made = decided(deps, sent, known);
  const { permit } = recalled;
  if (permit !== undefined && (await wroteReopening(deps, call, { permit, ...made, inForce, nowMs }))) return "stale";
  const open = opens(made.decision) ? await openOf(deps, call, nowMs) : NOTHING_OPEN;
  // The owner of an agent without agents above it is known from what was read about the call.
  const owner =
    call.chain.length === 0
      ? (inForce.owners.get(call.agent) ?? recordedOwner(seen.agent, inForce.rows.people))
      : await ownerOf(deps, inForce, rootOf(call));
  const isNew = seen.agent === undefined;
  const submission = submissionOf(deps, sent, { effect, inForce, counted, owner, isNew, open, made, nowMs });
  const { change, receipt, ran, born } = planSubmission(submission, seen, recalled, deps.mint, nowMs);
  const committed = await commitAgain(deps.store, change).catch((error) => {
    if (!sent.caller.door.hands) deps.remembered.refusedStart(receipt);
    throw error;
  });
  if (!committed.ok) {
    deps.remembered.forget(call.agent);
    return againAfter(committed.stale);
  }
  if (born !== undefined) deps.remembered.started(born);
  receipt.ledgerIndex = committed.firstIndex + change.entries.findIndex((entry) => entry.kind === "call.decided");
  return ran === undefined ? receipt : settledReceipt(receipt, ran);
}

const RIGHT_GONE = refused("LEEWAY_TAMPERED", say("refusal.right_gone"), say("hint.verify_or_new_id"));

async function seenOf(
  deps: Deps,
  { call, digest, key }: SubmittedCall,
  counted: CountersToRead,
  nowMs: number,
): Promise<Seen> {
  const seen = await deps.store.read({
    ask: "submission",
    workspace: deps.workspace,
    callKey: key,
    agent: call.agent,
    digest,
    counters: counted.names,
    nowMs,
  });
  deps.remembered.saw(seen);
  return seen;
}

const NOTHING_OPEN = { openAlready: 0, askedLately: 0 };

/** How many questions the agent of this call has open, including those of its sub-agents. */
async function openOf({ store, workspace }: Deps, call: ToolCall, nowMs: number) {
  const asker = { agent: rootOf(call) };
  const counters = [openCounter(asker), askedCounter(asker, nowMs)];
  const [openAlready = 0, askedLately = 0] = await store.read({ ask: "counters", workspace, counters, nowMs });
  return { openAlready, askedLately };
}

type DecisionInputs = {
  effect: Effect;
  inForce: InForce;
  counted: CountersToRead;
  seen: Seen;
  recalled: Undecided;
  nowMs: number;
};

function decided(deps: Deps, sent: SubmittedCall, known: DecisionInputs): { decision: Decision; inputs?: JsonObject } {
  const { effect, inForce, nowMs } = known;
  if (sent.tooLarge) {
    const because = say("reason.too_large", { bytes: ARGS_BYTES_MAX });
    return { decision: outright("LEEWAY_TOO_LARGE", because, inForce.layers.version) };
  }
  const { decision, standing } = judge(deps, sent.call, effect, judgedBy(sent, known), nowMs);
  return { decision, inputs: inputsOf(sent.call, standing, decision, nowMs) };
}

function judgedBy(sent: SubmittedCall, { inForce, counted, seen, recalled }: DecisionInputs) {
  const right = (recalled.permit ?? recalled.ran)?.row;
  return {
    inForce,
    caller: sent.caller,
    counted,
    sums: seen.counters,
    reply: sent.reply?.given,
    permit: right && { executionId: right.id, approvedInBulk: right.approvedInBulk },
  };
}

type PlanInputs = {
  effect: Effect;
  inForce: InForce;
  counted: CountersToRead;
  /** The owner of the agent that is responsible for the call. */
  owner: PersonName | undefined;
  /** This is the first call of the agent. */
  isNew: boolean;
  open: { openAlready: number; askedLately: number };
  made: { decision: Decision; inputs?: JsonObject };
  nowMs: number;
};

/** Everything that is needed to plan the Change. */
export function submissionOf(deps: Deps, sent: SubmittedCall, d: PlanInputs): Submission {
  const { call, caller } = sent;
  const { decision, inputs } = d.made;
  const runner = deps.runners.get(call.tool);
  const later = decision.outcome === "not_executed" || decision.code === "LEEWAY_NEEDS_HUMAN";
  const runBy = runner !== undefined && (later || caller.runBy === "leeway") ? "leeway" : "caller";
  const submission: Submission = {
    call,
    digest: sent.digest,
    key: sent.key,
    effect: sealGuesses(deps, d.effect, sent.digest),
    decision,
    args: secretOf(sent.argsText),
    runBy,
    idempotent: runner?.idempotent ?? wordOn(declaredIn(deps, d.inForce), call.tool).says?.idempotent ?? false,
    claimer: deps.owner,
    handed: caller.door.hands,
    startsLater: caller.door.starts === "later" && decision.box !== undefined,
    delegates: caller.door.delegates,
    editable: caller.plan === undefined && !isGateOnly(call.tool) && (runBy === "leeway" || caller.door.edits),
    class: classOf(d.effect),
    circle: circleOf(d.inForce, { agent: call.chain[0] ?? call.agent, owner: d.owner }, deps.channels.keys()),
    openAlready: d.open.openAlready,
    askedLately: d.open.askedLately,
    firsts: firstsOf(deps, sent, d),
  };
  if (inputs !== undefined) submission.inputs = inputs;
  if (caller.plan !== undefined) submission.plan = caller.plan;
  if (caller.isTold === true) submission.isTold = true;
  const boxes = boxesOf(deps, call, caller);
  if (boxes !== undefined) submission.boxes = boxes;
  const usesMax = d.counted.grants.find((grant) => grant.id === decision.grant)?.usesMax;
  if (usesMax !== undefined) submission.grantUsesMax = usesMax;
  return submission;
}

function firstsOf(deps: Deps, sent: SubmittedCall, d: PlanInputs): Submission["firsts"] {
  const { inForce, nowMs } = d;
  const { version, layers } = inForce.layers;
  const firsts: Submission["firsts"] = {};
  const reply = sent.reply?.given;
  if (deps.callback !== undefined && reply?.answer === "allow" && reply.grant !== undefined) {
    firsts.grant = callbackGrant(deps, deps.callback.name, sent.call, reply.grant, nowMs);
  }
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

/** The first call registers the agent. Its owner is the owner of the agent above it, else who ran `init` or the first admin. */
function newAgent(deps: Deps, call: ToolCall, { inForce, owner: known, nowMs }: PlanInputs): Agent {
  const admins = inForce.rows.people.filter((person) => person.admin && person.state === "active");
  const owner = inForce.owners.get(call.agent) ?? known ?? admins.sort((a, b) => a.addedMs - b.addedMs)[0]?.name;
  return {
    name: call.agent,
    workspace: deps.workspace,
    registeredMs: nowMs,
    ...(owner === undefined ? {} : { owner }),
  };
}

/** The texts of the policy files, so that a decision can be repeated after the files are gone. */
function textsOf(deps: Deps, inForce: InForce): string {
  const { managed, files } = deps.policies.current();
  const all = managed === undefined ? files : [managed, ...files];
  const layers = inForce.layers.layers.map(({ policy }) => {
    const accepted = inForce.rows.policies.find((row) => row.version === policy.version);
    const found = all.find((file) => file.loaded.ok && file.loaded.policy.version === policy.version);
    return { path: policy.source, version: policy.version, text: accepted?.text ?? found?.text ?? "" };
  });
  return JSON.stringify(layers);
}

/** An approval by the program's callback may contain a grant. It has the same limits as other grants, and names the callback. */
function callbackGrant(deps: Deps, callback: string, call: ToolCall, given: CallbackGrant, nowMs: number): Grant {
  const { covers, session, untilMs, uses } = given;
  return {
    id: deps.mint.next("grt"),
    workspace: deps.workspace,
    subject: {
      agent: call.agent,
      ...(session === true && call.session !== undefined ? { session: call.session } : {}),
    },
    covers,
    tier: "auto",
    grantedBy: { callback },
    because: redactText(given.because),
    createdMs: nowMs,
    ...boundedBy(
      { ...(untilMs === undefined ? {} : { untilMs }), ...(uses === undefined ? {} : { usesMax: uses }) },
      covers,
      nowMs,
    ),
    state: "live",
  };
}

/** What stays the same if the submission has to start over. */
export type SubmittedCall = {
  call: ToolCall;
  caller: CallerOptions;
  digest: ReturnType<typeof digestOf>;
  key: string;
  argsText: string;
  tooLarge: boolean;
  /** One try was made, so the next one reads the store. */
  isRead?: true;
  /** The answer of the program's callback, which is asked once, because it may have side effects. */
  reply?: { given: CallbackReply | undefined };
};
