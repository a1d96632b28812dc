import { type EffectClass, graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { type Line, startInner, takeWord } from "../path-uses.ts";
import { plain, type Word } from "../script.ts";

function sure(word: Word): string {
  return word.kind === "open" ? word.start : word.text;
}

function raise(line: Line, kind: EffectClass): void {
  line.class = graver(line.class, kind);
}

/** A word for `date` that is not a format sets the clock. `-f` names a file, or with `-j` the format of the date. */
export function checkDate(line: Line): void {
  if (!line.given.has("-j")) for (const word of line.given.get("-f") ?? []) if (word) takeWord(line, "read", word);
  if (!line.given.has("-j") && line.operands.some((word) => !sure(word).startsWith("+"))) {
    raise(line, "permissions.change");
  }
}

/** On some systems `stat -f` takes a format before the files. */
export function checkStat(line: Line, operands: () => void): void {
  if (line.operands[0]?.text.startsWith("%") === true && /^-\w*f/.test(line.simple.words[1]?.text ?? "")) {
    line.operands = line.operands.slice(1);
  }
  operands();
}

/**
 * `csplit -f a/ -b ../b%d` writes to `a/../b0`: if the suffix contains a slash, the prefix does not say where files
 * are written. And with `%.0d` the first name has no number.
 */
export function checkSuffix(line: Line, operands: () => void): void {
  operands();
  const plainly = /^[\w-]*%0?\d*[diuxX][\w.-]*$/;
  if (line.given.get("-b")?.some((word) => word?.kind !== "plain" || !plainly.test(word.text)) === true)
    line.doubts.add(say("note.written_files_not_examined"));
}

/** `pdftotext a.pdf` saves the text beside the file, as `a.txt`, if no other place is named. */
export function checkBeside(line: Line, operands: () => void): void {
  operands();
  const [from, to] = line.operands;
  if (from === undefined || to !== undefined) return;
  const text = `${from.text.replace(/\.pdf$/i, "")}.txt`;
  takeWord(line, "write", from.kind === "plain" ? plain(text) : from);
}

/** For `ps` the letter `e` without a dash means: show the variables of every process. */
export function checkPs(line: Line): void {
  const formats = [...(line.given.get("-o") ?? [])].some((word) => word?.kind !== "plain" || /env/i.test(word.text));
  // The first word of `docker top` is the name of the container.
  const asked = line.name.endsWith(" top") ? line.operands.slice(1) : line.operands;
  const letters = asked.some((word) => word.kind !== "plain" || /^[a-zA-Z]*e[a-zA-Z]*$/.test(word.text));
  // Without a dash the format may be a separate word: `ps axo pid,environ`.
  const named = asked.some((word) => /environ/i.test(word.text));
  if (formats || letters || named) raise(line, "secrets.read");
}

/** The complete data of a unit contains its variables. */
export function checkUnit(line: Line, operands: () => void): void {
  operands();
  const asked = [...(line.given.get("-p") ?? []), ...(line.given.get("-P") ?? [])];
  const told = asked.some((word) => word?.kind !== "plain" || /environ/i.test(word.text));
  if (told || asked.length === 0) raise(line, "secrets.read");
}

/** A formula given by file or address is a program that is run to be described. */
export function checkBrew(line: Line, operands: () => void): void {
  operands();
  if (line.operands.some((word) => word.kind !== "plain" || /^[./~]|:|\.rb$/.test(word.text)))
    line.doubts.add(say("note.runs_described_program"));
  if (line.operands.some((word) => word.text.includes("/") && !/^homebrew\/(core|cask)\//.test(word.text)))
    raise(line, "process.exec");
}

/** The browser that shows the page is a separate program. */
export function checkMan(line: Line, operands: () => void): void {
  operands();
  // A page with a folder in its name is a file.
  for (const word of line.operands) if (word.kind === "open" || /[/.]/.test(word.text)) takeWord(line, "read", word);
  if (line.operands.some((word) => word.kind === "open" || word.text.includes("/")))
    line.doubts.add(say("note.shown_files_named_in_file"));
  if (line.given.has("-H")) line.doubts.add(say("note.runs_program_for_page"));
}

export function checkAck(line: Line, operands: () => void): void {
  operands();
  if (line.given.get("--pager")?.some((word) => word !== undefined) === true)
    line.doubts.add(say("note.runs_program_for_results"));
}

/** `+` begins a command for the pager, which may run programs. */
export function checkPager(line: Line, operands: () => void): void {
  const orders = line.operands.filter((word) => sure(word).startsWith("+"));
  line.operands = line.operands.filter((word) => !orders.includes(word));
  if (orders.some((word) => word.kind !== "plain" || !/^\+{1,2}(\d*|[FGg]|\/[^\n\r]*)$/.test(word.text))) {
    line.doubts.add(say("note.pager_gets_command"));
  }
  // Letters after a number are further options: `-b10oout` saves the output in `out`.
  const numbers = NUMBERED.flatMap((name) => line.given.get(name) ?? []);
  if (numbers.some((word) => word !== undefined && !/^[-\d.,]*$/.test(sure(word)))) {
    line.doubts.add(say("note.pager_gets_options"));
  }
  // Some pagers read the word after `-p` as a command if its first character cannot begin a file name.
  if (
    line.simple.words.some(({ text }) => text === "-p") &&
    line.operands.some((word) => /^[^\w./~-]/.test(sure(word)))
  ) {
    line.doubts.add(say("note.pager_gets_command"));
  }
  // A new line ends a pattern, a `$` the text of an option: what follows is typed into the pager.
  const texts = [...line.given.values()].flat();
  if (texts.some((word) => word !== undefined && /[\n\r]|\$./.test(word.text))) {
    line.doubts.add(say("note.pager_gets_command"));
  }
  operands();
}

/** Options of the pager that take a number. */
const NUMBERED = ["-b", "-h", "-j", "-x", "-y", "-z"];

/** The patch says which files change. */
export function checkPatch(line: Line, operands: () => void): void {
  operands();
  if (line.class === "fs.write") line.doubts.add(say("note.files_named_in_patch"));
}

/** Output to the screen or to nothing is only passed on. */
export function checkTee(line: Line, operands: () => void): void {
  operands();
  if (line.simple.more === undefined && line.operands.every((word) => word.kind === "plain" && NOWHERE.test(word.text)))
    line.class = "none";
}

const NOWHERE = /^(\/dev\/(null|tty|stdout|stderr)|-)$/;
const DD = /^(bs|cbs|ibs|obs|count|skip|seek|iseek|oseek|conv|iflag|oflag|status|files|fillchar|speed)=/;
const DEVICE = /^\/dev\/(?!(null|zero|full|tty|stdout|stderr|fd\/\d+|shm\/.*)$)/;

/** `if=` is read and `of=` written; a device that is written loses its content. */
export function checkDd(line: Line): void {
  for (const word of line.simple.words.slice(1)) {
    const text = sure(word);
    const value: Word =
      word.kind === "open"
        ? { ...word, text: word.text.slice(3), start: text.slice(3) }
        : { ...word, text: word.text.slice(3) };
    if (text.startsWith("if=")) takeWord(line, "read", value);
    else if (text.startsWith("of=")) {
      if (value.kind === "plain" && NOWHERE.test(value.text)) continue;
      const device = DEVICE.test(value.text);
      raise(line, device ? "fs.delete" : "fs.write");
      takeWord(line, device ? "delete" : "write", value);
    } else if (!DD.test(text) && !/^--(help|version)$/.test(text)) {
      line.doubts.add(say("note.dd_part_unknown", { part: word.text }));
    }
  }
}

/** A link allows reading and writing its target later, so the target counts as both. */
export function checkLink(line: Line, operands: () => void): void {
  operands();
  const { operands: words, given } = line;
  const into = given.get("-t")?.at(-1);
  const targets = into === undefined && words.length > 1 ? words.slice(0, -1) : words;
  const name = into ?? (words.length > 1 ? words.at(-1) : undefined);
  for (const target of targets) {
    for (const word of given.has("-s") && !given.has("-r") ? seenFrom(target, name) : [target]) {
      takeWord(line, "read", word, { deep: true });
      takeWord(line, "write", word);
    }
  }
}

/** A relative link starts from its own folder: the folder of its name, or its name if that is a folder. */
function seenFrom(target: Word, name: Word | undefined): readonly Word[] {
  if (target.kind !== "plain" || name === undefined || /^[/~]/.test(target.text)) return [target];
  if (name.kind !== "plain") return [{ kind: "open", text: target.text, start: "", split: false }];
  const parent = name.text.includes("/") ? name.text.slice(0, name.text.lastIndexOf("/") + 1) : "";
  return [`${parent}${target.text}`, `${name.text}/${target.text}`].map((text) => ({ kind: "plain", text }));
}

/** Modes that let nobody else write and give nobody another identity. */
const MILD = /^(([ugoa]*[-+=][rxX]+|u?[-+]w)(,|$))+$/;

/** Making a script executable or a file readable is an ordinary change; the rest is a change of rights. */
export function checkChmod(line: Line, operands: () => void): void {
  const [mode] = line.operands;
  const text = mode?.kind === "plain" ? mode.text : "";
  const digits = digitsOf(text);
  if (isMild(text) && !line.deep && !line.given.has("--reference")) line.class = "fs.write";
  operands();
  // Making a file readable for others reveals it to them.
  const opens = OPENING.test(text) || digits.some((digit) => (Number(digit) & 4) !== 0);
  if (opens && line.class === "fs.write") for (const word of line.operands.slice(1)) takeWord(line, "read", word);
}

/** For the group and for others. An owner without read permission is locked out. */
function digitsOf(mode: string): readonly string[] {
  return /^0?[4-7]([0-7])([0-7])$/.exec(mode)?.slice(1) ?? ["7"];
}

/** Write permission for others gives them access. */
function isMild(mode: string): boolean {
  return MILD.test(mode) || digitsOf(mode).every((digit) => (Number(digit) & 2) === 0);
}

/** A new file may be writable for others, or run with its owner's rights. */
export function checkMode(line: Line, operands: () => void): void {
  operands();
  const modes = line.given.get("-m") ?? [];
  if (modes.some((word) => word?.kind !== "plain" || !isMild(word.text))) raise(line, "permissions.change");
}

const OPENING = /(^|,)[ugoa]*([goa][ugoa]*)?[+=][wxXst]*r/;

export function checkSysctl(line: Line): void {
  if (line.operands.some((word) => word.kind !== "plain" || word.text.includes("="))) raise(line, "permissions.change");
  if (line.operands.some((word) => word.text.includes(".."))) line.doubts.add(say("note.setting_name_is_path"));
}

export function checkService(line: Line): void {
  if (line.operands.length === 2 && line.operands[1]?.text === "status") line.class = "none";
}

const IP_VALUED = /^-(n|netns|f|family|l|loops|rc|rcvbuf)$/;
const IP_PLAIN =
  /^-(4|6|0|B|M|br|brief|c|color|j|json|p|pretty|s|stats|statistics|d|details|h|human|human-readable|o|oneline|r|resolve|t|timestamp|ts|tshort|iec|a|all|N|Numeric|V|Version|color=\w+|c=\w+)$/;

/** Objects for which `ip OBJECT s` means `show`. For `link` it means `set`; for other objects it is another subcommand. */
const IP_SHORTLY = ["address", "route", "neighbour", "neighbor", "rule"];
const IP_LISTING = [...IP_SHORTLY, "link", "netns"];

function ipLooks(object: string, verb: string): boolean {
  const stands = (names: readonly string[]) => names.some((name) => name.startsWith(object));
  if (verb === "s") return stands(IP_SHORTLY);
  if (verb === "l" || verb === "g") return stands(IP_LISTING);
  return /^(sh|sho|show|li|lis|list|ls|lst|get|help|identify|pids)$/.test(verb);
}

/** `ip` only reads, unless the word after the object names a change. */
export function checkIp(line: Line): void {
  const { words } = line.simple;
  let at = 1;
  for (; /^-/.test(words[at]?.text ?? ""); at++) {
    if (IP_VALUED.test(words[at]?.text ?? "")) at++;
    else if (!IP_PLAIN.test(words[at]?.text ?? "")) raise(line, "permissions.change");
  }
  const [object, verb] = [words[at]?.text ?? "", words[at + 1]];
  if (words.slice(at, at + 2).some((word) => word.kind !== "plain")) raise(line, "permissions.change");
  if (/^(monitor|mon|mo|help)$/.test(object) || verb === undefined) return;
  if (ipLooks(object, verb.text)) return;
  raise(line, "permissions.change");
  if (/^(netns|vrf)$/.test(object) && /^e/.test(verb.text)) startInner(line, words.slice(at + 3));
}

const NONE_BESIDE = /^(?!)/;

/** Read-only options of package managers and other programs that are controlled by options, and what may be combined with them. */
const LOOKING: Readonly<Record<string, { order: RegExp; beside: RegExp; words?: RegExp }>> = {
  dpkg: {
    order:
      /^(-[lLsSpcIC]|--(list|listfiles|status|search|print-avail|contents|info|get-selections|print-architecture|version|help))$/,
    beside: /^--no-pager$/,
  },
  rpm: {
    order: /^(-q[aifldcspRV]*|--query|--version|--help)$/,
    beside:
      /^(-[ailfpdcsR]+|--(all|info|list|file|package|queryformat|qf|last|requires|provides|changelog|scripts|whatprovides|whatrequires)(=.*)?)$/,
  },
  // Only on this machine, and nothing that contains a password.
  dscl: {
    order: /^-(list|ls|read|cat|search)$/,
    beside: NONE_BESIDE,
    words: /^(?!.*\b(shadow|passw))(?=(-q )?(\.|\/Local\/Default) )/i,
  },
  networksetup: { order: /^-(get(?!.*passw)[a-z6]+|list[a-z]+|version)$/i, beside: NONE_BESIDE },
  spctl: { order: /^(-a|-av+|--assess|--status)$/, beside: /^(-v+|--verbose(=\d)?|-t|--type|--raw)$/ },
  pacman: { order: /^-(Q[a-z]*|Ss|Si|V|h|Fl|F|Fx)$/, beside: /^(-[qieltdm]+|--(quiet|color|info|list))$/ },
};

export function checkPackages(line: Line): void {
  const looking = Object.hasOwn(LOOKING, line.name) ? LOOKING[line.name] : undefined;
  const options = line.simple.words.slice(1).filter((word) => word.kind === "open" || word.text.startsWith("-"));
  if (looking === undefined || options.some((word) => word.kind !== "plain")) return;
  // Some of them fetch a package from a given address.
  if (line.simple.words.some((word) => /:\/\//.test(word.text))) return;
  if (
    looking.words?.test(
      line.simple.words
        .slice(1)
        .map(({ text }) => text)
        .join(" "),
    ) === false
  )
    return;
  const [first, ...others] = options.map((word) => word.text);
  if (first !== undefined && looking.order.test(first) && others.every((text) => looking.beside.test(text))) {
    line.class = "fs.read";
  }
}

/** `nft` reads all its words as one text, in which a semicolon starts the next command. */
export function checkOrders(line: Line, operands: () => void): void {
  operands();
  if (line.operands.some((word) => word.kind === "open" || /[;\n{}]/.test(word.text)))
    raise(line, "permissions.change");
}
