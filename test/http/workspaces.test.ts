import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { apiRoutes } from "../../src/http/api.ts";
import type { Route } from "../../src/http/route.ts";
import { CHANNEL_ROUTES } from "../../src/http/routes/channels.ts";
import { WEB_ROUTES } from "../../src/web/pages.ts";
import { newDatabase } from "../postgres/database.ts";
import { type Beside, beside, makeFolder } from "./beside.ts";
import { cookieOf } from "./cast.ts";
import { type Asking, POLICY, type Reply, type Served, served, turnedClock } from "./served.ts";

// Two workspaces on one server. Everything in the second one has the word `zebra` in it.

const ROUTES: readonly Route[] = [...apiRoutes("0"), ...CHANNEL_ROUTES, ...WEB_ROUTES];
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const clock = turnedClock();
const PUSH = { tool: "shell", args: { command: "git push zebra" }, session: "zebra-session" };

describe.each(["SQLite", "PostgreSQL"] as const)("two workspaces on %s", (engine) => {
  let on: Served;
  let there: Beside;
  let ids: Ids;
  let mine: { admin: Asking; agent: Asking };
  let theirs: { admin: Asking; agent: Asking };

  beforeAll(async () => {
    const env = engine === "SQLite" ? {} : { LEEWAY_DB: await newDatabase() };
    on = await served({ env, clock });
    there = await beside(on, "team-b", { admin: "zebra" });
    mine = { admin: { cookie: await cookieOf(on, "ana") }, agent: { token: await on.token({ agent: "coder" }) } };
    const token = await there.token({ agent: "zebra-agent" });
    theirs = { admin: { cookie: await there.cookie("zebra") }, agent: { token } };
    ids = await filled(on, there, theirs);
    const own = { tool: "shell", args: { command: "git push" }, session: "s1" };
    await on.ask("POST", "/v1/calls", { ...mine.agent, body: own });
  });
  afterAll(() => on.remove());

  test("a token is enough: it names its workspace, and is unknown in every other", async () => {
    const body = { tool: "read_file", args: { path: "a" } };
    const asked = await on.ask("POST", "/v1/calls", { ...theirs.agent, body });
    expect([asked.status, asked.body.outcome]).toEqual([200, "run"]);
    const { token = "" } = theirs.agent;
    const bare = token.replace(/\.team-b$/, "");
    const named = `${mine.agent.token}.team-b`;
    const elsewhere = [
      ["the token without its workspace", "", bare],
      ["another token with this workspace", "", named],
      ["a token that names a workspace that is not served", "", `${bare}.team-c`],
      ["the token of the other at this address", "/w/team-b", mine.agent.token],
      ["the token at the address of the other", "/w/default", token],
    ] as const;
    for (const [what, at, text] of elsewhere) {
      const reply = await on.ask("POST", `${at}/v1/calls`, { token: text ?? "", body });
      expect([what, reply.status, reply.body.error.code]).toEqual([what, 401, "LEEWAY_UNAUTHENTICATED"]);
    }
    const inOwn = await there.ask("POST", "/v1/calls", { ...theirs.agent, body });
    expect([inOwn.status, inOwn.body.outcome]).toEqual([200, "run"]);
  });

  test("nobody reads anything of the other workspace: no list, page or record contains a word of it", async () => {
    const reads = ROUTES.filter(({ method, path }) => method === "GET" && !path.includes(":") && path !== "/v1/events");
    for (const route of reads) {
      const { text, status } = await on.ask("GET", route.path, mine.admin);
      expect([nameOf(route), status < 500, text.includes("zebra")]).toEqual([nameOf(route), true, false]);
    }
    const { text } = await there.ask("GET", "/v1/ledger/export", theirs.admin);
    expect(text).toContain("zebra");
  });

  test("an id of the other workspace is answered like an id that does not exist, by every route", async () => {
    const walked = ROUTES.filter(({ path }) => path.includes(":") && !SECRETS.has(path));
    const before = await headOf(there);
    for (const route of walked) {
      const [of, body] = bodyFor(route);
      for (const asking of [mine.admin, mine.agent]) {
        const ask = async (id: string) => sameShape(await on.ask(route.method, at(route, id), { ...asking, ...body }));
        const told = [await ask(ids[of]), await ask(NOWHERE[of])];
        expect([nameOf(route), told[0]]).toEqual([nameOf(route), told[1]]);
      }
    }
    expect(await headOf(there)).toEqual(before);
    const { approval } = ids;
    expect((await there.ask("GET", `/v1/approvals/${approval}`, theirs.admin)).body.state).toBe("pending");
  });

  test("cookies and tokens of one workspace are worth nothing below the address of the other", async () => {
    const before = await headOf(there);
    const shown: readonly Asking[] = [
      mine.agent,
      { token: await on.token({ person: "ana", can: "approve" }) },
      mine.admin,
      // The value of the cookie under the name of the other.
      { cookie: (mine.admin.cookie ?? "").replace(`leeway-${on.port}=`, `leeway-${on.port}-team-b=`) },
    ];
    const closed = ROUTES.filter(({ for: who, path }) => !who.includes("anybody") && path !== "/v1/events");
    for (const route of closed) {
      const [of, body] = route.path.includes(":") ? bodyFor(route) : (["call", {}] as const);
      // Many wrong tokens from one address are looked up only if they come slowly.
      clock.advance(60_000);
      for (const asking of shown) {
        const reply = await there.ask(route.method, at(route, ids[of]), { ...asking, ...body });
        expect([nameOf(route), isTurnedAway(reply)]).toEqual([nameOf(route), true]);
      }
    }
    // Only what the clock causes was recorded meanwhile.
    const where = { afterIndex: before.index };
    const { store, workspace } = there.deps;
    const grown = await store.read({ ask: "entries", workspace, where, limit: 100, order: "oldest" });
    expect(grown.filter(({ actor }) => actor !== "leeway")).toEqual([]);
  }, 120_000);

  test("a pause of everything in one workspace does not pause the other", async () => {
    const fresh = { cookie: await cookieOf(on, "ana") };
    const set = await on.ask("POST", "/v1/pauses", { ...fresh, body: { of: "everything", because: "a fire" } });
    expect(set.status).toBe(201);
    const body = { tool: "read_file", args: { path: "a" } };
    const [here, next] = await Promise.all([
      on.ask("POST", "/v1/calls", { ...mine.agent, body }),
      on.ask("POST", "/v1/calls", { ...theirs.agent, body }),
    ]);
    expect([here.body.code, next.body.outcome]).toEqual(["LEEWAY_PAUSED", "run"]);
    const { pauses } = (await there.ask("GET", "/v1/pauses", theirs.admin)).body;
    expect(pauses.map(({ scope }: { scope: object }) => scope)).toEqual([{ of: "agent", name: "zebra-idle" }]);
    expect((await on.ask("DELETE", `/v1/pauses/${set.body.id}`, fresh)).status).toBe(200);
  });

  test("each workspace has its own people, policy, agents and chain, and both chains verify", async () => {
    const seen = async (ask: Served["ask"], as: Asking) => {
      const { people } = (await ask("GET", "/v1/people", as)).body;
      const { agents } = (await ask("GET", "/v1/agents", as)).body;
      const { places } = (await ask("GET", "/v1/policy", as)).body;
      const { workspace } = (await ask("GET", "/v1/status", as)).body;
      const names = (all: readonly { name: string }[]) => all.map(({ name }) => name).sort();
      return [workspace, names(people), names(agents), places];
    };
    expect(await seen(on.ask, mine.admin)).toEqual([
      "default",
      ["ana", "ben", "cleo"],
      ["coder"],
      [join(on.project, "leeway.yaml")],
    ]);
    expect(await seen(there.ask, theirs.admin)).toEqual([
      "team-b",
      ["zebra"],
      ["zebra-agent"],
      [join(on.state, "workspaces", "team-b", "leeway.yaml")],
    ]);
    const verified = await Promise.all([verifyLedger(on.deps), verifyLedger(there.deps)]);
    expect(verified.map(({ ok }) => ok)).toEqual([true, true]);
    const heads = await Promise.all([there.deps, on.deps].map((deps) => headOf({ deps })));
    expect(new Set(heads.map(({ hash }) => hash)).size).toBe(2);
  });
});

