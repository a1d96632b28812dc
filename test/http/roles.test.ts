import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entry } from "../../src/core/ledger.ts";
import type { Json } from "../../src/core/values/json.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken } from "../../src/gate/people/tokens.ts";
import { apiRoutes } from "../../src/http/api.ts";
import { openapiOf } from "../../src/http/openapi.ts";
import { WEB_ROUTES } from "../../src/web/pages.ts";
import { CAST, type Cast, castOf, cookieOf, type Role } from "./cast.ts";
import { faultsOf, resolved } from "./schema.ts";
import { PASSPHRASE, type Reply, type Served, served, turnedClock } from "./served.ts";

// Who may do what, written independently of the routes. A route that is not in this table fails.

const AGENTS: readonly Role[] = ["the agent", "another agent"];
const READERS: readonly Role[] = [
  "a read token",
  "an approve token",
  "a reviewer",
  "an auditor",
  "an admin",
  "an admin of six minutes ago",
];
const PEOPLE = READERS.filter((role) => role !== "a read token");
const ACTORS = PEOPLE.filter((role) => role !== "an auditor");
const ADMINS = ACTORS.filter((role) => role !== "a reviewer");
const isStale = (role: Role) => role === "an approve token" || role === "an admin of six minutes ago";

const MAY = {
  anybody: CAST,
  agent: AGENTS,
  read: READERS,
  self: PEOPLE,
  act: ACTORS,
  admin: ADMINS,
} satisfies Record<string, readonly Role[]>;

type Row = {
  /** Who may use the route. */
  for: readonly (keyof typeof MAY)[];
  fresh?: true;
  /** Accepted by the route, but refused by the verb, with this status. */
  not?: Partial<Record<Role, number>>;
  /** The input, made new for every cell. */
  given?: (role: Role) => Promise<{ path?: string; body?: unknown }>;
  status?: number;
  /** The entries that the ledger gets if it is allowed. */
  entries?: readonly Entry["kind"][];
};

let on: Served;
let cast: Cast;
const clock = turnedClock();
const READ = { tool: "read_file", args: { path: "a.txt" } };
const PUSH = { tool: "shell", args: { command: "git push" } };
let count = 0;

beforeAll(async () => {
  on = await served({
    clock,
    policy: `version: 1
preset: standard
reviewers: [ana, ben]
approvals: { selfReview: true }
limits:
  - { name: reads, match: { class: fs.read }, max: 100000, per: 1h, by: agent, then: ask }
`,
  });
  cast = await castOf(on, clock);
  for (const role of AGENTS) await on.ask("POST", "/v1/calls", { ...cast[role], body: READ });
});
afterAll(() => on.remove());

/** Many wrong tokens from one address are checked only if they come slowly. */
async function minuteLater(): Promise<void> {
  clock.advance(60_000);
  const fresh = async (name: string) => ({ cookie: await cookieOf(on, name) });
  cast = {
    ...cast,
    "a reviewer": await fresh("ben"),
    "an auditor": await fresh("cleo"),
    "an admin": await fresh("ana"),
  };
}

async function called(call: object) {
  const callId = `c${++count}`;
  // The limit of open questions is not tested here.
  if (count % 10 === 0) await on.ask("POST", "/v1/sessions/s1/end", { ...cast["the agent"], body: {} });
  // Each in a separate folder: the same call asked twice would be one question.
  const body = { ...call, callId, session: "s1", cwd: `/tmp/${count}` };
  return (await on.ask("POST", "/v1/calls", { ...cast["the agent"], body })).body;
}
const asking = () => called(PUSH);
async function approved() {
  const { approvalId, digest, ...call } = await asking();
  const body = { verdict: "approve", digest };
  await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { ...cast["an admin"], body });
  return { approvalId, digest, ...call };
}
async function token(): Promise<string> {
  const made = await addToken(on.deps, { agent: `bot${++count}` }, { by: "ana", assurance: "tty" });
  return made.ok ? made.value.token.id : "";
}
async function newcomer(): Promise<string> {
  const name = `eve${++count}`;
  await addPerson(on.deps, { name, by: "ana", assurance: "tty" });
  return name;
}
const pauses = async (name: string): Promise<string> =>
  (await on.ask("POST", "/v1/pauses", { ...cast["an admin"], body: { of: "agent", name, because: "a test" } })).body.id;
