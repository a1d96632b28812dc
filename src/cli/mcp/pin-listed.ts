import { resolve } from "node:path";
import { commandServer } from "../../config/mcp-file.ts";
import { wordsText } from "../../core/values/words-text.ts";
import { readPins } from "../../gate/standing/pins.ts";
import { type OpenedGate, withDatabase } from "../gate/database.ts";
import { placesOf } from "../host-setup.ts";
import { type CommandInput, flag } from "../spec.ts";
import { settingsText } from "../terminal/files.ts";
import { hasPerson } from "../terminal/io.ts";
import { askYesNo } from "../terminal/prompt.ts";
import { acceptOffers, offersOf } from "./accept-offers.ts";
import { clientFiles } from "./clients.ts";
import { allowedBehind, type ListedServer, listedServers, wordsBehind } from "./listed-servers.ts";
import { isAnyAllowed, settingsOf } from "./upstreams.ts";

/**
 * Shows what each server behind the gateway offers, and lets a person accept it, as `leeway mcp pin` does. A server is
 * started only after the person has agreed to its command: it may come from a file that somebody else wrote.
 */
export async function pinListed(given: CommandInput): Promise<void> {
  await withDatabase(given, async (deps) => {
    for (const server of await unaccepted(given, deps)) {
      if (flag(given, "yes") || !hasPerson(given.io)) given.out.note(laterText(server));
      else await shownAndAccepted(given, deps, server);
    }
  });
}

type Found = { gateName: string; words: readonly string[]; cwd: string; listed: ListedServer };

/** The servers of which nobody has accepted a tool yet, started in this way. */
async function unaccepted(given: CommandInput, deps: OpenedGate): Promise<readonly Found[]> {
  const waiting: Found[] = [];
  for (const found of behindServers(given)) {
    const { starts } = started(given, deps, found);
    const { all } = await readPins(deps, found.gateName);
    const isAccepted = all.some(({ state, offer }) => state === "accepted" && isStartedBy(offer.text, starts));
    if (!isAccepted) waiting.push(found);
  }
  return waiting;
}

function behindServers(given: CommandInput): readonly Found[] {
  const scopes = flag(given, "user") ? (["user"] as const) : (["user", "project"] as const);
  const found = clientFiles(placesOf(given), scopes).flatMap((file) => {
    const listed = listedServers(file, settingsText(file.path) ?? "");
    return listed.ok ? listed.servers : [];
  });
  const servers = found.flatMap((listed): Found[] => {
    const words = wordsBehind(listed);
    const cwd = resolve(listed.project ?? given.io.cwd, listed.cwd ?? "");
    return words === undefined ? [] : [{ gateName: listed.gateName, words, cwd, listed }];
  });
  // Several clients often have the same server.
  const byStart = new Map(servers.map((one) => [JSON.stringify([one.gateName, one.words, one.cwd]), one]));
  return [...byStart.values()];
}

function started({ io }: CommandInput, { sealer }: OpenedGate, { gateName, words, cwd, listed }: Found) {
  const names = [...Object.keys(listed.variables), ...listed.passed];
  const env = { ...io.env, ...listed.variables };
  const options = allowedBehind(listed);
  const allowed = {
    allowSampling: options.includes("--allow-sampling"),
    allowElicitation: options.includes("--allow-elicitation"),
  };
  return commandServer(words, gateName, { env, cwd, passed: { names, mark: (text) => sealer.mark(text) }, allowed });
}

function isStartedBy(offer: string, starts: string): boolean {
  return offer.includes(`"starts": ${JSON.stringify(starts.split("\n"), null, 2).replaceAll("\n", "\n    ")}`);
}

/** Clients fill in such references in their own ways: `${VAR}`, `${input:token}`, `{env:VAR}`. */
function hasReference({ words, listed }: Found): boolean {
  return [...words, ...Object.values(listed.variables), listed.cwd ?? ""].some((text) =>
    /\$\{|\{env:|\{file:/.test(text),
  );
}

async function shownAndAccepted(given: CommandInput, deps: OpenedGate, found: Found): Promise<void> {
  const { gateName, words, cwd } = found;
  if (hasReference(found)) {
    given.out.note(
      `${gateName}: only its client can start it, because its settings contain references. Its first call asks whether you accept the tool.`,
    );
    return;
  }
  const command = wordsText(words);
  if (!(await askYesNo(given.io, `Start ${gateName} to see what it offers? It runs in ${cwd}: ${command}`, false))) {
    given.out.note(laterText(found));
    return;
  }
  const { unacceptedStart } = await import("../../mcp/look.ts");
  const server = started(given, deps, found);
  const settings = await settingsOf(given, server, deps, { isNamed: !isAnyAllowed(server) });
  const start = await unacceptedStart(deps, settings);
  const offers = await offersOf(given, deps, settings, true);
  if (offers === undefined) given.out.note(laterText(found));
  else await acceptOffers(given, deps, start === undefined ? offers : [start, ...offers]);
}

function laterText({ gateName }: Found): string {
  return `${gateName}: nobody has accepted what it offers yet. Run \`leeway init mcp\` in a terminal, without --yes, to see and accept it; otherwise the first call of each of its tools asks.`;
}
