import { lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Walls } from "../core/box.ts";
import { flat } from "../core/tool-name.ts";
import { sha256 } from "../core/values/hash.ts";
import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { parseJsonText } from "../core/values/json-text.ts";
import { nearest } from "../core/values/nearest.ts";
import { wordsText } from "../core/values/words-text.ts";
import { codeOf, homeFolder, SettingError, type Variables } from "./environment.ts";
import { mcpBoxIn, mcpBoxLines, refuseEarly } from "./mcp-box.ts";
import { refuseOthersFile } from "./owner.ts";
import { plainFile } from "./plain-file.ts";

// The MCP servers behind the gateway: `mcp.json`, in the form that hosts use, or one command.

export type McpServer = {
  name: string;
  by:
    | {
        is: "command";
        command: string;
        args: readonly string[];
        cwd?: string;
        env: Readonly<Record<string, string>>;
        /** The box in which it is started, and the variables that a person named for it. */
        box?: { walls: Walls; named: Readonly<Record<string, string>> };
      }
    | { is: "address"; url: string; headers: Readonly<Record<string, string>>; oauth?: McpOauth };
  /** How it is started, as a person reads it: hashes of the variables, not their values. */
  starts: string;
  allowSampling: boolean;
  allowElicitation: boolean;
  trust: boolean;
};

/** What the settings say about signing in at a server; what is left out, the server says. */
export type McpOauth = { clientId?: string; clientSecret?: string; scope?: string; resource?: string };

/** Of the gateway's own variables a server gets only these; everything else must be named. */
const PASSED_ON = ["PATH", "HOME"];

const KEYS = [
  ...["command", "args", "env", "cwd", "box", "url", "headers", "oauth"],
  ...["allowSampling", "allowElicitation", "trust", "type"],
];
const OAUTH_KEYS: readonly (keyof McpOauth)[] = ["clientId", "clientSecret", "scope", "resource"];

/** The user's own file. A file in a project is used only if it is named, because an agent could have written it. */
export function mcpFileOf(env: Variables): string {
  const folder = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homeFolder(), ".config");
  return join(folder, "leeway", "mcp.json");
}

/** Where the gateway runs, and a keyed hash that hides what it covers. */
type Here = { env: Variables; cwd: string; mark(text: string): string };

export function readMcpFile(file: string, here: Here): readonly McpServer[] {
  refuseWritable(file);
  const parsed = parseJsonText(textOf(file));
  if (!parsed.ok) throw wrong(file, `line ${parsed.line}, column ${parsed.column}: ${parsed.why}`, "repair the file");
  const servers = isObject(parsed.value) ? parsed.value["mcpServers"] : undefined;
  if (servers === undefined || !isObject(servers))
    throw wrong(file, "`mcpServers` is missing", "name your servers there");
  const read = Object.entries(servers).map(([name, said]) => serverIn(file, name, said, here));
  const names = new Map<string, string>();
  for (const { name } of read) {
    const other = names.get(flat(name));
    if (other !== undefined) throw wrong(file, `${other} and ${name} are one name for rules`, "rename one of them");
    names.set(flat(name), name);
  }
  return read;
}

/** Variables that a server gets besides the usual ones, and the keyed hash for their values. */
type Passed = { names: readonly string[]; mark: Here["mark"] };

/** What a server may ask of the client. */
export type McpAllowed = Pick<McpServer, "allowSampling" | "allowElicitation">;

const NOTHING_ALLOWED: McpAllowed = { allowSampling: false, allowElicitation: false };

/** One server, by its command line. */
export function commandServer(
  words: readonly string[],
  name: string | undefined,
  { env, cwd, passed, allowed = NOTHING_ALLOWED }: Omit<Here, "mark"> & { passed?: Passed; allowed?: McpAllowed },
): McpServer {
  const [command = "", ...args] = words;
  const named = name ?? guessedName(words);
  refuseName("the name of the server", named, "choose one with --name");
  const given = [...new Set(passed?.names)].sort().filter((variable) => env[variable] !== undefined);
  const hashes = passed === undefined ? [] : given.map((key) => ["with", key, valueHash(passed.mark, env[key] ?? "")]);
  return {
    name: named,
    by: { is: "command", command, args, cwd, env: passedOn(env, [...PASSED_ON, ...given]) },
    starts: linesText([["run", ...words], ["in", cwd], ...hashes, ...raisedLines(allowed)]),
    ...allowed,
    trust: false,
  };
}

function raisedLines(flags: Readonly<Record<string, boolean>>): readonly (readonly string[])[] {
  return Object.entries(flags).flatMap(([flag, isRaised]) => (isRaised ? [[flag]] : []));
}