const grant = () => ({ subject: { agent: "coder" }, covers: COVERS, because: "a test", uses: 1 });
const COVERS = { class: "fs.write", targets: [], level: "write" };
const own = { not: { "another agent": 404 } } as const;
const malformed = { status: 400, given: async () => ({ body: { nothing: 1 } }) };
const onlyOwn = { not: { "a reviewer": 403 } } as const;

const API: Record<string, Row> = {
  "POST /v1/calls": {
    for: ["agent"],
    given: async () => ({ body: { ...READ, callId: `c${++count}` } }),
    entries: ["call.decided"],
  },
  "POST /v1/calls/batch": {
    for: ["agent"],
    given: async () => ({ body: { calls: [READ, READ] } }),
    entries: ["call.decided", "call.decided"],
  },
  "POST /v1/calls/check": { for: ["agent"], given: async () => ({ body: READ }) },
  "POST /v1/plans": { for: ["agent"], given: async () => ({ body: { title: "look", calls: [READ] } }) },
  "GET /v1/calls": {
    for: ["agent"],
    ...own,
    status: 202,
    given: async () => ({ path: `/v1/calls?callId=${(await called(READ)).callId}&session=s1` }),
  },
  "GET /v1/calls/:id": {
    for: ["agent", "read"],
    ...own,
    status: 202,
    given: async () => ({ path: `/v1/calls/${(await called(READ)).id}` }),
  },
  "GET /v1/calls/:id/why": {
    for: ["read"],
    given: async () => ({ path: `/v1/calls/${(await called(READ)).id}/why` }),
  },
  "GET /v1/calls/:id/wait": {
    for: ["agent", "read"],
    ...own,
    status: 202,
    given: async () => ({ path: `/v1/calls/${(await asking()).id}/wait?timeout=0` }),
  },
  "POST /v1/calls/:id/claim": {
    for: ["agent"],
    ...own,
    given: async () => ({ path: `/v1/calls/${(await approved()).id}/claim`, body: {} }),
    entries: ["execution.claimed"],
  },
  "POST /v1/calls/:id/renew": {
    for: ["agent"],
    ...own,
    given: async () => {
      const { id, attempt } = await called(READ);
      return { path: `/v1/calls/${id}/renew`, body: { attempt } };
    },
  },
  "POST /v1/calls/:id/release": {
    for: ["agent"],
    ...own,
    given: async () => {
      const { id, attempt } = await called(READ);
      return { path: `/v1/calls/${id}/release`, body: { attempt, why: "it was not started" } };
    },
    entries: ["execution.released"],
  },
  "POST /v1/calls/:id/settle": {
    for: ["agent"],
    ...own,
    given: async () => {
      const { id, attempt } = await called(READ);
      return { path: `/v1/calls/${id}/settle`, body: { attempt, ok: true, result: "done" } };
    },
    entries: ["execution.succeeded"],
  },
  "POST /v1/calls/:id/hand": {
    for: ["agent"],
    ...own,
    given: async () => ({ path: `/v1/calls/${(await approved()).id}/hand`, body: {} }),
    entries: ["execution.handed"],
  },
  "POST /v1/calls/handed": { for: ["agent"], given: async () => ({ body: READ }), entries: ["execution.prompted"] },
  "POST /v1/calls/ended": {
    for: ["agent"],
    given: async (role) => {
      // Each agent reports about its own call.
      const who = role === "another agent" ? role : "the agent";
      const call = { ...READ, callId: `c${++count}` };
      await on.ask("POST", "/v1/calls", { ...cast[who], body: { ...call, door: { hands: true } } });
      return { body: { call, ok: true, result: "done" } };
    },
    entries: ["execution.succeeded"],
  },
  "POST /v1/sessions/:id/end": {
    for: ["agent", "act"],
    ...own,
    given: async () => {
      const session = `ending${++count}`;
      await on.ask("POST", "/v1/calls", { ...cast["the agent"], body: { ...READ, callId: session, session } });
      return { path: `/v1/sessions/${session}/end`, body: {} };
    },
    entries: ["session.ended"],
  },
  "GET /v1/approvals": { for: ["read"] },
  "GET /v1/approvals/:id": {
    for: ["read"],
    given: async () => ({ path: `/v1/approvals/${(await asking()).approvalId}` }),
  },
  "POST /v1/approvals/:id/reviews": {
    for: ["act"],
    given: async () => {
      const { approvalId, digest } = await asking();
      return { path: `/v1/approvals/${approvalId}/reviews`, body: { verdict: "approve", digest } };
    },
    entries: ["approval.reviewed", "approval.approved"],
  },
  "POST /v1/approvals/:id/replies": {
    for: ["act"],
    given: async () => ({ path: `/v1/approvals/${(await asking()).approvalId}/replies`, body: { text: "why now?" } }),
    entries: ["approval.replied"],
  },
  "POST /v1/approvals/:id/handover": {
    for: ["act"],
    // The person to whom a question is handed must be able to answer it, and nobody hands one to themself.
    given: async (role) => {
      const { name } = (await on.ask("GET", "/v1/me", cast[role])).body ?? {};
      const to = name === "ana" ? "ben" : "ana";
      return { path: `/v1/approvals/${(await asking()).approvalId}/handover`, body: { to } };
    },
    entries: ["approval.handed"],
  },
  "POST /v1/approvals/:id/snooze": {
    for: ["act"],
    given: async () => ({ path: `/v1/approvals/${(await asking()).approvalId}/snooze`, body: { until: "5m" } }),
    entries: [],
  },
  "POST /v1/reviews": {
    for: ["act"],
    given: async () => {
      const { approvalId: id, digest } = await asking();
      return { body: { verdict: "approve", items: [{ id, digest }] } };
    },
    entries: ["approval.reviewed", "approval.approved"],
  },
  "POST /v1/approvals/:id/reveal": {
    for: ["act"],
    fresh: true,
    given: async () => ({ path: `/v1/approvals/${(await asking()).approvalId}/reveal`, body: {} }),
    entries: ["secret.revealed"],
  },
  "POST /v1/approvals/:id/cancel": {
    for: ["agent", "act"],
    ...own,
    given: async () => ({ path: `/v1/approvals/${(await asking()).approvalId}/cancel`, body: {} }),
    entries: ["approval.cancelled"],
  },
  "POST /v1/executions/:id/reconcile": {
    for: ["act"],
    fresh: true,
    ...onlyOwn,
    // The result of a successful call cannot be recorded again.
    status: 409,
    given: async () => {
      const { id, attempt, executionId } = await called(READ);
      await on.ask("POST", `/v1/calls/${id}/settle`, { ...cast["the agent"], body: { attempt, ok: true } });
      return { path: `/v1/executions/${executionId}/reconcile`, body: { ok: true, note: "seen" } };
    },
  },
  "GET /v1/grants": { for: ["read"] },
  "POST /v1/grants": {
    for: ["act"],
    fresh: true,
    ...onlyOwn,
    status: 201,
    given: async () => ({ body: grant() }),
    entries: ["grant.created"],
  },
  "DELETE /v1/grants/:id": {
    for: ["act"],
    given: async () => {
      const { body } = await on.ask("POST", "/v1/grants", { ...cast["an admin"], body: grant() });
      return { path: `/v1/grants/${body.id}` };
    },
    entries: ["grant.revoked"],
  },
  "GET /v1/tools": { for: ["read"] },
  "POST /v1/tools": {
    for: ["act"],
    fresh: true,
    ...onlyOwn,
    status: 201,
    given: async () => ({ body: { tool: "get_weather", does: "looks", agent: "coder" } }),
    entries: ["tool.declared"],
  },
  "DELETE /v1/tools/:id": {
    for: ["act"],
    given: async () => {
      const { body } = await on.ask("POST", "/v1/tools", {
        ...cast["an admin"],
        body: { tool: "get_weather", does: "looks" },
      });
      return { path: `/v1/tools/${body.id}` };
    },
    entries: ["tool.forgotten"],
  },
  "GET /v1/agents": { for: ["read"] },
  "GET /v1/agents/:name": { for: ["read"], given: async () => ({ path: "/v1/agents/coder" }) },
  "POST /v1/agents/:name/promote": {
    for: ["act"],
    fresh: true,
    ...onlyOwn,
    given: async () => ({
      path: "/v1/agents/coder/promote",
      body: { tier: "notify", class: "message.send", because: "a test", untilMs: clock.nowMs() + 1000 },
    }),
    entries: ["trust.promoted"],
  },
  "POST /v1/agents/:name/demote": {
    for: ["act"],
    ...onlyOwn,
    given: async () => ({
      path: "/v1/agents/coder/demote",
      body: { tier: "ask", class: "message.send", because: "a test" },
    }),
    entries: ["trust.demoted"],
  },
  "POST /v1/agents/:name/pause": {
    for: ["act"],
    status: 201,
    given: async () => ({ path: "/v1/agents/idle/pause", body: { because: "a test" } }),
    entries: ["pause.set"],
  },
  "GET /v1/limits": { for: ["read"] },
  "GET /v1/sessions": { for: ["read"] },
  "GET /v1/mcp": { for: ["read"] },
  "GET /v1/status": { for: ["read"] },
  "GET /v1/inbox": { for: ["read"] },
  "GET /v1/rows/:id": {
    for: ["read"],
    given: async () => ({ path: `/v1/rows/${(await asking()).approvalId}` }),
  },
  "GET /v1/pauses": { for: ["read"] },
  "POST /v1/pauses": {
    for: ["act"],
    status: 201,
    given: async () => ({ body: { of: "agent", name: "idle", because: "a test" } }),
    entries: ["pause.set"],
  },
  "DELETE /v1/pauses/:id": {
    for: ["act"],
    fresh: true,
    ...onlyOwn,
    given: async () => ({ path: `/v1/pauses/${await pauses("idle")}` }),
    entries: ["pause.lifted"],
  },
  "GET /v1/me": { for: ["read"] },
  "DELETE /v1/sign-ins/:id": {
    for: ["self"],
    not: { "a reviewer": 403, "an auditor": 403 },
    given: async () => {
      const started = await startSignIn(on.deps, "ana", { assurance: "password", browser: "another" });
      return { path: `/v1/sign-ins/${started.ok ? started.value.signIn.id : ""}` };
    },
    entries: ["signin.ended"],
  },
  "GET /v1/people": { for: ["read"] },
  "POST /v1/people": {
    for: ["admin"],
    fresh: true,
    status: 201,
    given: async () => ({ body: { name: `fay${++count}` } }),
    entries: ["person.added"],
  },
  "PUT /v1/people/:name": {
    for: ["admin"],
    fresh: true,
    given: async () => ({ path: `/v1/people/${await newcomer()}`, body: { groups: ["ops"] } }),
    entries: ["person.changed"],
  },
  "DELETE /v1/people/:name": {
    for: ["admin"],
    fresh: true,
    given: async () => ({ path: `/v1/people/${await newcomer()}` }),
    entries: ["person.removed"],
  },
  "PUT /v1/people/:name/passphrase": {
    for: ["self"],
    fresh: true,
    not: { "a reviewer": 403, "an auditor": 403 },
    given: async () => ({ path: `/v1/people/${await newcomer()}/passphrase`, body: { passphrase: PASSPHRASE } }),
    entries: ["person.changed"],
  },
  "POST /v1/people/:name/invitation": {
    for: ["admin"],
    fresh: true,
    status: 201,
    given: async () => ({ path: `/v1/people/${await newcomer()}/invitation` }),
    entries: ["token.added"],
  },
  "GET /v1/groups": { for: ["read"] },
  "GET /v1/notices": { for: ["read"] },
  "POST /v1/notices/:id/read": {
    for: ["self"],
    status: 404,
    given: async () => ({ path: "/v1/notices/ntc_none/read", body: {} }),
  },
  "GET /v1/notices/dead": { for: ["admin"] },
  "POST /v1/notices/:id/retry": {
    for: ["admin"],
    status: 404,
    given: async () => ({ path: "/v1/notices/ntc_none/retry", body: {} }),
  },
  "GET /v1/channels": { for: ["read"] },
  "POST /v1/channels/:kind/test": {
    for: ["admin"],
    status: 404,
    given: async () => ({ path: "/v1/channels/slack/test", body: {} }),
  },
  "GET /v1/people/me/reach": { for: ["read"] },
  "PUT /v1/people/me/reach": {
    for: ["self"],
    given: async () => ({ body: { language: "zh" } }),
    entries: ["person.changed"],
  },
  "POST /v1/people/me/contacts/:kind/code": {
    for: ["self"],
    fresh: true,
    status: 404,
    given: async () => ({ path: "/v1/people/me/contacts/slack/code", body: {} }),
  },
  "POST /v1/people/me/contacts/email": {
    for: ["self"],
    fresh: true,
    status: 400,
    given: async () => ({ body: { address: "ana@example.com" } }),
  },
  "POST /v1/people/me/contacts/email/confirm": { for: ["self"], ...malformed },
  "DELETE /v1/people/me/contacts": {
    for: ["self"],
    given: async () => ({ body: { channel: "slack", account: "U1" } }),
  },
  "GET /v1/tokens": { for: ["read"] },
  "POST /v1/tokens": {
    for: ["act"],
    fresh: true,
    ...onlyOwn,
    status: 201,
    given: async () => ({ body: { agent: `bot${++count}` } }),
    entries: ["token.added"],
  },
  "DELETE /v1/tokens/:id": {
    for: ["act"],
    ...onlyOwn,
    given: async () => ({ path: `/v1/tokens/${await token()}` }),
    entries: ["token.revoked"],
  },
  "POST /v1/sign-in/passkey/options": { for: ["anybody"], ...malformed },
  "POST /v1/sign-in/passkey": { for: ["anybody"], ...malformed },
  "POST /v1/passkeys/options": { for: ["self"], fresh: true, ...malformed },
  "POST /v1/passkeys": { for: ["self"], fresh: true, ...malformed },
  "DELETE /v1/passkeys/:id": { for: ["self"], fresh: true, status: 404 },
  // The policy of this server does not set up web push.
  "GET /v1/push": { for: ["self"], status: 404 },
  "POST /v1/push/devices": {
    for: ["self"],
    status: 404,
    given: async () => ({ body: { endpoint: "https://push.example/1", keys: { p256dh: "k", auth: "a" } } }),
  },
  "DELETE /v1/push/devices/:id": { for: ["self"], status: 404 },
  "GET /v1/ledger": { for: ["read"] },
  "GET /v1/ledger/head": { for: ["read"] },
  "GET /v1/ledger/verify": { for: ["read"] },
  "GET /v1/ledger/export": { for: ["read"] },
  "GET /v1/ledger/checkpoint": { for: ["read"] },
  "GET /v1/ledger/:index/proof": { for: ["read"], given: async () => ({ path: "/v1/ledger/1/proof" }) },
  "GET /v1/trust": { for: ["read"] },
  "GET /v1/trust/:agent": { for: ["read"], given: async () => ({ path: "/v1/trust/coder" }) },
  "GET /v1/policy": { for: ["read"] },
  "PUT /v1/policy": {
    for: ["admin"],
    fresh: true,
    status: 404,
    given: async () => ({ body: { path: "/nowhere/leeway.yaml", version: "sha256:seen" } }),
  },
  "POST /v1/policy/check": { for: ["read"], given: async () => ({ body: { text: "version: 1\n" } }) },
  "POST /v1/policy/diff": { for: ["read"], given: async () => ({ body: { text: "version: 1\n" } }) },
  "GET /v1/events": { for: ["read"] },
  "GET /healthz": { for: ["anybody"] },
  "GET /readyz": { for: ["anybody"] },
  "GET /metrics": { for: ["read"] },
  "GET /openapi.json": { for: ["anybody"] },
};