/** Nobody is signed in, or a form came from no page of this server. */
function isTurnedAway({ status, headers, body }: Reply): boolean {
  if (status === 303) return headers.get("location")?.startsWith("/w/team-b/sign-in?next=") === true;
  return status === 401 || body?.error.code === "LEEWAY_CROSS_SITE";
}

type Ids = Record<
  "call" | "approval" | "execution" | "grant" | "tool" | "pause" | "signIn" | "notice" | "token",
  string
> &
  Record<"person" | "agent" | "session" | "entry" | "channel", string>;

/** Something of every kind. */
async function filled(on: Served, there: Beside, { admin, agent }: { admin: Asking; agent: Asking }): Promise<Ids> {
  const done = async (reply: Promise<Reply>) => {
    const { status, body, text } = await reply;
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return body;
  };
  const asked = await done(on.ask("POST", "/v1/calls", { ...agent, body: PUSH }));
  const ran = await done(on.ask("POST", "/v1/calls", { ...agent, body: { tool: "read_file", args: { path: "z" } } }));
  const covers = { class: "fs.write", targets: [], level: "write" };
  const grant = { subject: { agent: "zebra-agent" }, covers, because: "zebra", uses: 1 };
  const act = (path: string, body: object) => done(there.ask("POST", path, { ...admin, body }));
  const granted = await act("/v1/grants", grant);
  const tool = await act("/v1/tools", { tool: "get_zebra", does: "looks", agent: "zebra-agent" });
  const pause = await act("/v1/pauses", { of: "agent", name: "zebra-idle", because: "zebra" });
  const { signIns } = await done(there.ask("GET", "/v1/me", admin));
  const { tokens } = await done(there.ask("GET", "/v1/tokens", admin));
  const { notices } = await done(there.ask("GET", "/v1/notices", admin));
  return {
    call: asked.id,
    approval: asked.approvalId,
    execution: ran.executionId,
    grant: granted.id,
    tool: tool.id,
    pause: pause.id,
    signIn: signIns[0].id,
    notice: notices[0].id,
    token: tokens[0].id,
    person: "zebra",
    agent: "zebra-agent",
    session: PUSH.session,
    entry: "999999",
    channel: "slack",
  };
}

