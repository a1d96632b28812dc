import { type EffectClass, graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { takesIn } from "../../tables/receivers.ts";
import { SYSTEM_SHELL } from "../other-shells.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { isDigits, plain, type Word } from "../script.ts";

function worsen(line: Line, kind: EffectClass): void {
  line.class = graver(line.class, kind);
}

function values(line: Line, ...names: string[]): Word[] {
  return names.flatMap((name) => line.given.get(name) ?? []).filter((word) => word !== undefined);
}

const READING_METHOD = /^(get|head|options)$/i;

/** The method is in the words, or follows from whether anything is sent. */
function takeMethod(line: Line, methods: readonly Word[]): void {
  if (methods.some((word) => word.kind !== "plain" || !READING_METHOD.test(word.text))) worsen(line, "network.write");
}

/** `@name` stands for the content of the file. */
function takeMentioned(line: Line, words: readonly Word[], mention: RegExp): void {
  for (const word of words) {
    const file = mention.exec(word.text)?.[1];
    if (file !== undefined && file !== "-") takeWord(line, "read", plain(file));
  }
}

const SENDING = ["-d", "--data-urlencode", "--json", "-F"];

/** What curl sends and saves, and the files that its values name. */
export function checkCurl(line: Line, operands: () => void): void {
  operands();
  const sends = SENDING.some((name) => line.given.has(name));
  if (sends && (!line.given.has("-G") || line.given.has("--next"))) worsen(line, "network.write");
  takeMethod(line, values(line, "-X"));
  takeMentioned(line, values(line, "-d", "--json"), /^@(.+)$/s);
  takeMentioned(line, values(line, "--data-urlencode", "--url-query"), /^[^=@]*@(.+)$/s);
  // With `-G` a file is sent in the address instead.
  if (values(line, "-d", "--data-urlencode", "--url-query").some((word) => /^[^=]*@/.test(word.text)))
    worsen(line, "network.write");
  // The server that answers gets the password.
  if (["-u", "-U", "--oauth2-bearer", "--aws-sigv4"].some((name) => line.given.has(name)))
    worsen(line, "network.write");
  takeMentioned(line, values(line, "-F"), /^[^=]*=[@<]([^;,]+)/s);
  takeMentioned(line, values(line, "-H", "--proxy-header", "-w"), /^@(.+)$/s);
  if (values(line, "-H", "--proxy-header").some((word) => word.text.startsWith("@"))) worsen(line, "network.write");
  takeMentioned(line, values(line, "-b"), /^([^=]+)$/s);
  // The content of a file of cookies or passwords is sent with the request.
  const files = values(line, "-b").filter((word) => !word.text.includes("="));
  if (files.length > 0 || line.given.has("--netrc-file")) worsen(line, "network.write");
  for (const word of values(line, "-w")) {
    // A format in a file may also name files to write.
    if (/%output\{|^@/.test(word.text)) line.doubts.add(say("note.written_file_not_examined"));
    if (/%\{.*(env|variable)/i.test(word.text)) line.doubts.add(say("note.output_not_examined"));
  }
  for (const word of values(line, "-H")) if (/^x-(http-)?method/i.test(word.text)) worsen(line, "network.write");
  for (const word of line.urls) takeAddress(line, word);
  // `--url @name` reads its addresses from the file.
  takeMentioned(line, line.urls, /^@(.+)$/s);
  if (line.urls.some((word) => word.text.startsWith("@"))) worsen(line, "network.write");
  // An address that stands for several is saved under several names, and so is a numbered one.
  const several = line.given.has("-O") && line.urls.some((word) => /[{}[\]]/.test(word.text));
  if (several || values(line, "-o").some((word) => /#\d/.test(word.text)))
    line.doubts.add(say("note.written_file_known_only_at_run"));
  // With `-O` the file is saved under the last name of the address.
  if (line.given.has("-O") && !line.given.has("-J"))
    for (const name of new Set(line.urls.flatMap((word) => [word, withoutSlash(word)])))
      takeWord(line, "write", kept(name));
  if (line.given.has("-J") || line.given.has("--output-dir") || namesByPattern(line)) {
    line.doubts.add(say("note.written_file_known_only_at_run"));
  }
  doubtScript(line);
}

/** Braces and brackets in an address stand for several names, and `#1` for the first of them. */
function namesByPattern(line: Line): boolean {
  if (line.given.has("-g")) return false;
  const parts = line.urls.map(({ text }) => text.replace(/^([a-z]+:\/+)?(\[[^\]]*\])?/i, ""));
  const numbered = values(line, "-o").some(({ text }) => /#\d/.test(text));
  return (numbered || line.given.has("-O")) && parts.some((text) => /[{[]/.test(text));
}

/** A file that is saved under such a name is meant to be run. */
const SCRIPT = /\.([cm]?[jt]s|sh|bash|zsh|py|rb|pl)$/i;

function doubtScript(line: Line): void {
  const kept = line.paths.filter(({ act }) => act === "write").map(({ word }) => word);
  const sent = line.simple.redirects.filter(({ writes }) => writes).map(({ to }) => to);
  if ([...kept, ...sent].some(({ text }) => SCRIPT.test(text))) line.doubts.add(say("note.download_kept_as_script"));
}

/** Some programs expand braces and brackets in an address themselves, which may then lead elsewhere. */
function takeAddress(line: Line, word: Word): void {
  const host = /^(?:[a-z][\w+.-]*:[/\\]+)?[^/?#]*/i.exec(word.text)?.[0] ?? "";
  if (/[{}[\]*?]/.test(host)) line.doubts.add(say("note.address_is_several"));
  if (!/^file:/i.test(word.text)) return;
  if (/[{}[\]]/.test(word.text)) line.doubts.add(say("note.address_is_several"));
  line.urls = line.urls.filter((one) => one !== word);
  takeWord(line, "read", plain(decoded(word.text.replace(/^file:(\/\/[^/]*)?/i, ""))));
}

function decoded(text: string): string {
  return /%(?![0-9a-f]{2})/i.test(text)
    ? text
    : text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The last name of an address is the name of the saved file. */
function kept(word: Word): Word {
  if (word.kind === "open") return word;
  const name = /\/([^/?#]+)(?:[?#]|$)/.exec(word.text.replace(/^[a-z]+:\/+/i, ""))?.[1];
  return plain(decoded(name ?? "index.html"));
}

/** For an address that ends with a slash, newer versions use the last folder as the name. */
function withoutSlash(word: Word): Word {
  const text = word.text.replace(/\/+(?=[?#]|$)/, "");
  return word.kind === "open" || text === word.text ? word : { ...word, text };
}

function within(folder: Word, name: Word): Word {
  if (folder.kind !== "plain" || name.kind !== "plain")
    return { kind: "open", text: name.text, start: "", split: false };
  return plain(`${folder.text.replace(/\/+$/, "")}/${name.text}`);
}

/** Wget saves the response as a file, unless it only checks whether it exists. */
export function checkWget(line: Line, operands: () => void): void {
  operands();
  takeMethod(line, values(line, "--method"));
  if (["--user", "--password", "--http-user", "--http-password"].some((name) => line.given.has(name)))
    worsen(line, "network.write");
  for (const word of line.urls) takeAddress(line, word);
  keepFetched(line);
  doubtScript(line);
}

function keepFetched(line: Line): void {
  const folder = line.given.get("-P")?.at(-1);
  // Without an option, the server chooses the name of what aria2c fetches, and it may be a list of further files.
  if (line.name === "aria2c" && !line.given.has("-o")) line.doubts.add(say("note.sender_names_files"));
  const many = line.given.has("-r") || line.given.has("-m") || line.given.has("-p") || line.given.has("-x");
  if (many && !line.given.has("--spider")) line.doubts.add(say("note.sender_names_files"));
  if (line.given.has("-O") || line.given.has("--spider") || line.urls.length === 0) return;
  if (folder !== undefined) {
    for (const word of line.urls) takeWord(line, "write", within(folder, kept(word)));
    return;
  }
  for (const word of line.urls) takeWord(line, "write", many ? plain(".") : kept(word), { deep: many });
}

/** `http POST address name=value`: the method is a separate word or follows from the items after the address. */
export function checkHttpie(line: Line, operands: () => void): void {
  operands();
  const [first, ...rest] = line.operands;
  const named = first !== undefined && /^[A-Za-z]+$/.test(first.text) && rest.length > 0 && first.text !== "localhost";
  const [address, ...items] = named ? rest : line.operands;
  if (address !== undefined)
    takeWord(
      line,
      "url",
      plainOr(address, address.text.replace(/^:(?=\d)/, "localhost:").replace(/^:\/?/, "localhost/")),
    );
  if (named) takeMethod(line, [first]);
  else if (items.some((word) => word.kind !== "plain" || /^([^:=@]+(:?=[^=]|:=)|[^:=@]*@)/.test(word.text)))
    worsen(line, "network.write");
  if (line.simple.input !== undefined && !line.given.has("--ignore-stdin")) worsen(line, "network.write");
  takeMentioned(line, items, ITEM_FILE);
  if (items.some((word) => ITEM_FILE.test(word.text))) worsen(line, "network.write");
  for (const word of values(line, "--session")) takeWord(line, "write", keptSession(word));
}

/** A session that is not a path is stored among the person's settings. */
function keptSession(word: Word): Word {
  return word.text.includes("/") ? word : plainOr(word, `~/.config/httpie/sessions/${word.text}.json`);
}

/** `a@file`, `a=@file`, `a==@file`, `a:@file` and `a:=@file` send the content of the file, with any method. */
const ITEM_FILE = /(?:^[^:=@]*|[:=])@([^;]+)/s;

function plainOr(word: Word, text: string): Word {
  return word.kind === "open" ? word : plain(text);
}

const STARTING =
  /^(proxycommand|localcommand|knownhostscommand|permitlocalcommand|match|include|pkcs11provider|securitykeyprovider|xauthlocation|proxyusefdpass|sendenv|setenv)/i;

/** Options of ssh that make it start programs here, and the text that the remote shell runs. */
export function checkSsh(line: Line, operands: () => void): void {
  operands();
  for (const word of values(line, "-o")) {
    const [, name = "", value = ""] = /^\s*(\w+)\s*[=\s]?\s*(.*)$/s.exec(word.text) ?? [];
    if (word.kind === "plain" && !STARTING.test(name)) continue;
    line.doubts.add(say("note.ssh_setting_may_start_program", { setting: name }));
    if (/command$/i.test(name) && word.kind === "plain") line.inner.push({ text: value, shell: SYSTEM_SHELL });
  }
  const remote = line.inner.findIndex((one) => "words" in one);
  const there = line.inner[remote];
  if (there === undefined || !("words" in there)) return;
  line.inner.splice(remote, 1);
  if (there.words.every((word) => word.kind === "plain"))
    line.inner.push({ text: there.words.map((word) => word.text).join(" "), shell: SYSTEM_SHELL });
  else line.doubts.add(say("note.remote_text_known_only_at_run"));
}

const REMOTE = /^(?:scp|sftp|rsync):\/\/|^(?:[^/@:]+@)?(\[[^\]]+\]|[^/:[\]]+):/;

/** Copies between this and another machine: outgoing files are sent, incoming ones are written. */
export function checkTransfer(line: Line, operands: () => void): void {
  operands();
  const to = line.operands.at(-1);
  for (const word of line.operands) {
    if (word.kind === "open" && word.start === "") line.doubts.add(say("note.target_known_only_at_run"));
    const there = REMOTE.exec(word.text);
    if (there === null) takeWord(line, word === to ? "write" : "read", word, { deep: word !== to });
    else {
      line.hosts.push(plain(there[1] ?? /\/\/(?:[^@/]*@)?([^:/]+)/.exec(word.text)?.[1] ?? ""));
      if (word === to) worsen(line, "network.write");
      else line.doubts.add(say("note.other_machine_names_files"));
    }
  }
}

/** Typed text and input are sent; without input only the response counts. */
export function checkTyped(line: Line, operands: () => void): void {
  operands();
  const { input, redirects } = line.simple;
  const nothing = redirects.some(({ writes, to }) => !writes && to.text === "/dev/null");
  const little =
    typeof input === "object" &&
    ("text" in input
      ? /^\s*Q?\s*$/i.test(input.text)
      : "from" in input &&
        /^(echo|echo -n|echo Q|true|:|printf)( ''| Q)?$/.test(
          input.from.words
            .map((word) => word.text)
            .join(" ")
            .trim(),
        ));
  const scans = line.given.has("-z");
  if (!nothing && !little && !scans) worsen(line, "network.write");
}

const ADDRESS = /^(?:https?|ftp|ssh|git|git\+\w+):\/\//i;
/** An image that is a file or a folder of this machine. */
const STORED = /^(?:dir|file|oci|oci-archive|docker-archive):(?:\/\/)?(?=[^\s])([^:]+)/i;

/** A package, a module or an image is given by its name, its address or its file. */
export function checkAddressed(line: Line, operands: () => void): void {
  operands();
  for (const word of line.operands) {
    const file = STORED.exec(word.text)?.[1];
    if (file !== undefined) takeWord(line, "read", plainOr(word, file), { deep: true });
    else if (ADDRESS.test(word.text)) {
      worsen(line, "network.read");
      takeWord(line, "url", word);
    }
  }
}

/** The machine whose processes are shown: `jps host:port`, `jstat -gc 1@host`; this machine if none is named. */
export function checkJvm(line: Line, operands: () => void): void {
  operands();
  const [first] = line.operands;
  const named = first?.kind === "plain" ? /^(?:rmi:)?(?:\/\/)?(?:([^@/]*)@)?([^@:/]*)/.exec(first.text) : undefined;
  const host = line.name === "jps" || named?.[1] !== undefined ? named?.[2] : undefined;
  const isLocal = line.name === "jstat" && /^\d+$/.test(first?.text ?? "");
  if (first === undefined || isLocal) return;
  if (host === undefined || host === "") return void line.doubts.add(say("note.machine_unclear"));
  worsen(line, "network.read");
  line.hosts.push(plain(host));
}

/** Recipients such as `age1yubikey1…`, and keys in a file, may belong to a plugin: a program that is then started. */
export function checkAge(line: Line, operands: () => void): void {
  operands();
  const plugin = values(line, "-r").some((word) => word.kind !== "plain" || /^age1[^1]*1/.test(word.text));
  if (plugin || (line.given.has("-i") && !line.given.has("-d"))) line.doubts.add(say("note.may_start_plugin"));
}

/** The name server gets the name, with everything in it; without a name, `nslookup` asks for every line of its input. */
export function checkLookup(line: Line, operands: () => void): void {
  operands();
  const isListed = line.operands.every((word) => word.text === "-");
  if (line.name === "nslookup" && isListed && line.simple.input !== undefined) worsen(line, "network.write");
  if (line.operands.some((word) => takesIn(word.text.toLowerCase().replace(/\.+$/, "")))) worsen(line, "network.write");
}

/** Classes of programs that reach other machines: servers on the network, and databases. */
const REACHING: ReadonlySet<EffectClass> = new Set<EffectClass>([
  "network.read",
  "network.write",
  "network.sse.write",
  "message.send",
  "browser.read",
  "browser.act",
  "db.read",
  "db.write",
]);

/**
 * Whatever a program sends to another machine leaves this one: an option of the server, a header, the name of a user or of a branch. A text that is
 * known only at run time may be the content of any file, so it asks, unless the table says that the option keeps it here (`local`).
 */
export function doubtSentWords(line: Line): void {
  const isReaching = [line.class, ...line.besides].some((kind) => REACHING.has(kind));
  if (!isReaching && line.urls.length + line.hosts.length === 0) return;
  const { words, more } = line.simple;
  const isSent = words.some((word) => isUnknown(word) && !line.local.has(word));
  if (isSent || more !== undefined || namedByPattern(line)) line.doubts.add(SENT);
}

const SENT = say("note.sent_data_known_only_at_run");

/** Digits, and the name of a commit or a container, are no content of a file. */
function isUnknown(word: Word): boolean {
  return word.kind === "open" && !isDigits(word) && word.printed !== "name" && word.printed !== "tag";
}

/** A pattern stands for names of files. In an address, a question mark begins the query. */
function namedByPattern({ operands, given, paths, urls }: Line): boolean {
  const isPath = (word: Word) => paths.some((path) => path.word === word);
  const isQuery = (word: Word) => urls.includes(word) && word.kind === "glob" && !/[*[\]]/.test(word.text);
  const words = [...operands, ...[...given.values()].flat()];
  return words.some((word) => word?.kind === "glob" && !isPath(word) && !isQuery(word));
}
