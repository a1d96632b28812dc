import { readSettings, type Variables } from "../../config/environment.ts";
import { announcedServer, serverElsewhere } from "../../config/server-file.ts";
import type { Entry } from "../../core/ledger.ts";
import { inEnglish } from "../../core/messages/text.ts";
import { shownEntry } from "../../core/show/entry-body.ts";
import { orThrow } from "../../service/refusal.ts";
import type { NoticeView } from "../../service/views/notices.ts";
import { type CommandInput, text } from "../spec.ts";
import { liftedBy } from "../views/pause-names.ts";
import type { CommandGate, HelpTexts, LiveInbox, PersonListed } from "./command-gate.ts";
import type { OpenedGate } from "./database.ts";

function whereaboutsIn(env: Variables): HelpTexts {
  return {
    why: (call) => `\`leeway why ${call}\``,
    // Few commands need it, and it reads a file.
    get inbox() {
      return inboxHere(env);
    },
    lift: (scope) => `\`${liftedBy(scope)}\``,
  };
}

/** Programs are not told the address of the pages; `leeway up` printed it for a person. */
export function inboxHere(env: Variables): string {
  const settings = readSettings(env);
  const isServed = announcedServer(settings.stateFolder) !== undefined && serverElsewhere(settings) === undefined;
  return isServed ? `${INBOX}, or at the address that \`leeway up\` printed` : INBOX;
}

const INBOX = "`leeway inbox`";

/** The gate of the local database. Each verb is loaded on first use, so that a command loads only what it needs. */
export function localGate(given: CommandInput, deps: OpenedGate): CommandGate {
  const { io } = given;
  return {
    nowMs: () => deps.clock.nowMs(),
    whereabouts: whereaboutsIn(io.env),
    keepTime: async () => (await import("./timekeeping.ts")).keepTime(deps),
    status: async () => {
      const { statusHere } = await import("./local-status.ts");
      return statusHere(io, deps, await looking(given, deps));
    },
    check: async (call, boxes) => (await import("./local-check.ts")).judged(deps, call, { boxes, env: io.env }),
    policyNotes: async () => (await import("./local-check.ts")).policyNotes(deps),
    policy: async () => (await import("../../gate/standing/policy.ts")).policyInForce(deps),
    calls: async () => (await import("./local-calls.ts")).localCalls(deps, io),
    submitPlan: async (plan) => (await import("./local-plan.ts")).plannedHere(deps, plan),
    inbox: (which) => inboxOf(given, deps, which),
    told: () => told(given, deps),
    liveInbox: (ring) => liveInbox(given, deps, ring),
    row: (id) => row(deps, id),
    why: (id) => why(deps, id),
    entries: (...asked) => entries(deps, ...asked),
    exportLines: async function* () {
      const { exportLedger } = await import("../../gate/record/ledger.ts");
      yield* exportLedger(deps);
    },
    proof: async (index, how) => {
      const { proveEntry } = await import("../../gate/record/prove-entry.ts");
      return orThrow(await proveEntry(deps, index, how));
    },
    trustChain: async (filter) => (await import("../../gate/record/trust.ts")).trustExport(deps, filter),
    trust: async (agent) => inEnglish(await (await import("../../gate/record/trust.ts")).trustOf(deps, agent)),
    sessions: async () => (await import("../../gate/calls/session-list.ts")).listSessions(deps),
    mcp: async () => (await import("../../service/views/mcp.ts")).mcpViews(deps),
    agents: async () => (await import("../../gate/standing/agents.ts")).listAgents(deps),
    agent: async (name) => (await import("../../service/people.ts")).agentView(deps, name),
    grants: async () => (await import("../../gate/standing/grants.ts")).listGrants(deps),
    tools: async () => (await import("../../gate/standing/declarations.ts")).listDeclarations(deps),
    people: () => people(deps),
    tokens: () => tokens(deps),
    channels: async () => (await import("./local-channels.ts")).channelsHere(io, deps),
    deadNotices: async () => (await import("../../service/views/channels.ts")).deadViews(deps),
    // Every act here asks for the passphrase, so the proof is always fresh.
    ensureFresh: () => undefined,
    prove: async (act) => {
      const [{ prove }, { actsOf }] = await Promise.all([import("../person.ts"), import("./local-person.ts")]);
      return actsOf(deps, (await prove(given, deps, act)).name, io);
    },
  };
}

/** The person whom the command line assumes to be looking, if any. */
async function looking(given: CommandInput, deps: OpenedGate): Promise<string | undefined> {
  const { personIfAny } = await import("../person.ts");
  return (await personIfAny(deps, text(given, "as")))?.name;
}

async function inboxOf(given: CommandInput, deps: OpenedGate, which: Parameters<CommandGate["inbox"]>[0]) {
  const { inboxReader } = await import("../../service/views/inbox.ts");
  return inboxReader(deps, await looking(given, deps), which)();
}

async function why(deps: OpenedGate, id: string): ReturnType<CommandGate["why"]> {
  const { decidedCall, whyOf } = await import("../../service/views/why.ts");
  return whyOf(deps, await decidedCall(deps, id), { withOutput: true });
}

/** As a server shows them. */
async function entries(deps: OpenedGate, ...asked: Parameters<CommandGate["entries"]>): Promise<readonly Entry[]> {
  const { listEntries } = await import("../../gate/record/ledger.ts");
  return (await listEntries(deps, ...asked)).map(shownEntry);
}

async function row(deps: OpenedGate, id: string): ReturnType<CommandGate["row"]> {
  const { rowView } = await import("../../service/views/rows.ts");
  const found = await rowView(deps, id, async () => true);
  if (found.table !== "calls") return found;
  return { ...found, row: { ...found.row, effect: inEnglish(found.row.effect) } };
}

async function told(given: CommandInput, deps: OpenedGate): Promise<readonly NoticeView[]> {
  const { toldTo } = await import("../../service/views/notices.ts");
  return toldTo(deps, await looking(given, deps));
}

async function people(deps: OpenedGate): Promise<readonly PersonListed[]> {
  const { listPeople } = await import("../../gate/people/people.ts");
  const known = await listPeople(deps);
  return known.map(({ passphrase, contacts: _, reach: _reach, ...person }) => ({
    ...person,
    hasPassphrase: passphrase !== undefined,
  }));
}

async function tokens(deps: OpenedGate): ReturnType<CommandGate["tokens"]> {
  const { listTokens } = await import("../../gate/people/tokens.ts");
  return (await listTokens(deps)).map(({ lock: _, ...token }) => token);
}

async function liveInbox(given: CommandInput, deps: OpenedGate, ring: () => void): Promise<LiveInbox> {
  const { personAt } = await import("../person.ts");
  const { name } = await personAt(deps, text(given, "as"));
  const { inboxReader } = await import("../../service/views/inbox.ts");
  const { toldTo } = await import("../../service/views/notices.ts");
  const { readNotice, toldMs } = await import("../../gate/notices/notices.ts");
  const { keyringOf } = await import("./local-person.ts");
  const { keepTime } = await import("./timekeeping.ts");
  const read = inboxReader(deps, name);
  return {
    look: async () => {
      await keepTime(deps);
      return { inbox: await read(), told: await toldTo(deps, name) };
    },
    toldMs: (notice) => toldMs(deps, notice),
    readNotice: async (id) => void (await readNotice(deps, id)),
    others: async (id) => (await import("../../gate/approvals/triage.ts")).othersWhoAnswer(deps, id, name),
    keyring: keyringOf(deps, name, given.io),
    stop: deps.store.watch(deps.workspace, ring),
  };
}