test("the table contains every route of the API, and nothing else", () => {
  const names = apiRoutes("0").map(({ method, path }) => `${method} ${path}`);
  expect(names.sort()).toEqual(Object.keys(API).sort());
});

describe.each(Object.entries(API))("%s", (name, row) => {
  const [method = "", pattern = ""] = name.split(" ");
  beforeAll(minuteLater);
  test.each(CAST)("requested by %s", async (role) => {
    const { path = pattern, body } = (await row.given?.(role)) ?? {};
    const before = await head();
    const reply = await askedBy(role, method, path, body);
    const wanted = statusFor(row, role);
    expect({ status: reply.status, code: reply.body?.error?.code }).toMatchObject(wanted);
    const grown = (await entriesAfter(before)).map(({ kind }) => kind).filter((kind) => !IN_TIME.includes(kind));
    expect(grown).toEqual(wanted.status < 300 ? (row.entries ?? []) : []);
    if (wanted.status < 300) expect(documentFaults(name, body, reply)).toEqual([]);
  });
});

const document = openapiOf(apiRoutes("0"), "0");

/** Request and response match the OpenAPI document. */
function documentFaults(name: string, body: unknown, reply: Reply): string[] {
  const [method = "", pattern = ""] = name.split(" ");
  const at = `#/paths/${pattern.replaceAll("/", "~1").replaceAll(/:(\w+)/g, "{$1}")}/${method.toLowerCase()}`;
  const media = "content/application~1json/schema";
  const sent =
    body === undefined
      ? []
      : faultsOf(resolved(document, `${at}/requestBody/${media}`), body as Json, { document, path: "sent" });
  if (reply.body === undefined) return sent;
  return [
    ...sent,
    ...faultsOf(resolved(document, `${at}/responses/2XX/${media}`), reply.body, { document, path: "came" }),
  ];
}

