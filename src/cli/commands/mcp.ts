import { stillness } from "../../box/in-place/still.ts";
import type { Variables } from "../../config/environment.ts";
import { announcedServer, stateFolderOf } from "../../config/server-file.ts";
import { ownVersion } from "../../config/version.ts";
import type { Offer } from "../../core/standing/pin.ts";
import { visible } from "../../core/values/text.ts";
import type { GatewayOptions } from "../../mcp/session.ts";
import type { LoginView, OfferView } from "../../service/views/mcp.ts";
import { usage } from "../failure.ts";
import { type OpenedGate, POLICY_OPTION, withDatabase } from "../gate/database.ts";
import { withGate } from "../gate/with-gate.ts";
import { acceptOffers, offersOf } from "../mcp/accept-offers.ts";
import { gateVariables } from "../mcp/gate-variables.ts";
import { login, logout } from "../mcp/login.ts";
import { refuseWrongHttp, serveOverHttp } from "../mcp/over-http.ts";
import { meantServers } from "../mcp/upstreams.ts";
import { AS_OPTION, needTerminal } from "../person.ts";
import { type CommandInput, type CommandSpec, text, whole } from "../spec.ts";
import { table } from "../terminal/table.ts";
import { shortId } from "../views/texts.ts";

const SERVER_OPTIONS = [
  ["--config <file>", "the MCP servers to use (default: mcp.json in your configuration folder)"],
  ["--name <name>", "the name of the server after --, for rules (default: taken from the command)"],
  [
    "--pass <variable...>",
    "variables that the server after -- gets besides PATH and HOME; their values are accepted too",
  ],
  ["--allow-sampling", "the server after -- may use the client's model, once a person has accepted that"],
  ["--allow-elicitation", "the server after -- may ask the client's user, once a person has accepted that"],
] as const;
const COMMAND = ["[command...]", "the command that starts one MCP server, after --"] as const;

const HOLD_S = { withProgress: 600, without: 50 };

const serve: CommandSpec = {
  name: "mcp",
  summary:
    "put the gate in front of MCP servers: an MCP server on stdin and stdout, or on a port, that passes calls on",
  args: [COMMAND],
  options: [
    ...SERVER_OPTIONS,
    ["--agent <name>", "the agent that makes the calls (default: the name that the client gives)"],
    [
      "--hold <seconds>",
      `how long a call waits for a person (default: ${HOLD_S.withProgress}, or ${HOLD_S.without} if the client cannot be told of progress)`,
    ],
    [
      "--env <name=value...>",
      "a variable such as HOME for the gateway, as it was when `leeway init mcp` ran; the client's own values are then not used",
    ],
    ["--http <port>", "listen on this port for clients with an agent's token (0: any free port)"],
    ["--host <address>", "with --http: the address to listen on (default: 127.0.0.1)"],
    POLICY_OPTION,
  ],
  examples: [
    "leeway mcp -- npx -y @modelcontextprotocol/server-filesystem .",
    "leeway mcp --config mcp.json",
    "leeway mcp --http 4150 --config mcp.json",
    "leeway mcp pin -- npx -y @modelcontextprotocol/server-filesystem .",
  ],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const hold = whole(given, "hold", "seconds");
    const env = gateVariables(given);
    const port = whole(given, "http");
    if (port === undefined && text(given, "host") !== undefined)
      throw usage("--host needs --http", "give the port with --http, or leave out --host");
    if (port !== undefined) refuseWrongHttp(given, port);
    return withDatabase({ ...given, io: { ...given.io, env } }, async (deps) => {
      const { io } = given;
      deps.stillness = stillness(stateFolderOf(env), "others");
      const options = {
        ...(await meantServers(given, deps)),
        cwd: io.cwd,
        version: ownVersion(),
        holdMs: {
          withProgress: (hold ?? HOLD_S.withProgress) * 1000,
          without: (hold ?? HOLD_S.without) * 1000,
        },
        linkTo: linksTo(env),
        note: (said: string) => void io.stderr.write(said),
      };
      return port === undefined
        ? serveOverPipes(given, deps, options)
        : serveOverHttp(given, deps, { ...options, port });
    });
  },
};

