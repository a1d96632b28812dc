import type { HookCommand } from "../../hooks/install/command.ts";
import type { HostFile } from "../../hooks/install/host-files.ts";
import type { Changed } from "../../hooks/install/settings-json.ts";
import type { ClientFile } from "./clients.ts";
import { allowedBehind, isBehind, type ListedServer, listedServers, wordsBehind } from "./listed-servers.ts";
import type { Value } from "./settings-spans.ts";

// Puts the servers of a settings file behind the gateway, and takes them out again. Only the command and the first
// arguments of a server change; comments, order and spaces stay.

/** A settings file of an MCP client, as `leeway init mcp` changes it. */
export function gatewayFile(file: ClientFile): HostFile {
  return {
    path: file.path,
    withHook: (before, command) => putBehind(file, before, command),
    withoutHook: (before) => takenOut(file, before),
    dangers: (after) => leftAlone(file, after),
  };
}

function leftAlone(file: ClientFile, text: string): readonly string[] {
  const listed = listedServers(file, text);
  if (!listed.ok) return [];
  return listed.servers
    .filter((server) => server.problem !== undefined && !isBehind(server))
    .map(({ name, problem }) => `\`${name}\` is not behind the gateway, and its calls are not checked: ${problem}`);
}

function putBehind(file: ClientFile, before: string, command: HookCommand): Changed<string> {
  const bare = takenOut(file, before);
  if (!bare.ok) return bare;
  const listed = listedServers(file, before);
  const made = rewritten(file, bare.after, (server, at) => {
    if (server.problem !== undefined || isBehind(server)) return undefined;
    const names = [...new Set([...Object.keys(server.variables), ...server.passed])];
    const former = listed.ok ? listed.servers[at] : undefined;
    const allowed = former === undefined ? [] : allowedBehind(former);
    const own = ["--name", server.gateName, ...names.flatMap((name) => ["--pass", name]), ...allowed, "--"];
    return { add: [command.program, ...command.args, ...own], drop: 0 };
  });
  if (!made.ok) return made;
  // The same commands in other words or lines are not a change.
  return { ok: true, after: sameWords(file, before, made.after) ? before : made.after };
}

function sameWords(file: ClientFile, one: string, other: string): boolean {
  const words = (text: string) => {
    const listed = listedServers(file, text);
    return listed.ok ? listed.servers.map((server) => server.words) : [];
  };
  return JSON.stringify(words(one)) === JSON.stringify(words(other));
}

function takenOut(file: ClientFile, before: string): Changed<string> {
  return rewritten(file, before, (server) => {
    const own = wordsBehind(server);
    return own === undefined ? undefined : { add: [], drop: server.words.length - own.length };
  });
}

/** Words to put before those of the server, or to drop from their beginning. */
type Rewording = { add: readonly string[]; drop: number };

function rewritten(
  file: ClientFile,
  text: string,
  reword: (server: ListedServer, at: number) => Rewording | undefined,
): Changed<string> {
  const listed = listedServers(file, text);
  if (!listed.ok) return listed;
  const planned = listed.servers.map((server, at) => ({ server, rewording: reword(server, at) }));
  const edits = planned.flatMap(({ server, rewording }) =>
    rewording === undefined ? [] : editsOf(file, text, server, rewording),
  );
  const after = applied(text, edits);
  const found = listedServers(file, after);
  const words = planned.map(({ server, rewording }) => reworded(server.words, rewording));
  // Read again, because a file that says something else than it should is worse than one that was not changed.
  if (!found.ok || JSON.stringify(found.servers.map((server) => server.words)) !== JSON.stringify(words))
    return { ok: false, why: "its servers are written in a form that Leeway cannot change" };
  return { ok: true, after };
}

function reworded(words: readonly string[], rewording: Rewording | undefined): readonly string[] {
  return rewording === undefined ? words : [...rewording.add, ...words.slice(rewording.drop)];
}

type Edit = { from: number; to: number; text: string };

function applied(text: string, edits: readonly Edit[]): string {
  const lastFirst = [...edits].sort((one, other) => other.from - one.from);
  return lastFirst.reduce((now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to), text);
}

function editsOf(file: ClientFile, text: string, server: ListedServer, rewording: Rewording): readonly Edit[] {
  const { command, list, keyFrom } = server.place;
  if (file.form.command === "words") return list?.is === "list" ? [listEdit(text, list, rewording)] : [];
  const [program = "", ...args] = reworded(server.words, rewording);
  if (command?.is !== "text") return [];
  const programEdit = { from: command.from, to: command.to, text: JSON.stringify(program) };
  if (list?.is === "list") {
    const { drop } = rewording;
    // The program is written apart from the list, so each word moves by one place.
    const moved = drop > 0 ? { add: [], drop } : { add: [...rewording.add.slice(1), server.words[0] ?? ""], drop: 0 };
    return [programEdit, listEdit(text, list, moved)];
  }
  return [programEdit, newList(file, text, { keyFrom, valueTo: command.to }, args)];
}

/** A list without the first items, or with items before them, each on its own line if the first one is. */
function listEdit(text: string, list: Value & { is: "list" }, { add, drop }: Rewording): Edit {
  const [first] = list.items;
  if (first?.is !== "text") return { from: list.from + 1, to: list.from + 1, text: quotedWords(add).join(", ") };
  if (drop > 0) {
    const [next, last] = [list.items[drop], list.items[drop - 1]];
    const to = next?.is === "text" ? next.from : last?.is === "text" ? last.to : first.from;
    return { from: first.from, to, text: "" };
  }
  const indent = /\n([ \t]*)[^\n]*$/.exec(text.slice(list.from, first.from))?.[1];
  const between = indent === undefined ? ", " : `,${lineEnd(text)}${indent}`;
  return {
    from: first.from,
    to: first.from,
    text: quotedWords(add)
      .map((word) => word + between)
      .join(""),
  };
}

/** The arguments of a server that had none: after its command in JSON, before it in TOML, where a comment may follow it. */
function newList(
  file: ClientFile,
  text: string,
  { keyFrom, valueTo }: { keyFrom: number; valueTo: number },
  args: readonly string[],
): Edit {
  const before = text.slice(text.lastIndexOf("\n", keyFrom - 1) + 1, keyFrom);
  const isOwnLine = /^[ \t]*$/.test(before);
  const list = `[${quotedWords(args).join(", ")}]`;
  if (file.form.text === "json") {
    const lead = isOwnLine ? `${lineEnd(text)}${before}` : " ";
    return { from: valueTo, to: valueTo, text: `,${lead}"args": ${list}` };
  }
  // `mcp_servers.files.command = …`: the keys before the last one belong to the new line too.
  const isLine = isOwnLine || /^[^={]*\.[ \t]*$/.test(before);
  const put = isLine ? `args = ${list}${lineEnd(text)}${before}` : `args = ${list}, `;
  return { from: keyFrom, to: keyFrom, text: put };
}

function quotedWords(words: readonly string[]): readonly string[] {
  return words.map((word) => JSON.stringify(word));
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
