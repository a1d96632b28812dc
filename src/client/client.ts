import type { Approval } from "../core/approval.ts";
import type { Execution } from "../core/execution.ts";
import { urlFrom } from "../core/values/url.ts";
import type { EndedSession } from "../gate/calls/sessions.ts";
import type { Entrance } from "../library/door.ts";
import type { Gate } from "../library/gate.ts";
import type { GuardedTool } from "../library/guard.ts";
import { sending, speaking } from "../library/speaking.ts";
import { type CallInput, callOf } from "../service/input.ts";
import { badInput } from "../service/refusal.ts";
import { settlingOf } from "../service/running.ts";
import { scopes } from "../service/scope.ts";
import { type Check, checked, kindOf, maybe, text, textOf } from "../service/shape.ts";
import { systemClock, systemMint } from "../system.ts";
import { approvalsAt } from "./approvals.ts";
import { callsAt, checkedAt, type Sent } from "./calls.ts";
import { at } from "./path.ts";
import { ledgerAt, noticesAt, policyAt, trustAt } from "./records.ts";
import { askingOf, type ServerConnection } from "./server-connection.ts";
import { agentsAt, grantsAt, pausesAt, peopleAt, toolsAt } from "./standing.ts";
import { type Vouching, vouchingOf } from "./vouching.ts";

export type ClientOptions = {
  /** Where the server is: `http://127.0.0.1:4141`. */
  url: string;
  /** Who asks: an agent's token for its calls, a person's to read and to answer. */
  token: string;
  /** The name of whoever asks without having said so, where that is a sub-agent of the token's agent. */
  agent?: string;
  /** The folder that relative paths start from where a call names none. */
  cwd?: string;
};

/**
 * The gate of a server, with the verbs of the library. Tools run here, what may run is decided there.
 *
 * @example
 * ```ts
 * const gate = createClient({ url: "http://127.0.0.1:4141", token: process.env.LEEWAY_TOKEN });
 * const writeFile = gate.guard("write_file", (args: { path: string; text: string }) => fs.writeFile(args.path, args.text));
 * ```
 */
