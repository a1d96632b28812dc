import { CODES, type Code } from "../core/codes.ts";
import { EFFECT_CLASSES } from "../core/effect.ts";
import { ENTRY_KINDS } from "../core/ledger.ts";
import { say } from "../core/messages/message.ts";
import { ASSURANCES } from "../core/policy.ts";
import type { Receipt } from "../core/receipt.ts";
import { STEP_STATES } from "../core/standing/plan.ts";
import { TIERS } from "../core/tier.ts";
import type { JsonObject } from "../core/values/json.ts";
import { STATES } from "../service/approvals.ts";
import { badInput } from "../service/refusal.ts";
import {
  anyText,
  choice,
  flag,
  json,
  jsonObject,
  type Keys,
  kindOf,
  listOf,
  maybe,
  type ObjectShape,
  oneOf,
  open,
  type Shape,
  shapeOf,
} from "../service/shape.ts";

// The responses. They describe what clients may rely on, and the compiler compares what the verbs return with it. Responses
// may have more keys.

function number(schema: JsonObject): Shape<number> {
  return shapeOf(schema, (value, path) => {
    if (typeof value === "number") return value;
    throw badInput(path, say("refusal.not_a_number", { kind: kindOf(value) }), say("hint.give_a_number"));
  });
}

export const texts = listOf(anyText);
export const ms = number({ type: "integer", description: "Milliseconds since 1970." });
export const count = number({ type: "integer", minimum: 0 });
const amount = number({ type: "number" });
const code = oneOf(Object.keys(CODES) as Code[]);
const tier = oneOf(TIERS);
export const effectClass = oneOf(EFFECT_CLASSES);
const outcome = oneOf(["run", "pending", "not_executed", "denied", "delegated"]);
/** An object that may have more keys. */
export const someObject: Shape<object> = jsonObject;

/** A shape with a name in the OpenAPI document. */
type NamedShape<K> = ObjectShape<K> & { readonly name: string; readonly definition: JsonObject };

function named<K extends Keys>(name: string, keys: K): NamedShape<K> {
  const shape = open(keys);
  return { ...shape, name, definition: shape.schema, schema: { $ref: `#/components/schemas/${name}` } };
}

const FAILED = open({ code, message: anyText, hint: anyText });
export const PROBLEM = named("Problem", { error: FAILED });

const DECISION = open({
  tier,
  outcome,
  code: maybe(code),
  because: texts,
  rules: texts,
  grant: maybe(anyText),
  box: maybe(someObject),
  policyVersion: anyText,
  needsHuman: flag,
});

const REPLIED = open({ by: anyText, text: anyText, atMs: ms });

export const RECEIPT = named("Receipt", {
  id: anyText,
  callId: anyText,
  decision: DECISION,
  outcome,
  code: maybe(code),
  reason: maybe(anyText),
  digest: anyText,
  approvalId: maybe(anyText),
  executionId: maybe(anyText),
  attempt: maybe(anyText),
  result: maybe(json),
  error: maybe(anyText),
  edited: maybe(open({ from: anyText, to: anyText, args: jsonObject })),
  replies: maybe(listOf(REPLIED)),
  newReplies: maybe(count),
  approvedMeanwhile: maybe(texts),
  ledgerIndex: maybe(count),
  notes: maybe(texts),
} satisfies { readonly [Key in keyof Receipt]-?: Shape<unknown> });

const REVIEWED = open({
  by: anyText,
  verdict: oneOf(["approve", "deny"]),
  digest: anyText,
  note: anyText,
  atMs: ms,
  bulk: flag,
  assurance: oneOf(ASSURANCES),
});

export const APPROVAL = named("Approval", {
  id: anyText,
  call: anyText,
  agent: anyText,
  session: maybe(anyText),
  tool: anyText,
  class: effectClass,
  action: anyText,
  tier,
  digest: anyText,
  state: oneOf(STATES),
  needsHuman: flag,
  openedMs: ms,
  answerByMs: ms,
  quorum: count,
  approved: maybe(count),
  runBy: oneOf(["caller", "leeway"]),
  says: maybe(anyText),
  reviews: listOf(REVIEWED),
  replies: maybe(listOf(REPLIED)),
  handed: maybe(listOf(open({ by: anyText, to: anyText, note: anyText, atMs: ms }))),
  snoozed: maybe(listOf(open({ by: anyText, untilMs: ms }))),
});

export const GRANT = named("Grant", {
  id: anyText,
  subject: someObject,
  covers: someObject,
  tier,
  grantedBy: someObject,
  because: anyText,
  createdMs: ms,
  untilMs: maybe(ms),
  usesMax: maybe(count),
  state: oneOf(["live", "revoked", "expired"]),
});

export const HELD_GRANT = named("HeldGrant", { grant: GRANT, used: count });