/** What the gate records by itself; no request causes it. */
const IN_TIME: readonly Entry["kind"][] = ["execution.unknown", "execution.lapsed", "ledger.sealed"];

function statusFor(row: Row, role: Role): { status: number; code?: unknown } {
  const isKnown = [...AGENTS, ...READERS].includes(role);
  if (row.for.includes("anybody")) return { status: row.status ?? 200 };
  if (!isKnown) return { status: 401, code: "LEEWAY_UNAUTHENTICATED" };
  if (!row.for.some((access) => (MAY[access] as readonly Role[]).includes(role)))
    return { status: 403, code: "LEEWAY_FORBIDDEN" };
  if (row.fresh === true && isStale(role)) return { status: 403, code: "LEEWAY_STALE_SIGN_IN" };
  const not = row.not?.[role];
  return not === undefined ? { status: row.status ?? 200 } : { status: not, code: expect.any(String) };
}

/** A stream is closed as soon as it has begun. */
async function askedBy(role: Role, method: string, path: string, body: unknown): Promise<Reply> {
  if (path !== "/v1/events") return on.ask(method, path, { ...cast[role], body });
  const { token: shown, cookie } = cast[role];
  const leaving = new AbortController();
  const headers = {
    ...(shown === undefined ? {} : { authorization: `Bearer ${shown}` }),
    ...(cookie === undefined ? {} : { cookie }),
  };
  const answer = await fetch(on.url + path, { headers, signal: leaving.signal });
  const text = answer.status === 200 ? "" : await answer.text();
  leaving.abort();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text), text, headers: answer.headers };
}

