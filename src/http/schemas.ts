import { CODES } from "../core/codes.ts";
import { EFFECT_CLASSES } from "../core/effect.ts";
import { ENTRY_KINDS } from "../core/ledger.ts";
import { ASSURANCES } from "../core/policy.ts";
import { TIERS } from "../core/tier.ts";
import type { JsonObject } from "../core/values/json.ts";

// What comes back, for the document. Only what a client may rely on is promised; there may be more.

const text: JsonObject = { type: "string" };
const ms: JsonObject = { type: "integer", description: "Milliseconds since 1970." };
const yes: JsonObject = { type: "boolean" };
const count: JsonObject = { type: "integer", minimum: 0 };
const texts: JsonObject = { type: "array", items: text };
const code: JsonObject = { type: "string", enum: Object.keys(CODES) };
const tier: JsonObject = { type: "string", enum: [...TIERS] };
const effectClass: JsonObject = { type: "string", enum: [...EFFECT_CLASSES] };
const outcome: JsonObject = { type: "string", enum: ["run", "pending", "not_executed", "denied", "delegated"] };
const oneOf = (...words: readonly string[]): JsonObject => ({ type: "string", enum: words });

/** `name?` may be left out. */
function object(keys: Record<string, JsonObject>): JsonObject {
  const names = Object.keys(keys);
  return {
    type: "object",
    required: names.filter((name) => !name.endsWith("?")),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ""), keys[name] ?? {}])),
  };
}

const decision = object({
  tier,
  outcome,
  "code?": code,
  because: texts,
  rules: texts,
  "grant?": text,
  policyVersion: text,
  needsHuman: yes,
});

const review = object({ by: text, verdict: oneOf("approve", "deny"), digest: text, note: text, atMs: ms, bulk: yes });
const holder = {
  anyOf: [object({ agent: text }), object({ person: text, can: oneOf("read", "approve", "sign-in", "join") })],
};

export const SCHEMAS = {
  Problem: object({ error: object({ code, message: text, hint: text }) }),
  Receipt: object({
    id: text,
    callId: text,
    decision,
    outcome,
    "code?": code,
    "reason?": text,
    digest: text,
    "approvalId?": text,
    "executionId?": text,
    "attempt?": text,
    "result?": {},
    "error?": text,
    "edited?": object({ from: text, to: text, args: { type: "object" } }),
    "approvedMeanwhile?": texts,
    "ledgerIndex?": count,
    "notes?": texts,
  }),
  Approval: object({
    id: text,
    call: text,
    agent: text,
    "session?": text,
    tool: text,
    class: effectClass,
    action: text,
    tier,
    digest: text,
    state: oneOf("pending", "approved", "denied", "expired", "cancelled", "superseded"),
    needsHuman: yes,
    openedMs: ms,
    answerByMs: ms,
    quorum: count,
    "approved?": count,
    runBy: oneOf("caller", "leeway"),
    "says?": text,
    reviews: { type: "array", items: { ...review, properties: { ...props(review), assurance: oneOf(...ASSURANCES) } } },
  }),
  Grant: object({
    id: text,
    subject: { type: "object" },
    covers: { type: "object" },
    tier,
    grantedBy: { type: "object" },
    because: text,
    createdMs: ms,
    "untilMs?": ms,
    "usesMax?": count,
    state: oneOf("live", "revoked", "expired"),
  }),
  HeldGrant: object({ grant: { $ref: "#/components/schemas/Grant" }, used: count }),
  Declaration: object({
    id: text,
    about: {
      anyOf: [
        object({ of: oneOf("tool"), tool: text, "definition?": text }),
        object({ of: oneOf("server"), server: text }),
      ],
    },
    "agent?": text,
    class: effectClass,
    because: text,
    declaredBy: text,
    "fromApproval?": text,
    createdMs: ms,
    state: oneOf("live", "forgotten"),
  }),
  Agent: object({ name: text, "owner?": text, registeredMs: ms }),
  Person: object({
    name: text,
    admin: yes,
    auditor: yes,
    groups: texts,
    addedMs: ms,
    state: oneOf("active", "removed"),
  }),
  Token: object({
    id: text,
    holder,
    createdMs: ms,
    by: text,
    "untilMs?": ms,
    "usedMs?": ms,
    state: oneOf("live", "used", "revoked"),
  }),
  Pause: object({
    id: text,
    scope: { type: "object" },
    because: text,
    by: text,
    setMs: ms,
    state: oneOf("set", "lifted"),
  }),
  Notice: object({
    id: text,
    kind: text,
    to: text,
    title: text,
    text,
    ref: text,
    state: text,
    createdMs: ms,
    "readMs?": ms,
  }),
  Limit: object({
    name: text,
    max: { type: "number" },
    by: oneOf("agent", "session", "tool", "workspace"),
    // biome-ignore lint/suspicious/noThenProperty: the word of the policy file; a schema is never awaited
    then: tier,
    source: text,
    per: text,
    "sum?": text,
    fills: { type: "array", items: object({ name: text, used: { type: "number" } }) },
  }),
  Entry: object({
    index: count,
    atMs: ms,
    kind: { type: "string", enum: [...ENTRY_KINDS] },
    actor: text,
    subject: { type: "object" },
    bodyHash: text,
    previous: { type: ["string", "null"] },
    hash: text,
    "body?": object({ salt: text, json: { type: "object" } }),
  }),
} satisfies Record<string, JsonObject>;

type SchemaName = keyof typeof SCHEMAS;

/** A named thing, an object with lists of them, or text of a kind. */
export type Gives = SchemaName | { readonly [key: string]: readonly [SchemaName] } | `${string}/${string}`;

function props(schema: JsonObject): JsonObject {
  return schema["properties"] as JsonObject;
}

/** What a route answers with when it does what it was asked to. */
export function contentOf(gives: Gives | undefined): JsonObject {
  if (gives === undefined) return { "application/json": { schema: {} } };
  if (typeof gives === "object") {
    const lists = Object.entries(gives).map(([key, [name]]) => [key, { type: "array", items: refTo(name) }] as const);
    const schema = { type: "object", required: lists.map(([key]) => key), properties: Object.fromEntries(lists) };
    return { "application/json": { schema } };
  }
  if (gives.includes("/")) return { [gives]: { schema: { type: "string" } } };
  return { "application/json": { schema: refTo(gives as SchemaName) } };
}

function refTo(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
