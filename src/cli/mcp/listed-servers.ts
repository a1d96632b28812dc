import { basename } from "node:path";
import { serverNameProblem } from "../../config/mcp-file.ts";
import { flat } from "../../core/tool-name.ts";
import type { ClientFile } from "./clients.ts";
import { jsonSpans, type Member, tomlSpans, type Value } from "./settings-spans.ts";

// The MCP servers that a settings file names: how each is started, and whether it is behind the gateway.

export type ListedServer = {
  /** Its name in the settings. */
  name: string;
  /** Its name for rules: of the signs that such a name cannot have, each run becomes one `-`. */
  gateName: string;
  /** The program and its arguments; empty if it has none. */
  words: readonly string[];
  variables: Readonly<Record<string, string>>;
  /** Variables of the client that it passes on to the server; their values are not in the file. */
  passed: readonly string[];
  cwd?: string;
  /** The folder of the project that the server is only for, if its file has several. */
  project?: string;
  /** Why it cannot be put behind the gateway. */
  problem?: string;
  /** Where its command stands in the text. */
  place: { command?: Value; list?: Value; keyFrom: number };
};

type Listed = { ok: true; servers: readonly ListedServer[] } | { ok: false; why: string };

export function listedServers(file: ClientFile, text: string): Listed {
  const spans = file.form.text === "json" ? jsonSpans(text) : tomlSpans(text, file.path);
  if (!spans.ok) return spans;
  const servers = file.form.at.flatMap((path) =>
    tablesAt(spans.value, path).flatMap(({ project, members }) =>
      members
        .filter((member) => isServer(file, path, member))
        .map((member) => ({ ...serverOf(file, member), ...(project === undefined ? {} : { project }) })),
    ),
  );
  return { ok: true, servers: servers.map((server, at) => withNameProblem(server, servers.slice(0, at))) };
}

/** A file that cannot be read counts: it may name servers. */
export function namesServers(file: ClientFile, text: string): boolean {
  const listed = listedServers(file, text);
  return !listed.ok || listed.servers.length > 0;
}

type Place = { members: readonly Member[]; project?: string };

/** The members of each table that the path leads to. */
function tablesAt(value: Value, [key, ...rest]: readonly string[]): readonly Place[] {
  if (value.is !== "table") return [];
  if (key === undefined) return [{ members: value.members }];
  return value.members
    .filter((member) => key === "*" || member.key === key)
    .flatMap((member) =>
      tablesAt(member.value, rest).map((place) => (key === "*" ? { ...place, project: member.key } : place)),
    );
}

/** In opencode's second version the servers are one table further down, and that table is no server. */
function isServer({ form }: ClientFile, path: readonly string[], { key, value }: Member): boolean {
  if (value.is !== "table") return false;
  const isTableOfServers = form.command === "words" && path.length === 1 && key === "servers";
  return !isTableOfServers || value.members.some((member) => member.key === "command" || member.key === "url");
}

function serverOf({ form }: ClientFile, { key: name, value }: Member): ListedServer {
  const members = value.is === "table" ? value.members : [];
  const held = (key: string) => members.find((member) => member.key === key)?.value;
  const [command, args] = [held("command"), held("args")];
  const list = form.command === "words" ? command : args;
  const first = form.command === "words" ? [] : [command];
  const words = [...first, ...(list?.is === "list" ? list.items : [])];
  const named = held(form.variables);
  const entries = named?.is === "table" ? named.members : [];
  const passed = held("env_vars");
  const cwd = held("cwd");
  const problem = problemIn({ command, list, words, isOneList: form.command === "words" }, [
    ...entries.map((member) => member.value),
    ...(passed?.is === "list" ? passed.items : []),
    ...(cwd === undefined ? [] : [cwd]),
  ]);
  return {
    name,
    gateName: name.replace(/[^A-Za-z0-9-]+/g, "-").replace(/^-+|-+$/g, ""),
    words: textsIn(words),
    variables: Object.fromEntries(entries.map(({ key, value: held }) => [key, held.is === "text" ? held.text : ""])),
    passed: textsIn(passed?.is === "list" ? passed.items : []),
    ...(cwd?.is === "text" ? { cwd: cwd.text } : {}),
    ...(held("envFile") === undefined ? problem : { problem: "it takes its variables from a file (`envFile`)" }),
    place: {
      ...(command === undefined ? {} : { command }),
      ...(list === undefined ? {} : { list }),
      keyFrom: members.find((member) => member.key === "command")?.keyFrom ?? 0,
    },
  };
}

type Command = {
  command: Value | undefined;
  list: Value | undefined;
  words: readonly (Value | undefined)[];
  isOneList: boolean;
};

function problemIn({ command, list, words, isOneList }: Command, others: readonly Value[]): { problem?: string } {
  if (command === undefined)
    return { problem: "it has no command. Put servers with an address into the file mcp.json of Leeway (docs/mcp.md)" };
  const isListed = list === undefined ? !isOneList : list.is === "list";
  if (!isListed || words.length === 0 || [...words, ...others].some((value) => value?.is !== "text"))
    return { problem: "its command, arguments, variables or folder are not all texts" };
  return {};
}

function textsIn(values: readonly (Value | undefined)[]): readonly string[] {
  return values.flatMap((value) => (value?.is === "text" ? [value.text] : []));
}

function withNameProblem(server: ListedServer, earlier: readonly ListedServer[]): ListedServer {
  if (server.problem !== undefined) return server;
  const { gateName, project } = server;
  const same = earlier.find((one) => one.project === project && flat(one.gateName) === flat(gateName));
  const problem =
    same === undefined ? serverNameProblem(gateName) : `its name is the same as that of \`${same.name}\` for rules`;
  return problem === undefined ? server : { ...server, problem: `${problem}. Give it another name` };
}

/**
 * Whether this starts Leeway's gateway, by whomever it was written: the installed command, or its file by Node. A launcher that
 * would load a package of this name from a registry starts a program that nobody here knows.
 */
export function isBehind({ words }: Pick<ListedServer, "words">): boolean {
  const [first = "", second = ""] = words.map((word) => basename(word));
  const at = /^leeway(\.cjs|\.cmd)?$/.test(first) ? 0 : /^leeway\.cjs$/.test(second) ? 1 : -1;
  return at >= 0 && words[at + 1] === "mcp";
}

const ALLOWED = ["--allow-sampling", "--allow-elicitation"];

/** What a person allows the server by options of the gateway before `--`. */
export function allowedBehind(server: Pick<ListedServer, "words">): readonly string[] {
  const own = wordsBehind(server);
  if (own === undefined) return [];
  const options = server.words.slice(0, -own.length - 1);
  return ALLOWED.filter((option) => options.includes(option));
}

/** The words of the server itself, if `leeway init mcp` has put it behind the gateway. */
export function wordsBehind({ words }: Pick<ListedServer, "words">): readonly string[] | undefined {
  const [, program = "", command, option] = words;
  const isOurs = basename(program) === "leeway.cjs" && command === "mcp" && option === "--env";
  const end = words.indexOf("--");
  return isOurs && end >= 0 && end < words.length - 1 ? words.slice(end + 1) : undefined;
}