const LAUNCHER = /^(npx|npm|pnpm|yarn|bunx?|deno|node|tsx|uvx?|pipx|python[\d.]*|docker|podman|exec|run|dlx)$/;

/** The program or package, without what it is started by: `npx -y @modelcontextprotocol/server-github` is `server-github`. */
function guessedName(words: readonly string[]): string {
  const plain = words.filter((word) => !word.startsWith("-")).map((word) => basename(word).replace(/(?<=.)@.*$/, ""));
  const found = plain.find((word) => !LAUNCHER.test(word)) ?? plain[0] ?? "";
  const name = found
    .replace(/\.[a-z]{1,3}$/, "")
    .replace(/[^A-Za-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "server" : name.slice(0, 40);
}

const NAME = /^[A-Za-z0-9](?!.*__)[A-Za-z0-9_-]{0,63}$/;

function refuseName(file: string, name: string, hint: string): void {
  const problem = serverNameProblem(name);
  if (problem !== undefined) throw wrong(file, problem, `use letters, digits and -; ${hint}`);
}

/** Why rules cannot know a server by this name. */
export function serverNameProblem(name: string): string | undefined {
  if (!NAME.test(name)) return `\`${name}\` cannot be the name of a server`;
  return flat(name).startsWith("leeway") ? `the name \`${name}\` belongs to the gateway` : undefined;
}

function serverIn(file: string, name: string, said: Json, here: Here): McpServer {
  const at = `${file}: ${name}`;
  refuseName(file, name, "rename the server");
  if (!isObject(said)) throw wrong(at, "is not an object", 'write { "command": … } or { "url": … }');
  refuseUnknown(at, said, KEYS);
  const { command, url } = said;
  if ((command === undefined) === (url === undefined)) throw wrong(at, "needs `command` or `url`", "give one of them");
  const from: From = { ...here, at, file };
  const { by, lines } = command === undefined ? byAddress(from, said) : byCommand(from, said);
  const flags = {
    allowSampling: flagIn(at, said, "allowSampling"),
    allowElicitation: flagIn(at, said, "allowElicitation"),
    trust: flagIn(at, said, "trust"),
  };
  return { name, by, starts: linesText([...lines, ...raisedLines(flags)]), ...flags };
}

function refuseUnknown(at: string, said: JsonObject, keys: readonly string[]): void {
  const odd = Object.keys(said).find((key) => !keys.includes(key));
  if (odd === undefined) return;
  const meant = nearest(odd, keys);
  throw wrong(
    at,
    `unknown key \`${odd}\``,
    meant === undefined ? `use ${keys.join(", ")}` : `did you mean \`${meant}\`?`,
  );
}

/**
 * One line for each thing that a person accepts. Words are quoted where they could be read as two words or as another
 * line, so two ways to start a server never have the same text.
 */
function linesText(lines: readonly (readonly string[])[]): string {
  return lines.map(wordsText).join("\n");
}

/** The place in the settings that is read. */
type From = Here & { at: string; file: string };
type Started = Pick<McpServer, "by"> & { lines: readonly (readonly string[])[] };

function byCommand(from: From, said: JsonObject): Started {
  const { at, file } = from;
  const command = textIn(at, said, "command");
  const args = said["args"] ?? [];
  if (!Array.isArray(args) || !args.every((one): one is string => typeof one === "string")) {
    throw wrong(at, "`args` is not a list of texts", "write each argument as a text of its own; no shell reads them");
  }
  const cwd = said["cwd"] === undefined ? from.cwd : resolve(dirname(file), textIn(at, said, "cwd"));
  const named = textsIn(at, said, "env");
  const walls = mcpBoxIn({ at, file, cwd }, said);
  refuseEarly(at, walls, Object.keys(named));
  const filled = filledIn(from, named);
  const boxed = walls === undefined ? {} : { box: { walls, named: filled } };
  return {
    by: { is: "command", command, args, cwd, env: { ...passedOn(from.env), ...filled }, ...boxed },
    lines: [["run", command, ...args], ["in", cwd], ...mcpBoxLines(walls), ...settingLines(from, named)],
  };
}

function byAddress(from: From, said: JsonObject): Started {
  const { at } = from;
  const url = textIn(at, said, "url");
  if (said["box"] !== undefined) throw wrong(at, "`box` needs `command`", "only a program can be started in a box");
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw wrong(at, "`url` is no address", "begin with https://");
  if (parsed.username !== "" || parsed.password !== "") throw wrong(at, "`url` has a password in it", "use `headers`");
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname);
  if (parsed.protocol === "http:" && !local)
    throw wrong(at, "`url` is not encrypted", "use https, except on this machine");
  const named = textsIn(at, said, "headers");
  const oauth = textsIn(at, said, "oauth");
  refuseUnknown(`${at}: oauth`, oauth, OAUTH_KEYS);
  if (Object.keys(oauth).length > 0 && Object.keys(named).some(isAuthorization))
    throw wrong(at, "`oauth` and the header Authorization exclude each other", "take one of them out");
  if (oauth["clientSecret"] !== undefined && oauth["clientId"] === undefined)
    throw wrong(at, "`oauth.clientSecret` needs `oauth.clientId`", "write both, or none");
  const signsIn = settingLines(from, oauth).map(([, ...rest]) => ["oauth", ...rest]);
  return {
    by: { is: "address", url, headers: filledIn(from, named), oauth: filledIn(from, oauth) },
    lines: [["connect", url], ...settingLines(from, named), ...signsIn],
  };
}

export function isAuthorization(header: string): boolean {
  return header.toLowerCase() === "authorization";
}

type Texts = Readonly<Record<string, string>>;

/** `${env:NAME}` and `${file:PATH}` stand for a secret that is not in this file. */
const REFERENCE = /\$\{(env|file):([^}]+)\}/g;
const ONLY_REFERENCES = /^(\$\{(env|file):[^}]+\})+$/;