export const DECLARATION = named("Declaration", {
  id: anyText,
  about: choice("of", {
    tool: { tool: anyText, definition: maybe(anyText) },
    server: { server: anyText },
  }),
  agent: maybe(anyText),
  class: effectClass,
  because: anyText,
  declaredBy: anyText,
  fromApproval: maybe(anyText),
  createdMs: ms,
  state: oneOf(["live", "forgotten"]),
});

export const AGENT = named("Agent", { name: anyText, owner: maybe(anyText), registeredMs: ms });

export const PERSON = named("Person", {
  name: anyText,
  admin: flag,
  auditor: flag,
  groups: texts,
  addedMs: ms,
  state: oneOf(["active", "removed"]),
});

export const TOKEN = named("Token", {
  id: anyText,
  holder: open({
    agent: maybe(anyText),
    person: maybe(anyText),
    can: maybe(oneOf(["read", "approve", "sign-in", "join", "name-requesters"])),
  }),
  createdMs: ms,
  by: anyText,
  untilMs: maybe(ms),
  usedMs: maybe(ms),
  state: oneOf(["live", "used", "revoked"]),
});

export const PAUSE = named("Pause", {
  id: anyText,
  scope: someObject,
  because: anyText,
  by: anyText,
  setMs: ms,
  state: oneOf(["set", "lifted"]),
});

export const NOTICE = named("Notice", {
  id: anyText,
  kind: anyText,
  to: anyText,
  title: anyText,
  text: anyText,
  ref: anyText,
  state: anyText,
  createdMs: ms,
  readMs: maybe(ms),
});

export const LIMIT = named("Limit", {
  name: anyText,
  max: amount,
  by: oneOf(["agent", "session", "tool", "workspace"]),
  // biome-ignore lint/suspicious/noThenProperty: the word of the policy file; a schema is never awaited
  then: tier,
  source: anyText,
  per: anyText,
  sum: maybe(anyText),
  fills: listOf(open({ name: anyText, used: amount })),
});

export const HASH_OR_NULL: Shape<string | null> = shapeOf({ type: ["string", "null"] }, (value, path, source) =>
  value === null ? value : anyText.read(value, path, source),
);

export const ENTRY = named("Entry", {
  index: count,
  atMs: ms,
  kind: oneOf(ENTRY_KINDS),
  actor: anyText,
  subject: someObject,
  bodyHash: anyText,
  previous: HASH_OR_NULL,
  hash: anyText,
  body: maybe(open({ salt: anyText, json: jsonObject })),
});

export const EXECUTION = named("Execution", {
  id: anyText,
  call: anyText,
  agent: anyText,
  tool: anyText,
  class: effectClass,
  tier,
  digest: anyText,
  state: oneOf(["ready", "claimed", "handed", "succeeded", "failed", "unknown", "void"]),
  attempts: count,
});

export const CLAIMED_CALL = named("ClaimedCall", {
  executionId: anyText,
  attempt: anyText,
  leaseUntilMs: ms,
  tool: anyText,
  args: jsonObject,
});

export const CHECKED = named("Checked", { decision: DECISION, effect: someObject, digest: anyText });

const PLANNED_CALL = open({
  is: oneOf(STEP_STATES),
  digest: anyText,
  decision: DECISION,
  allows: maybe(anyText),
  changedBy: maybe(count),
});

export const PLAN_RECEIPT = named("PlanReceipt", { steps: listOf(PLANNED_CALL), receipt: maybe(RECEIPT) });

export const PROMOTION = named("Promotion", {
  id: anyText,
  kind: oneOf(["promote", "demote"]),
  agent: anyText,
  class: maybe(effectClass),
  tier,
  because: anyText,
  by: anyText,
  atMs: ms,
  untilMs: maybe(ms),
});

export const POLICY_IN_FORCE = named("PolicyInForce", {
  version: anyText,
  layers: listOf(someObject),
  noPolicy: maybe(anyText),
  broken: listOf(open({ path: anyText, why: anyText })),
  places: texts,
});

/** One of several answers sent together: the question after the answer, or why the answer does not count. */
export const ANSWERED = open({ id: anyText, approval: maybe(APPROVAL), error: maybe(FAILED) });

/** All shapes with a name in the OpenAPI document. */
export const NAMED: readonly { name: string; definition: JsonObject }[] = [
  PROBLEM,
  RECEIPT,
  APPROVAL,
  GRANT,
  HELD_GRANT,
  DECLARATION,
  AGENT,
  PERSON,
  TOKEN,
  PAUSE,
  NOTICE,
  LIMIT,
  ENTRY,
  EXECUTION,
  CLAIMED_CALL,
  CHECKED,
  PLAN_RECEIPT,
  PROMOTION,
  POLICY_IN_FORCE,
];
