import { vouchingOf } from "../../client/vouching.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { type Failure, usage } from "../failure.ts";
import { type CommandInput, text } from "../spec.ts";
import type { CommandGate, PersonActs, StatusShown } from "./command-gate.ts";
import { type NamedServer, namedServer, toldAt } from "./named-server.ts";

/** The gate of a server. */
export function serverGate(given: CommandInput): CommandGate {
  const server = namedServer(given);
  const { gate, views, pages } = server;
  return {
    nowMs: () => given.io.clock.nowMs(),
    whereabouts: {
      why: (call) => pages.at(`/calls/${call}`),
      inbox: pages.at("/"),
      lift: () => pages.at("/settings"),
    },
    // The server keeps its own time.
    keepTime: async () => undefined,
    status: () => statusAt(server),
    check: async (call) => (await import("./server-calls.ts")).judgedAt(server, given.io, call),
    // The server does not use policy files of this machine.
    policyNotes: async () => [],
    policy: () => gate.policy.inForce(),
    calls: async () => (await import("./server-calls.ts")).serverCalls(server, given.io),
    submitPlan: (plan) => gate.submitPlan(plan),
    inbox: (which) => views.inbox(which),
    told: () => toldAt(server),
    liveInbox: async () => {
      const { liveInboxAt } = await import("./server-inbox.ts");
      return liveInboxAt(server, await actsAt(server, given), given.io.clock);
    },
    row: (id) => views.row(id),
    why: (id) => views.why(id),
    entries: (where, page) => gate.ledger.entries(where, page),
    exportLines: () => gate.ledger.export(),
    proof: (index) => gate.ledger.prove(index),
    trustChain: (filter) => gate.trust.export(filter),
    trust: (agent) => gate.trust.of(agent),
    sessions: () => views.sessions(),
    mcp: () => views.mcp(),
    agents: () => gate.agents.list(),
    agent: (name) => views.agent(name),
    grants: () => gate.grants.list(),
    tools: () => gate.tools.list(),
    people: () => gate.people.list(),
    tokens: () => views.tokens(),
    channels: () => views.channels(),
    deadNotices: () => views.deadNotices(),
    ensureFresh: (option) => {
      throw notFresh(option, server);
    },
    prove: () => actsAt(server, given),
  };
}

/** What the token may see: an agent's token only that the server answers, a person's token its state. */
async function statusAt({ url, views }: NamedServer): Promise<StatusShown> {
  try {
    return { server: url, ...(await views.status()) };
  } catch (error) {
    if (error instanceof LeewayRefusal && error.code === "LEEWAY_FORBIDDEN") return { server: url, policy: null };
    throw error;
  }
}

function notFresh(what: string, { pages }: Pick<NamedServer, "pages">): Failure {
  return usage(`${what} needs a new sign-in; a token is not enough`, `do it in ${pages.all}`);
}

/** The token is the proof. `--as` must name the person of the token. */
async function actsAt(server: NamedServer, given: CommandInput): Promise<PersonActs> {
  const { gate, views, asking } = server;
  const { name: own } = await asking.ask("GET /v1/me", {});
  const by = text(given, "as") ?? own;
  if (by !== own) await vouchingOf(asking).as({ by });
  return {
    name: by,
    review: async (approvalId, { note, remember, ...answer }) => {
      if (remember !== undefined) throw notFresh("remembering", server);
      return gate.review(approvalId, { ...answer, by, ...(note === "" ? {} : { note }) });
    },
    reply: (approvalId, said) => gate.reply(approvalId, { by, text: said }),
    handOver: (approvalId, { to, note }) => gate.handOver(approvalId, { by, to, ...(note === "" ? {} : { note }) }),
    snooze: (approvalId, until) => gate.snooze(approvalId, { by, until }),
    reveal: (approvalId) => views.reveal(approvalId),
    reconcile: (executionId, said) => gate.reconcile(executionId, { ...said, by }),
    pause: (scope, because) => gate.pause(scope, { by, because }),
    promote: (move) => gate.agents.promote({ ...move, by }),
    demote: (move) => gate.agents.demote({ ...move, by }),
    revokeGrant: (id) => gate.grants.revoke(id, { by }),
    forgetTool: (id) => gate.tools.forget(id, { by }),
    revokeToken: (id) => views.revokeToken(id),
    testChannel: (kind) => views.testChannel(kind),
    retryNotice: (id) => views.retryNotice(id),
  };
}