const head = async () => (await on.deps.store.read({ ask: "head", workspace: "default" })).index;
const entriesAfter = (afterIndex: number) =>
  on.deps.store.read({ ask: "entries", workspace: "default", where: { afterIndex }, limit: 50, order: "oldest" });

// Pages are for signed-in people, and forms for those who may act, with these exceptions.
const PAGES: Record<string, keyof typeof MAY> = {
  "POST /sign-out": "anybody",
  "GET /shown/:key": "anybody",
  "GET /together": "act",
  "GET /docs": "anybody",
  "GET /workspace": "anybody",
  "GET /favicon.ico": "anybody",
  "GET /manifest.webmanifest": "anybody",
  "GET /service-worker.js": "anybody",
  "POST /activity/verify": "read",
  "POST /policy/try": "read",
  "POST /policy/draft": "read",
  "POST /notices/read": "read",
  "POST /settings/language": "read",
  "POST /settings/sign-ins/:id/end": "self",
  "POST /settings/passphrase": "self",
  "POST /settings/passkeys/:id/remove": "self",
  "POST /settings/devices/:id/remove": "self",
  "POST /settings/reach": "self",
  "POST /settings/contacts/remove": "self",
  "POST /settings/contacts/email": "self",
  "POST /settings/contacts/email/confirm": "self",
  "POST /settings/contacts/:kind/code": "self",
  "GET /channels": "read",
  "GET /mcp": "read",
  "POST /channels/:kind/test": "admin",
  "POST /channels/:kind/set-up": "admin",
  "POST /channels/notices/:id/retry": "admin",
};

