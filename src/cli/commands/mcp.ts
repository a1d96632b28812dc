import { announcedServer, stateFolderOf } from "../../config/server-file.ts";
import { ownVersion } from "../../config/version.ts";
import type { Offer } from "../../core/standing/pin.ts";
import { visible } from "../../core/values/text.ts";
import type { Pin } from "../../gate/standing/pins.ts";
import { Failure } from "../failure.ts";
import { type OpenedGate, POLICY_OPTION, withDatabase } from "../gate/database.ts";
import { meantServers } from "../mcp/upstreams.ts";
import { AS_OPTION, needTerminal, prove } from "../person.ts";
import { type CommandInput, type CommandSpec, flag, text, whole } from "../spec.ts";
import { askYesNo } from "../terminal/prompt.ts";
import { table, wrap } from "../terminal/table.ts";
import { offerLines, offerSummary } from "../views/offer-view.ts";
import { shortId } from "../views/texts.ts";

const SERVER_OPTIONS = [
  ["--config <file>", "the MCP servers to use (default: mcp.json in your configuration folder)"],
  ["--name <name>", "the name of the server after --, for rules (default: taken from the command)"],
] as const;
const COMMAND = ["[command...]", "the command that starts one MCP server, after --"] as const;

const HOLD_S = { withProgress: 600, without: 50 };

const serve: CommandSpec = {
  name: "mcp",
  summary: "put the gate in front of MCP servers: an MCP server on stdin and stdout that passes calls on",
  args: [COMMAND],
  options: [
    ...SERVER_OPTIONS,
    ["--agent <name>", "the agent that makes the calls (default: the name that the client gives)"],
    [
      "--hold <seconds>",
      `how long a call waits for a person (default: ${HOLD_S.withProgress}, or ${HOLD_S.without} if the client cannot be told of progress)`,
    ],
    POLICY_OPTION,
  ],
  examples: [
    "leeway mcp -- npx -y @modelcontextprotocol/server-filesystem .",
    "leeway mcp --config mcp.json",
    "leeway mcp pin -- npx -y @modelcontextprotocol/server-filesystem .",
  ],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const hold = whole(given, "hold", "seconds");
    return withDatabase(given, async (deps) => {
      const servers = await meantServers(given, deps.sealer);
      const { openGateway } = await import("../../mcp/gateway.ts");
      const { lineSplitter } = await import("../../mcp/lines.ts");
      const { io } = given;
      const agent = text(given, "agent");
      const gateway = openGateway(deps, {
        ...servers,
        ...(agent === undefined ? {} : { agent }),
        cwd: io.cwd,
        version: ownVersion(),
        holdMs: {
          withProgress: (hold ?? HOLD_S.withProgress) * 1000,
          without: (hold ?? HOLD_S.without) * 1000,
        },
        linkTo: linksTo(given),
        send: (line) => void io.stdout.write(`${line}\n`),
        note: (said) => void io.stderr.write(said),
      });
      await untilTheEnd(
        given,
        lineSplitter((line) => gateway.hear(line)),
      );
      await gateway.close();
      return 0;
    });
  },
};

/** The page of a question on the server of this machine, if one runs now. */
function linksTo({ io }: CommandInput): (approvalId: string) => string | undefined {
  return (approvalId) => {
    const server = announcedServer(stateFolderOf(io.env));
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
      const { upstreams } = await meantServers(given, deps.sealer);
      const { lookAt, unacceptedStart } = await import("../../mcp/look.ts");
      const how = { version: ownVersion(), note: (said: string) => given.out.note(said.trimEnd()) };
      const accepted: Offer[] = [];
      for (const upstream of upstreams) {
        const start = await unacceptedStart(deps, upstream);
        // A server is started only to look at it, and only after a person agreed to its command.
        if (start !== undefined) accepted.push(...(await accept(given, deps, [start])));
        if (start !== undefined && accepted.at(-1) !== start) continue;
        accepted.push(...(await accept(given, deps, await lookAt(deps, upstream, how))));
      }
      const shown = accepted.map(({ upstream, of, name }) => ({ upstream, of, name }));
      given.out.answer(shown, () => (shown.length === 0 ? "nothing was accepted" : `accepted: ${shown.length}`));
      return 0;
    });
  },
};

/** Shows the offers, asks once about all of them, and accepts them in the name of a person who proved who they are. */
async function accept(given: CommandInput, deps: OpenedGate, offers: readonly Offer[]): Promise<readonly Offer[]> {
  if (offers.length === 0) return [];
  const isFull = flag(given, "full");
  for (const offer of offers) {
    const { of, name, upstream } = offer;
    given.out.note(`${given.out.colours.bold(visible(`${upstream}: ${of} ${of === "tool" ? name : ""}`))}`);
    const lines = isFull ? offerLines(offer) : offerSummary(offer);
    given.out.note(lines.map((line) => (isFull ? `  ${line}` : wrap(line, given.out.width, "  "))).join("\n"));
  }
  if (!isFull) given.out.note("`leeway mcp pin --full` shows the whole definitions.");
  const count = offers.length === 1 ? "this" : `all ${offers.length} of these`;
  if (!(await askYesNo(given.io, `Accept ${count}? Agents read these texts and act on them.`))) return [];
  const { name } = await prove(given, deps, "accept them");
  const { acceptOffer } = await import("../../gate/standing/accept-offer.ts");
  for (const offer of offers) {
    const done = await acceptOffer(deps, offer, { by: name, assurance: "tty" });
    if (!done.ok) throw new Failure(5, `${offer.name} was not accepted: ${done.why}`, "the others before it were");
  }
  return offers;
}

const list: CommandSpec = {
  name: "mcp list",
  summary: "list what people accepted of MCP servers, what waits, and what was refused",
  examples: ["leeway mcp list", "leeway mcp list --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withDatabase(given, async (deps) => {
      const { pinnedUpstreams, readPins } = await import("../../gate/standing/pins.ts");
      const pins: Pin[] = [];
      for (const upstream of await pinnedUpstreams(deps)) pins.push(...(await readPins(deps, upstream)).all);
      const shown = pins.map(({ offer: { upstream, of, name }, ...pin }) => ({ upstream, of, name, ...pin }));
      given.out.answer(shown, () => {
        if (pins.length === 0)
          return "No MCP server has offered anything yet. `leeway mcp pin` shows and accepts what one offers.";
        const rows = pins.map((one) => [
          visible(one.offer.upstream),
          one.offer.of,
          visible(one.offer.name),
          STATES[one.state],
          visible(one.state === "asked" ? shortId(one.approvalId) : [one.by].flat().join(", ")),
        ]);
        return table(given.out, ["SERVER", "WHAT", "NAME", "STATE", "BY"], rows);
      });
      return 0;
    }),
};

const STATES: Record<Pin["state"], string> = { accepted: "accepted", asked: "waiting", refused: "refused" };

export const mcp: readonly CommandSpec[] = [serve, list, pin];
