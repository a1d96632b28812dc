import type { TokenView } from "../../../client/views.ts";
import { nameText } from "../../../core/letters/name-text.ts";
import type { Holder } from "../../../core/people.ts";
import { inOrAgo } from "../../../core/show/when.ts";
import { checkPassphrase } from "../../../gate/people/people.ts";
import { addToken, addTokenAtSetUp } from "../../../gate/people/tokens.ts";
import { orFail, usage } from "../../failure.ts";
import { type OpenedGate, withDatabase } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { AS_OPTION, personAt, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, oneOf, text } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { hasPerson, type Out } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";
import { firstLine } from "./people.ts";

const list: CommandSpec = {
  name: "tokens list",
  summary: "list the tokens of agents and people, and when each was last used",
  examples: ["leeway tokens list"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const tokens = await gate.tokens();
      given.out.answer(tokens, () => tokensText(given.out, tokens, gate.nowMs()));
      return 0;
    }),
};

function tokensText(out: Out, tokens: readonly TokenView[], nowMs: number): string {
  if (tokens.length === 0) return "No tokens yet. Run `leeway tokens add --agent NAME` to make one.";
  const used = ({ usedMs }: TokenView) => (usedMs === undefined ? "never" : inOrAgo(usedMs, nowMs));
  const rows = tokens.map((token) => [token.id, holderText(token), token.state, used(token)]);
  return table(out, ["ID", "FOR", "STATE", "LAST USED"], rows);
}

function holderText({ holder }: TokenView): string {
  const named = holder.can === "name-requesters" ? ", may name who asked" : "";
  return "agent" in holder ? `agent ${nameText(holder.agent)}${named}` : `${nameText(holder.person)}, to ${holder.can}`;
}

const add: CommandSpec = {
  name: "tokens add",
  summary: "make a token; it is printed only once, on stdout",
  options: [
    ["--agent <name>", "for this agent; the token can only make, run and report this agent's own calls"],
    ["--person <name>", "for this person; the token can read everything the person may see"],
    [
      "--can <what>",
      "with --person: `approve` lets the token answer questions too; with --agent: `name-requesters` lets its calls name the person for whom the agent acts",
    ],
    ["--password-file <file>", "read your passphrase from the first line of this file, instead of typing it"],
    AS_OPTION,
  ],
  examples: ["leeway tokens add --agent coder", "leeway tokens add --person ana --can approve"],
  exits: [0, 1, 2, 5],
  page: "People",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const holder = holderOf(given);
      const { token, text: shown } = await made(given, deps, holder);
      const { lock: _, ...row } = token;
      given.out.answer({ ...row, token: shown }, () => shown);
      if (!given.out.json)
        given.out.note(`this is shown only once; to revoke it: \`leeway tokens revoke ${token.id}\``);
      return 0;
    }),
};

function holderOf(given: CommandInput): Holder {
  const [agent, person, can] = [text(given, "agent"), text(given, "person"), text(given, "can")];
  if ((agent === undefined) === (person === undefined))
    throw usage("a token is for an agent or for a person", "give --agent or --person");
  if (agent !== undefined) {
    return can === undefined ? { agent } : { agent, can: oneOf(can, ["name-requesters"], "value of --can") };
  }
  return { person: person ?? "", can: can === undefined ? "read" : oneOf(can, ["read", "approve"], "value of --can") };
}

/** Made by a person who gave their passphrase; without one only during a set-up by a program. */
async function made(given: CommandInput, deps: OpenedGate, holder: Holder) {
  const file = text(given, "passwordFile");
  if (file !== undefined) {
    const { name } = await personAt(deps, text(given, "as"));
    orFail(await checkPassphrase(deps, name, firstLine(fileText(file), file), { to: "make a token" }));
    return orFail(await addToken(deps, holder, { by: name, assurance: "password" })).value;
  }
  if (!hasPerson(given.io)) return orFail(await addTokenAtSetUp(deps, holder)).value;
  const { name } = await prove(given, deps, "make a token");
  return orFail(await addToken(deps, holder, { by: name, assurance: "tty" })).value;
}

const revoke: CommandSpec = {
  name: "tokens revoke",
  summary: "revoke a token; it stops working with the next request",
  args: [["<id>", "the id of the token, as `leeway tokens list` shows it"]],
  options: [AS_OPTION],
  examples: ["leeway tokens revoke tok_0197a1b2c3d4"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (gate) => {
      const { id, state } = await (await gate.prove("revoke a token")).revokeToken(first(given));
      given.out.answer({ id, state }, () => `revoked ${id}`);
      return 0;
    }),
};

export const tokens = [list, add, revoke];