function accessOf(name: string): keyof typeof MAY {
  const known = PAGES[name];
  if (known !== undefined) return known;
  if (/^\w+ \/(assets|sign-in|join|channels)\b/.test(name)) return "anybody";
  return name.startsWith("GET ") ? "read" : "act";
}

/** The buttons that do what they say without anything filled in. */
const AT_ONCE: Record<string, readonly Entry["kind"][]> = {
  "POST /settings/pause": ["pause.set"],
  "POST /settings/reach": ["person.changed"],
};

async function goOn(): Promise<void> {
  const { pauses: set } = (await on.ask("GET", "/v1/pauses", cast["an admin"])).body;
  for (const { id, scope } of set)
    if (scope.of === "everything") await on.ask("DELETE", `/v1/pauses/${id}`, cast["an admin"]);
}

describe.each(WEB_ROUTES.map(({ method, path }) => `${method} ${path}`))("the page %s", (name) => {
  const [method = "", pattern = ""] = name.split(" ");
  beforeAll(minuteLater);
  afterAll(goOn);
  const path = pattern.replaceAll(/:\w+/g, "nothing");
  test.each(CAST)("requested by %s", async (role) => {
    // Signing out would end the sign-in that the next row of the table needs.
    const shown = name === "POST /sign-out" ? {} : cast[role];
    const before = await head();
    const reply = await on.ask(method, path, { ...shown, headers: { origin: on.url } });
    const leads = reply.headers.get("location") ?? "";
    const access = accessOf(name);
    const isLetIn = (MAY[access] as readonly Role[]).includes(role);
    if (isLetIn) {
      // An open form may need more: a fresh proof leads to the sign-in page, and missing input is reported.
      expect([401, 403].includes(reply.status) && access !== "anybody" && !isOwnSay(reply), reply.text).toBe(false);
      expect(reply.status).toBeLessThan(500);
    } else if ([...AGENTS, ...READERS].includes(role)) {
      // A signed-in person is redirected to the page of the form, which says why.
      const told = method === "POST" && "cookie" in shown ? leads.includes("?refused=") : reply.status === 403;
      expect([told, reply.status]).toEqual([true, expect.any(Number)]);
    } else expect([reply.status, leads.startsWith("/sign-in?next=")]).toEqual([303, true]);
    const grown = (await entriesAfter(before)).map(({ kind }) => kind).filter((kind) => !IN_TIME.includes(kind));
    expect(grown).toEqual(isLetIn ? (AT_ONCE[name] ?? []) : []);
  });
});

/** A page is refused with a page; a client that may not see it at all gets a plain response. */
function isOwnSay({ headers }: Reply): boolean {
  return headers.get("content-type")?.startsWith("text/html") === true;
}

test("an agent with the same name as a person cannot withdraw that person's questions, and gets no token", async () => {
  const { approvalId } = await asking();
  expect(approvalId).toMatch(/^apr_/);
  expect(await addToken(on.deps, { agent: "ana" }, { by: "ana", assurance: "tty" })).toMatchObject({
    ok: false,
    code: "LEEWAY_BAD_INPUT",
  });
  // A person may be added later with an agent's name.
  await addPerson(on.deps, { name: "other", admin: true, by: "ana", assurance: "tty" });
  const reply = await on.ask("POST", `/v1/approvals/${approvalId}/cancel`, { ...cast["another agent"], body: {} });
  expect([reply.status, reply.body.error.code]).toEqual([404, "LEEWAY_NOT_FOUND"]);
});