async function serveOverPipes(
  given: CommandInput,
  deps: OpenedGate,
  options: Omit<GatewayOptions, "send">,
): Promise<number> {
  const { openGateway } = await import("../../mcp/gateway.ts");
  const { lineSplitter } = await import("../../mcp/lines.ts");
  const { io } = given;
  const agent = text(given, "agent");
  const gateway = openGateway(deps, {
    ...options,
    ...(agent === undefined ? {} : { agent }),
    send: (line) => void io.stdout.write(`${line}\n`),
  });
  await untilTheEnd(
    given,
    lineSplitter((line) => gateway.hear(line)),
  );
  await gateway.close();
  return 0;
}

/** The page of a question on the server of this machine, if one runs now. */
function linksTo(env: Variables): (approvalId: string) => string | undefined {
  return (approvalId) => {
    const server = announcedServer(stateFolderOf(env));
    return server === undefined ? undefined : `${server.url}/approvals/${approvalId}`;
  };
}

/** Until the client closes its side, or somebody ends the program. */
function untilTheEnd({ io }: CommandInput, hear: (chunk: Buffer) => boolean): Promise<void> {
  return new Promise((resolve) => {
    io.stdin.on("data", (chunk: Buffer) => {
      if (!hear(chunk)) resolve();
    });
    io.stdin.once("end", () => resolve());
    io.stdin.once("error", () => resolve());
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

const pin: CommandSpec = {
  name: "mcp pin",
  summary: "show what MCP servers offer and accept it: their commands, instructions and tools",
  args: [COMMAND],
  options: [
    ...SERVER_OPTIONS,
    ["--full", "show every field of every definition, not only texts and arguments"],
    AS_OPTION,
  ],
  examples: ["leeway mcp pin -- npx -y @modelcontextprotocol/server-filesystem .", "leeway mcp pin --config mcp.json"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    needTerminal(given.io, "accept what an MCP server offers");
    return withDatabase(given, async (deps) => {
      const { upstreams, isAlone } = await meantServers(given, deps);
      const { unacceptedStart } = await import("../../mcp/look.ts");
      const accepted: Offer[] = [];
      let exit = 0;
      for (const upstream of upstreams) {
        const start = await unacceptedStart(deps, upstream);
        // A server is started only to look at it, and only after a person agreed to its command.
        if (start !== undefined) accepted.push(...(await acceptOffers(given, deps, [start])));
        if (start !== undefined && accepted.at(-1) !== start) continue;
        const offers = await offersOf(given, deps, upstream, isAlone);
        if (offers === undefined) exit = 1;
        else accepted.push(...(await acceptOffers(given, deps, offers)));
      }
      const shown = accepted.map(({ upstream, of, name }) => ({ upstream, of, name }));
      given.out.answer(shown, () => (shown.length === 0 ? "nothing was accepted" : `accepted: ${shown.length}`));
      return exit;
    });
  },
};

const list: CommandSpec = {
  name: "mcp list",
  summary: "list what people accepted of MCP servers, what waits, what was refused, and who is signed in",
  examples: ["leeway mcp list", "leeway mcp list --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const { offers, logins } = await gate.mcp();
      given.out.answer({ offers, logins }, () => {
        if (offers.length + logins.length === 0)
          return "No MCP server has offered anything yet. `leeway mcp pin` shows and accepts what one offers.";
        const rows = [...logins.map(loginRow), ...offers.map(offerRow)];
        return table(given.out, ["SERVER", "WHAT", "NAME", "STATE", "BY"], rows);
      });
      return 0;
    }),
};

function offerRow({ upstream, of, name, state, approvalId, by }: OfferView): string[] {
  const who = state === "asked" ? shortId(approvalId) : by.join(", ");
  return [visible(upstream), of, visible(name), STATES[state], visible(who)];
}

function loginRow({ upstream, url, state, by = "" }: LoginView): string[] {
  return [visible(upstream), "login", visible(url), LOGIN_STATES[state], visible(by)];
}

const STATES: Record<OfferView["state"], string> = { accepted: "accepted", asked: "waiting", refused: "refused" };

const LOGIN_STATES: Record<LoginView["state"], string> = {
  "signed-in": "signed in",
  "needs-sign-in": "needs sign-in",
  expired: "expired: sign in again",
  "needs-more-rights": "needs more rights: sign in again",
};

export const mcp: readonly CommandSpec[] = [serve, list, login, logout, pin];