export function createClient(options: ClientOptions): Gate {
  const { url, token, agent, cwd } = checked(options, {
    url: address,
    token: word,
    agent: maybe(text),
    cwd: maybe(text),
  });
  const asking = askingOf({ url, token, clock: systemClock });
  const entrance = entranceAt(asking, {
    ...(agent === undefined ? {} : { agent }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const vouching = vouchingOf(asking);
  return {
    ...speaking(entrance),
    withPolicy: () => {
      throw badInput("withPolicy", "a layer is not carried to a server", "put it into the policy of the server");
    },
    ...sending(entrance),
    check: async (input) => checkedAt(asking.ask, entrance.sentBy(input)),
    classify: async (input) => (await checkedAt(asking.ask, entrance.sentBy(input))).effect,
    ...answering(asking, vouching),
    ...running(asking, entrance, vouching),
    ...pausesAt(asking, vouching),
    approvals: approvalsAt(asking),
    grants: grantsAt(asking, vouching),
    tools: toolsAt(asking, vouching),
    notices: noticesAt(asking, vouching),
    agents: agentsAt(asking, vouching),
    people: peopleAt(asking, vouching),
    ledger: ledgerAt(asking),
    trust: trustAt(asking),
    policy: policyAt(asking, vouching),
    close: async () => asking.close(),
  };
}

type Remote = Entrance & { sentBy(input: CallInput): Sent };

/** As in the library: a name that nobody has said is `runtime`; it is not sent, the token says who asks. */
const NOBODY = "runtime";

function entranceAt(asking: ServerConnection, given: { agent?: string; cwd?: string }): Remote {
  const around = scopes();
  const mint = systemMint();
  const { agent = NOBODY, cwd } = given;
  const callFrom = (input: CallInput, path?: string) => {
    const here = { scope: around.current(), agent, ...(cwd === undefined ? {} : { cwd }), workspace: "default", mint };
    const call = callOf(input, here, path);
    if (call.requestedBy === undefined) return call;
    throw badInput("requestedBy", "an agent cannot tell a server who asked for its work", "leave it out");
  };
  const sentBy = (input: CallInput): Sent => {
    const call = callFrom(input);
    const said = input.agent ?? around.current().agent ?? given.agent;
    return {
      call,
      ...(said === undefined ? {} : { agent: said }),
      ...(input.runBy === undefined ? {} : { runBy: input.runBy }),
      ...(input.definition === undefined ? {} : { definition: input.definition }),
    };
  };
  const register = registering();
  return { ...callsAt(asking, systemClock, sentBy), scopes: around, agent, callOf: callFrom, sentBy, register };
}

/** What a tool does is for the server's policy to say: an agent that says it of its own tools could make them milder. */
function registering(): (tool: GuardedTool) => void {
  const known = new Set<string>();
  return (tool) => {
    for (const key of ["class", "idempotent"] as const) {
      if (tool[key] === undefined) continue;
      throw badInput(
        key,
        "a server does not take it from a program",
        "declare the tool in the server's policy, under tools",
      );
    }
    if (known.has(tool.name)) {
      throw badInput("name", `${tool.name} is guarded already`, "guard each tool once, when the program starts");
    }
    known.add(tool.name);
  };
}

function answering({ ask }: ServerConnection, { as }: Vouching): Pick<Gate, "review" | "cancel" | "endSession"> {
  return {
    review: async (approvalId, { by, ...answer }) => {
      const path = at`/v1/approvals/${textOf(approvalId, "approvalId")}/reviews`;
      await as({ by });
      return (await ask({ path, method: "POST", body: answer })) as unknown as Approval;
    },
    cancel: async (approvalId, who) => {
      const path = at`/v1/approvals/${textOf(approvalId, "approvalId")}/cancel`;
      await as(who);
      return (await ask({ path, method: "POST", body: {} })) as unknown as Approval;
    },
    endSession: async (session, who) => {
      const path = at`/v1/sessions/${textOf(session, "session")}/end`;
      if (who !== undefined) await as(who);
      return (await ask({ path, method: "POST", body: {} })) as unknown as EndedSession;
    },
  };
}

function running(
  { ask }: ServerConnection,
  { claim }: Entrance,
  { as }: Vouching,
): Pick<Gate, "claim" | "renew" | "settle" | "reconcile"> {
  const post = async (path: string, body: object, repeatable: { repeatable?: true } = {}) =>
    (await ask({ path, method: "POST", body, ...repeatable })) as unknown as Execution;
  const idOf = (executionId: string) => textOf(executionId, "executionId");
  return {
    claim: (executionId) => claim(idOf(executionId)),
    renew: (executionId, held) => {
      const { attempt } = checked(held, { attempt: text });
      return post(at`/v1/calls/${idOf(executionId)}/renew`, { attempt }, { repeatable: true });
    },
    settle: (executionId, input) => {
      const { attempt, ending } = settlingOf(input);
      return post(at`/v1/calls/${idOf(executionId)}/settle`, { attempt, ...ending }, { repeatable: true });
    },
    reconcile: async (executionId, { by, ...said }) => {
      await as({ by });
      return post(at`/v1/executions/${idOf(executionId)}/reconcile`, said);
    },
  };
}

const word: Check = (value, path) => {
  if (!/^[\x21-\x7e]+$/.test(textOf(value, path)))
    throw badInput(path, "that is no token", "`leeway tokens add` makes one");
};

const address: Check = (value, path) => {
  if (typeof value !== "string") throw badInput(path, `${kindOf(value)} is no address`, ADDRESS_HINT);
  const url = urlFrom(value);
  const isSite = url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!isSite || url.username !== "") throw badInput(path, "that is not the address of a server", ADDRESS_HINT);
};
const ADDRESS_HINT = "write http://127.0.0.1:4141";