function filledIn({ at, env, file }: From, named: Texts): Texts {
  const filled = (value: string) =>
    value.replace(REFERENCE, (_, kind: string, name: string) => {
      if (kind === "file") return textOf(resolve(dirname(file), name)).replace(/\r?\n$/, "");
      const found = env[name];
      if (found === undefined || found === "")
        throw wrong(at, `the variable ${name} is not set`, "set it for the gateway");
      return found;
    });
  return Object.fromEntries(Object.entries(named).map(([key, value]) => [key, filled(value)]));
}

/**
 * Variables and headers as a person accepts them. The value of a variable can make a program run other code, so it counts;
 * it can be a secret, so it is a hash that nobody can compute without the key. Of a reference the source counts, not what
 * is there now, so that a new secret needs no review.
 */
function settingLines({ file, mark }: From, named: Texts): readonly (readonly string[])[] {
  return Object.keys(named)
    .sort()
    .map((key) => {
      const value = (named[key] ?? "").replace(REFERENCE, (whole, kind: string, name: string) =>
        kind === "file" ? `\${file:${resolve(dirname(file), name)}}` : whole,
      );
      return ["with", key, ONLY_REFERENCES.test(value) ? value : valueHash(mark, value)];
    });
}

/** The mark is hashed again, so that no text in a settings file leads to a mark that counts elsewhere. */
function valueHash(mark: Here["mark"], value: string): string {
  return sha256(mark(`a value in mcp.json: ${value}`));
}

function passedOn(env: Variables, names: readonly string[] = PASSED_ON): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, String(env[name])]])));
}

function textIn(at: string, said: JsonObject, key: string): string {
  const value = said[key];
  if (typeof value === "string" && value !== "") return value;
  throw wrong(at, `\`${key}\` is not a text`, "write a text that is not empty");
}

function textsIn(at: string, said: JsonObject, key: string): Texts {
  const value = said[key] ?? {};
  const isTexts = isObject(value) && Object.values(value).every((one) => typeof one === "string");
  if (!isTexts) throw wrong(at, `\`${key}\` is not an object of texts`, 'write { "NAME": "value" }');
  return value as Texts;
}

function flagIn(at: string, said: JsonObject, key: string): boolean {
  const value = said[key] ?? false;
  if (typeof value === "boolean") return value;
  throw wrong(at, `\`${key}\` is not true or false`, "write true or false");
}

const SETTINGS_BYTES_MAX = 4 * 1024 * 1024;

function textOf(file: string): string {
  try {
    return plainFile(file, SETTINGS_BYTES_MAX).toString("utf8");
  } catch (error) {
    throw wrong(file, `it cannot be read (${codeOf(error)})`, "name another file with --config, or a command after --");
  }
}

/** Whoever can write this file decides what runs with the gateway's rights. */
function refuseWritable(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || process.getuid === undefined) return;
  if (found.isSymbolicLink()) throw wrong(file, "it is a link", "put the file itself there");
  refuseOthersFile(file, found);
  if ((found.mode & 0o022) !== 0) throw wrong(file, "others may write it", `close it: chmod go-w ${file}`);
}

function wrong(where: string, what: string, hint: string): SettingError {
  return new SettingError(`${where}: ${what}`, hint);
}