const NOWHERE: Ids = {
  call: "call_000000000000nowhere",
  approval: "apr_000000000000nowhere",
  execution: "exe_000000000000nowhere",
  grant: "grt_000000000000nowhere",
  tool: "dec_000000000000nowhere",
  pause: "pau_000000000000nowhere",
  signIn: "sin_000000000000nowhere",
  notice: "ntc_000000000000nowhere",
  token: "tok_000000000000nowhere",
  person: "nobody",
  agent: "none-such",
  session: "no-such-session",
  entry: "888888",
  channel: "slack",
};

/** Routes whose parameter is a secret, which names its own workspace. */
const SECRETS = new Set(["/sign-in/link/:token", "/join/:token"]);

/** Whose id a route takes, and what is sent with it; a route that is not here fails. */
const TAKES: Readonly<Record<string, readonly [of: keyof Ids, body?: object]>> = {
  "GET /v1/calls/:id": ["call"],
  "GET /v1/calls/:id/why": ["call"],
  "GET /v1/calls/:id/wait": ["call"],
  "POST /v1/calls/:id/claim": ["call", {}],
  "POST /v1/calls/:id/renew": ["call", { attempt: "att_1" }],
  "POST /v1/calls/:id/release": ["call", { attempt: "att_1", why: "it was not started" }],
  "POST /v1/calls/:id/settle": ["call", { attempt: "att_1", ok: true }],
  "POST /v1/calls/:id/hand": ["call", {}],
  "POST /v1/sessions/:id/end": ["session", {}],
  "GET /v1/approvals/:id": ["approval"],
  "POST /v1/approvals/:id/reviews": ["approval", { verdict: "approve", digest: `sha256:${"0".repeat(64)}` }],
  "POST /v1/approvals/:id/replies": ["approval", { text: "why?" }],
  "POST /v1/approvals/:id/handover": ["approval", { to: "ben" }],
  "POST /v1/approvals/:id/snooze": ["approval", { until: "5m" }],
  "POST /v1/approvals/:id/reveal": ["approval", {}],
  "POST /v1/approvals/:id/cancel": ["approval", {}],
  "POST /v1/executions/:id/reconcile": ["execution", { ok: true, note: "seen" }],
  "DELETE /v1/grants/:id": ["grant"],
  "DELETE /v1/tools/:id": ["tool"],
  "GET /v1/agents/:name": ["agent"],
  "POST /v1/agents/:name/promote": ["agent", { tier: "notify", class: "message.send", because: "x", untilMs: 4e12 }],
  "POST /v1/agents/:name/demote": ["agent", { tier: "ask", class: "message.send", because: "x" }],
  "POST /v1/agents/:name/pause": ["agent", { because: "x" }],
  "GET /v1/rows/:id": ["approval"],
  "DELETE /v1/pauses/:id": ["pause"],
  "DELETE /v1/sign-ins/:id": ["signIn"],
  "PUT /v1/people/:name": ["person", { groups: ["ops"] }],
  "DELETE /v1/people/:name": ["person"],
  "PUT /v1/people/:name/passphrase": ["person", { passphrase: "correct horse" }],
  "POST /v1/people/:name/invitation": ["person", {}],
  "POST /v1/notices/:id/read": ["notice", {}],
  "POST /v1/notices/:id/retry": ["notice", {}],
  "POST /v1/channels/:kind/test": ["channel", {}],
  "POST /v1/people/me/contacts/:kind/code": ["channel", {}],
  "DELETE /v1/tokens/:id": ["token"],
  "DELETE /v1/passkeys/:id": ["token"],
  "DELETE /v1/push/devices/:id": ["token"],
  "GET /v1/ledger/:index/proof": ["entry"],
  "GET /v1/trust/:agent": ["agent"],
  "POST /channels/:name": ["channel", {}],
  "GET /shown/:key": ["call"],
};

