import type { EffectClass } from "../effect.ts";
import { sqlEffect } from "../shell/sql.ts";
import { CLASS_DEFAULTS } from "../tables/tools.ts";
import { UNREAD } from "../tables/unread.ts";
import { toolName, wordsOfTool } from "../tool-name.ts";
import { type Arguments, textsCalled, textsUnder } from "./arguments.ts";
import { addTexts, type From } from "./commands/mentioned.ts";
import { doubt, type EffectDraft } from "./effect-draft.ts";
import type { CallReading } from "./reading.ts";
import { suggestionFor } from "./suggested-class.ts";

// What an unknown tool may do, according to its name and its arguments. This is used only for denials: a rule that
// denies a class, a path or a host also denies an unknown tool that may do the same.

/** Classes that the words of a name indicate clearly. */
const NAMED: ReadonlySet<EffectClass> = new Set<EffectClass>([
  "payments.move",
  "permissions.change",
  "secrets.read",
  "deploy.write",
  "schedule.write",
]);
/** Words of a name that say what is done, unless the name begins with a word for reading. */
const SAYING: readonly (readonly [EffectClass, RegExp])[] = [
  ["payments.move", /^(payments?|payout|checkout)$/],
  ["permissions.change", /^(permissions?|collaborators?|roles?|share|invite|chmod|chown|acl|apikey)$/],
  ["deploy.write", /^(kubectl|kubernetes|terraform|helm|publish|rollout)$/],
  ["agent.spawn", /^(delegate|subagent|handoff)$/],
  ["schedule.write", /^(reminder|calendar|cron|cronjob)$/],
  ["message.send", /^(sms|tweet|reply|notify|comment)$/],
  ["fs.delete", /^(trash|unlink|rmdir)$/],
];
const LOOKING =
  /^(get|list|search|find|read|fetch|show|view|describe|lookup|query|count|check|browse|retrieve|is|has)$/;
/** Servers that keep secrets. */
const KEEPING = /(password|vault|bitwarden|secretsmanager|secretmanager|keychain)/;
const SENDING = /^(send|mail|email|sms|message|tweet|slack|telegram|discord|gmail|whatsapp|teams)$/;
const COMMITTING = /^(push|commit|merge|rebase|reset|checkout|tag|branch|stash|revert|apply|clone|pull)\b/;

/** Adds the classes that the name of an unknown tool, and the verbs and statements in its arguments, indicate. */
export function addGuessedClasses(draft: EffectDraft, { call, args }: CallReading): void {
  const words = wordsOfTool(toolName(call.tool).bare);
  const suggested = suggestionFor(call)?.class;
  if (suggested !== undefined && NAMED.has(suggested)) addClass(draft, suggested);
  if (suggested === "message.send" && words.some((word) => SENDING.test(word))) addClass(draft, "message.send");
  if (!words.slice(0, 2).some((word) => LOOKING.test(word)))
    for (const [kind, said] of SAYING) if (words.some((word) => said.test(word))) addClass(draft, kind);
  if (KEEPING.test(toolName(call.tool).server ?? "")) addClass(draft, "secrets.read");
  if (words.includes("git") && [...words, ...textsCalled(args, GIVEN)].some((text) => COMMITTING.test(text)))
    addClass(draft, "git.write");
  for (const sql of textsCalled(args, STATEMENTS)) {
    const { class: kind } = sqlEffect(sql);
    if (kind !== "db.read" && STATEMENT.test(sql)) addClass(draft, kind);
  }
  if (textsCalled(args, VERBS).some((verb) => REMOVING.test(verb))) addClass(draft, "fs.delete");
  if (toolsNamedIn(args) === undefined) doubt(draft, UNREAD.arguments, "not");
}

/** Adds `network.write` if the arguments name a method that writes. */
export function addGuessedMethod(draft: EffectDraft, { args }: CallReading): void {
  if (textsCalled(args, METHODS).some((method) => /^(post|put|patch|delete)$/i.test(method.trim())))
    addClass(draft, "network.write");
}

