import { type EffectClass, graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { plain, type Word } from "../script.ts";
import { sqlEffect } from "../sql.ts";

function worsen(line: Line, kind: EffectClass): void {
  line.class = graver(line.class, kind);
}

/** Statements come as words, from a file or as input; a statement that cannot be parsed may do anything to the data. */
export function checkStatements(line: Line, operands: () => void): void {
  checkConnecting(line, operands);
  for (const name of ["-c", "-e", "--eval", "-q"]) {
    for (const word of line.given.get(name) ?? []) if (word !== undefined) takeMeta(line, word);
  }
  if (line.name === "psql" && line.given.get("-o")?.some((word) => word === undefined || /^\s*\|/.test(word.text))) {
    worsen(line, "process.exec");
    line.doubts.add(say("note.results_go_to_program"));
  }
  if (/^(mysql|mariadb)$/.test(line.name) && [...line.operands, ...(line.given.get("-D") ?? [])].some(holdsLogins))
    worsen(line, "secrets.read");
  takeInput(line);
}

/** The database in which MySQL stores logins. */
function holdsLogins(word: Word | undefined): boolean {
  return word !== undefined && (word.kind === "open" || /^mysql$/i.test(word.text));
}

/** A dump may contain everything, and a condition is a part of the statement that the client sends. */
export function checkDump(line: Line, operands: () => void): void {
  operands();
  const databases = line.given.has("-B") ? line.operands : line.operands.slice(0, 1);
  if (line.given.has("-A") || databases.some(holdsLogins)) worsen(line, "secrets.read");
  for (const word of line.given.get("-w") ?? []) {
    if (word === undefined) continue;
    if (word.kind === "open") line.doubts.add(say("note.condition_known_only_at_run"));
    takeWord(line, "sql", plain(`select 1 where ${word.text}`));
  }
}

/** Settings of a connection that name a library to load, or a file whose lines are sent. */
const LOADING = /\b(sslkey|sslcert|passfile|service|servicefile)\s*=/i;

/** The name of a database may be a text of settings instead. */
export function checkConnecting(line: Line, operands: () => void): void {
  operands();
  const named = [...line.operands, ...(line.given.get("-d") ?? [])];
  if (named.some((word) => word !== undefined && LOADING.test(word.text)))
    line.doubts.add(say("note.connection_file_not_examined"));
}

/** Without a statement among the words, the input is one. */
function takeInput(line: Line): void {
  const { input, more } = line.simple;
  if (more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
  if (line.statements.length > 0 || line.class !== "db.read") return;
  const asked = ["-l", "-V", "--version", "--help"].some((name) => line.given.has(name));
  if (typeof input === "object" && "text" in input) {
    takeWord(line, "sql", plain(input.text));
    takeMeta(line, plain(input.text));
    if (line.given.has("-v") && line.name === "psql" && /:\{?['"\w]/.test(input.text.replaceAll("::", ""))) {
      worsen(line, "db.write");
      line.doubts.add(say("note.client_variable_in_statement"));
    }
  } else if (!asked) {
    worsen(line, "db.write");
    line.doubts.add(say("note.statements_known_only_at_run"));
  }
}

/** `\dt` and similar commands only describe; what follows in backquotes would be run. */
const DESCRIBING = /^\s*\\(d[a-zA-Z]*[+S]*|l\+?|z|sf\+?|sv\+?|conninfo|timing|encoding)(\s[^\\`|]*)?$/;
/** Ends a statement, or stands for a character in a text. */
const ESCAPES = /\\[Gg'"\\nrt0%_bZ]/g;
const CLIENT_WORDS =
  /(^|;)\s*(system|source|tee|pager|edit|connect|delimiter)\b|\binto\s+(out|dump)file\b|\bload_file\b|\bcopy\b[^;]*\bprogram\b/im;

/** Clients have their own commands that access files and programs. */
function takeMeta(line: Line, word: Word): void {
  if (word.kind === "plain" && line.name === "psql" && DESCRIBING.test(word.text)) {
    line.statements = line.statements.map((one) => (one.text === word.text ? plain("show all") : one));
    return;
  }
  const text = line.name === "psql" ? word.text : word.text.replace(ESCAPES, "");
  if (!text.includes("\\") && !CLIENT_WORDS.test(text)) return;
  worsen(line, "process.exec");
  line.doubts.add(say("note.client_command_not_examined"));
}

/** Commands of the client that only show something. */
const LOOKING =
  /^\.(tables?|schema|indexes|indices|databases|dbinfo|fullschema|headers?|mode|help|show|version|width|nullvalue|separator|timer|stats|eqp|explain|echo|bail|quit|exit|sha3sum|lint|print|changes|limit|dump)\b[^|;]*$/i;
const ACTING =
  /\b(writefile|readfile|load_extension|edit|fts3_tokenizer|zipfile|fsdir|lsmode)\s*\(|\b(attach|vacuum\s+into|copy|install|load)\b|\b(read|write|sniff|glob)_?(csv|parquet|json|text|blob|ndjson|auto)?\w*\s*\(\s*'|(?<!["'])\b(from|join|table|describe|desc|summarize|pivot|unpivot|using)\b(\s|\/\*(?:(?!\*\/).)*\*\/|\()*["']|,\s*"[^"]*[./][^"]*"/is;

/** A database that is a file: a statement may be a command of the client, and functions access other files. */
export function checkFileDatabase(line: Line, operands: () => void): void {
  operands();
  const [file, ...statements] = line.operands;
  const given = [...statements, ...(line.given.get("-cmd") ?? []), ...(line.given.get("-c") ?? [])].filter(
    (word) => word !== undefined,
  );
  const { input } = line.simple;
  if (given.length === 0 && typeof input === "object" && "text" in input) given.push(plain(input.text));
  if (given.length === 0 && !line.given.has("--version")) {
    worsen(line, "db.write");
    line.doubts.add(say("note.statements_known_only_at_run"));
  }
  for (const word of given) takeFileStatement(line, word);
  // `md:name`, `postgres:…`: a database on another machine, for which a client first loads an extension.
  if (file !== undefined && /^(?!file:)[a-z][\w+-]+:/i.test(file.text))
    line.doubts.add(say("note.database_address_unreadable"));
  const reads = line.class === "db.read" && line.statements.every((word) => sqlEffect(word.text).class === "db.read");
  if (file !== undefined) takeDatabase(line, file, reads);
  const isLooking = given.length > 0 && given.every(onlyLooks);
  if (file !== undefined && !isInMemory(file) && !isLooking) doubtViews(line);
}

/** Commands of the client that describe the tables evaluate nothing. */
function onlyLooks({ kind, text }: Word): boolean {
  return kind === "plain" && text.split("\n").every((one) => /^\s*$/.test(one) || LOOKING.test(one.trim()));
}

/**
 * A view or trigger was made by whoever made the database, and a statement runs it: `edit('', './x')` in it starts a program. With `-safe`
 * sqlite3 refuses that. In duckdb it may read any file, and load an extension.
 */
function doubtViews(line: Line): void {
  if (line.name === "sqlite3" && line.given.has("-safe")) return;
  line.besides.add("process.exec");
  line.doubts.add(say(line.name === "sqlite3" ? "note.view_may_start_programs" : "note.view_may_read_files"));
}

/** Only in memory. */
const NO_FILE = /^(:memory:.*)?$/;

function isInMemory({ kind, text }: Word): boolean {
  return kind === "plain" && NO_FILE.test(text);
}

/** A database that does not exist is created when it is opened, unless the words say that it is only read. */
function takeDatabase(line: Line, file: Word, reads: boolean): void {
  const [, path = "", query = ""] = /^file:(?:\/\/[^/]*(?=\/))?([^?#]*)\??([^#]*)/is.exec(file.text) ?? [];
  const isAddress = file.kind === "plain" && /^file:/i.test(file.text);
  if (isAddress && /%(?![2-7][0-9a-f])|(^|&)vfs=/i.test(`${path}&${query}`))
    line.doubts.add(say("note.database_address_unreadable"));
  const place = isAddress
    ? plain(path.replace(/%([2-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))))
    : file;
  if (file.kind === "plain" && (NO_FILE.test(place.text) || /(^|&)mode=memory(&|$)/.test(query))) return;
  takeWord(line, reads ? "read" : "write", place);
  const modes = query.split("&").filter((part) => part.startsWith("mode="));
  const only = line.given.has("-readonly") || (modes.length === 1 && /^mode=(ro|rw)$/.test(modes[0] ?? ""));
  const opensOnly = line.given.has("-readonly") || /(^|&)(mode=ro|immutable=1)(&|$)/.test(query);
  // Opening the database for changes rolls back a journal beside it.
  if (line.name === "sqlite3" && !opensOnly && place.kind === "plain") line.obeys.push({ by: "sqlite", at: place });
  if (reads && !only) line.paths = line.paths.map((one) => (one.word === place ? { ...one, made: true } : one));
}

function takeFileStatement(line: Line, word: Word): void {
  const lines = word.text.split("\n").map((text) => text.trim());
  const commands = lines.filter((text) => text.startsWith("."));
  if (
    word.kind !== "plain" ||
    commands.some((text) => !LOOKING.test(text)) ||
    ACTING.test(word.text) ||
    (line.name === "duckdb" && /,\s*["']/.test(word.text))
  ) {
    worsen(line, "process.exec");
    line.doubts.add(say("note.client_command_not_examined"));
  }
  const rest = lines
    .filter((text) => !text.startsWith("."))
    .join("\n")
    .trim();
  takeWord(line, "sql", plain(rest === "" ? "select 1" : rest));
}

const REDIS_READING = new Set(
  "get mget exists type ttl pttl strlen getrange substr getbit bitcount bitpos keys scan randomkey dbsize info ping echo time hget hmget hgetall hkeys hvals hlen hexists hscan hstrlen hrandfield lrange lindex llen lpos smembers sismember smismember scard srandmember sscan sinter sunion sdiff sintercard zrange zrangebyscore zrevrange zrevrangebyscore zrangebylex zrevrangebylex zscore zmscore zcard zcount zlexcount zrank zrevrank zscan zrandmember zinter zunion zdiff xrange xrevrange xlen xread xinfo xpending geopos geodist geohash geosearch georadius_ro pfcount lastsave object command lolwut role expiretime pexpiretime dump json.get json.mget json.type json.objkeys ft.search ft.info ts.get ts.range help".split(
    " ",
  ),
);
const REDIS_RIGHTS =
  /^(acl|auth|config|module|slaveof|replicaof|debug|shutdown|migrate|script|function|eval|evalsha|eval_ro|fcall|failover|cluster|sentinel|monitor|client)$/;

/** `redis-cli get key`: the first word is what is done. */
export function checkRedis(line: Line, operands: () => void): void {
  operands();
  const [first, second] = line.operands;
  for (const word of line.given.get("-u") ?? []) {
    const host = /^rediss?:\/\/(?:[^@/]*@)?([\w.-]+)/.exec(word?.text ?? "")?.[1];
    if (host === undefined || word?.kind !== "plain") line.doubts.add(say("note.database_address_unreadable"));
    else line.hosts.push(plain(host));
  }
  const scans = [
    "--scan",
    "--bigkeys",
    "--memkeys",
    "--hotkeys",
    "--stat",
    "--latency",
    "--latency-history",
    "--version",
    "--help",
  ].some((name) => line.given.has(name));
  if (first === undefined && scans) return;
  if (first?.kind !== "plain") {
    worsen(line, "db.write");
    line.doubts.add(say("note.database_action_known_only_at_run"));
    return;
  }
  const verb = first.text.toLowerCase();
  const asks =
    (verb === "config" && second?.text.toLowerCase() === "get") ||
    (verb === "memory" && /^(usage|stats|doctor|malloc-stats|help)$/i.test(second?.text ?? "")) ||
    (verb === "client" && /^(list|info|id|getname)$/i.test(second?.text ?? "")) ||
    (verb === "cluster" && /^(info|nodes|slots|shards|myid)$/i.test(second?.text ?? "")) ||
    (verb === "slowlog" && /^(get|len)$/i.test(second?.text ?? ""));
  if (
    verb === "config" &&
    asks &&
    line.operands.slice(2).some((word) => word.kind !== "plain" || /pass|auth|\*/i.test(word.text))
  )
    worsen(line, "secrets.read");
  else if (!REDIS_READING.has(verb) && !asks) worsen(line, REDIS_RIGHTS.test(verb) ? "permissions.change" : "db.write");
  if (/^(flushall|flushdb|del|unlink|rename|swapdb|getdel)$/.test(verb)) line.lasting = true;
}

const CLUSTER_SECRETS = "/registry/secrets";

/** A cluster stores its secrets in etcd, readable for every client with access. */
export function checkEtcd(line: Line, operands: () => void): void {
  operands();
  if (line.given.has("--keys-only") || line.given.has("--count-only")) return;
  const [key, end] = line.operands;
  if (key?.kind !== "plain") {
    line.doubts.add(say("note.request_known_only_at_run"));
    return;
  }
  const many = end !== undefined || line.given.has("--prefix") || line.given.has("--from-key");
  if (key.text.startsWith(CLUSTER_SECRETS) || (many && CLUSTER_SECRETS.startsWith(key.text)))
    worsen(line, "secrets.read");
}