/** The routes of pages are named after what they show. */
const OF_PAGES: readonly (readonly [start: string, of: keyof Ids])[] = [
  ["/approvals/", "approval"],
  ["/calls/", "call"],
  ["/executions/", "execution"],
  ["/notices/", "notice"],
  ["/activity/", "entry"],
  ["/agents/", "agent"],
  ["/sessions/", "session"],
  ["/grants/", "grant"],
  ["/tools/", "tool"],
  ["/people/", "person"],
  ["/tokens/", "token"],
  ["/channels/", "channel"],
  ["/settings/sign-ins/", "signIn"],
  ["/settings/pauses/", "pause"],
  ["/settings/resume/", "pause"],
  ["/settings/", "token"],
];

function bodyFor(route: Route): readonly [of: keyof Ids, given: Pick<Asking, "body">] {
  const found = TAKES[nameOf(route)];
  const [of, body] = found ?? [OF_PAGES.find(([start]) => route.path.startsWith(start))?.[1]];
  if (of === undefined) throw new Error(`${nameOf(route)} is not in the table of this test`);
  const sent = route.page === true ? { because: "x", note: "x", ok: "true" } : body;
  return [of, route.method === "GET" || sent === undefined ? {} : { body: sent }];
}

function at({ path }: Route, id: string): string {
  return path.replaceAll(/:[a-z]+/gi, encodeURIComponent(id));
}

/** What was answered, without what is different each time: ids, times and the names that were asked for. */
function sameShape({ status, text, headers }: Reply) {
  const alike = (said: string) =>
    said
      .replaceAll(/zebra-session|zebra-agent|zebra|no-such-session|none-such|nobody|999999|888888/g, "NAME")
      .replaceAll(/\b[a-z]{3,4}_[0-9a-z]+\b/g, "ID")
      .replaceAll(/\b[0-9a-f]{32,64}\b/g, "HASH")
      .replaceAll(/\d{10,}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ (seconds?|minutes?) ago|just now|now/g, "TIME");
  return { status, text: alike(text), location: alike(headers.get("location") ?? "") };
}

const headOf = ({ deps }: Pick<Beside, "deps">) => deps.store.read({ ask: "head", workspace: deps.workspace });

test("a workspace whose folder goes away is no longer served, and what it recorded stays", async () => {
  const on = await served();
  try {
    const there = await beside(on, "short", { admin: "ana" });
    const token = await there.token({ agent: "coder" });
    const body = { tool: "read_file", args: { path: "a" } };
    expect((await on.ask("POST", "/v1/calls", { token, body })).status).toBe(200);
    rmSync(join(on.state, "workspaces", "short"), { recursive: true });
    await expect.poll(() => on.workspaces.list().length).toBe(0);
    expect((await on.ask("POST", "/v1/calls", { token, body })).status).toBe(401);
    expect((await on.ask("GET", "/w/short/healthz")).status).toBe(404);
    const env = { HOME: join(on.state, ".."), XDG_STATE_HOME: join(on.state, "..") };
    const deps = await openDeps({ env, cwd: on.project, workspace: "short", policy: join(on.project, "leeway.yaml") });
    expect(await verifyLedger(deps)).toMatchObject({ ok: true });
    await deps.close();
    makeFolder(on, "short", POLICY);
    await expect.poll(async () => (await on.ask("POST", "/v1/calls", { token, body })).status).toBe(200);
  } finally {
    await on.remove();
  }
});

test("a hundred workspaces start with one server, and each answers with its own policy", async () => {
  const on = await served();
  const names = Array.from({ length: 100 }, (_, at) => `team-${at}`);
  const later = await on.again({
    between: async () => {
      for (const name of names) makeFolder(on, name, POLICY);
    },
  });
  try {
    expect(later.workspaces.list().map(({ deps }) => deps.workspace)).toEqual([...names].sort());
    const ready = await Promise.all(names.map((name) => later.ask("GET", `/w/${name}/readyz`)));
    expect(ready.map(({ status }) => status)).toEqual(names.map(() => 200));
  } finally {
    await later.remove();
  }
});