const GIVEN = new Set("args command arguments argv subcommand".split(" "));
const STATEMENTS = new Set("sql query queries statement statements".split(" "));
const STATEMENT = /^[\s(;]*(insert|update|delete|drop|truncate|alter|create|grant|revoke|merge|replace|call)\b/i;
const VERBS = new Set("action operation op verb".split(" "));
const REMOVING = /^(delete|remove|unlink|rm|rmdir|trash|destroy|erase)$/i;
const METHODS = new Set("method verb httpmethod requestmethod".split(" "));

function addClass(draft: EffectDraft, kind: EffectClass): void {
  const { capability, level, reversible, reach } = CLASS_DEFAULTS[kind];
  draft.maybe.parts.push({ class: kind, capability, level, targets: [], reversible, reach });
}

/** Tools that a tool is told to call, also as tools of a server that is named in the arguments. Undefined: too many. */
export function toolsNamedIn(args: Arguments): readonly string[] | undefined {
  const named = textsUnder(args, (name) => CALLED.test(name)).filter((text) => TOOL.test(text));
  const servers = textsUnder(args, (name) => SERVED.test(name)).filter((text) => TOOL.test(text));
  if (named.length * (servers.length + 1) > NAMES_MAX) return undefined;
  const both = servers.flatMap((server) => named.map((tool) => `mcp__${server}__${tool}`));
  return [...new Set([...named, ...both])];
}

const CALLED = /^(tool|toolname|name|recipientname|function|functionname|method|action|tools|toolid)$/;
const SERVED = /^(server|servername|serverid|mcpserver)$/;
const TOOL = /^[\w.:/@-]{2,200}$/;
const NAMES_MAX = 1_000;

/** Adds hosts and files in any argument, because they may be contacted, opened or run. */
export function addNamedInArguments(draft: EffectDraft, { args }: CallReading, from: From): void {
  const texts = textsUnder(args, (name) => !PROSE.test(name)).flatMap((text) => [text, ...decoded(text)]);
  const code = textsUnder(args, (name) => CODE.test(name));
  const plain = texts.filter((text) => text.length < PLAIN_MAX && !/\s/.test(text.trim()));
  const begins = texts.map((text) => text.slice(0, PLAIN_MAX));
  const addressed = begins.filter((text) => /@|:\/\/|\.\w/.test(text)).map(hostsOf);
  addTexts(draft, { hosts: [...addressed, ...code], paths: [...plain.map(bare), ...code] }, from);
}

/** Texts for people, search patterns and content to write. They are not contacted and not opened. */
const PROSE =
  /^(content|contents|text|body|message|messages|prompt|query|description|title|todos?|notes?|subject|summary|comment|pattern|oldstring|newstring|oldstr|newstr|oldtext|newtext|filetext|inserttext|reason|explanation|thought|data|markdown)$/;
const CODE =
  /^(patch|patches|diff|diffs|code|script|function|expression|source|html|javascript|python|js|input|chars|keys|connectionstring|dsn)$/;
const PLAIN_MAX = 4_096;

/** Only the host of an address counts: its path names no other host. */
function hostsOf(text: string): string {
  return text.replace(/([a-z][\w+.-]*:\/\/[^/?#\s]*)\S*/gi, "$1");
}

/** Removes quotes, backticks and the sign for an attached file. They are not part of the name. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^[@'"`]+|['"`]+$/g, "")
    .replace(/^[a-z-]+:(\/\/)?(?=[^/\s]*\/)/i, "")
    .replace(/[#?:].*$/, "");
}

/** If the text is used as an address, `%2F` is a slash. */
function decoded(text: string): readonly string[] {
  if (!/%[0-9a-f]{2}/i.test(text) || text.length >= PLAIN_MAX) return [];
  try {
    return [decodeURIComponent(text)];
  } catch {
    return [];
  }
}
