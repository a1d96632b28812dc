import { type EffectClass, graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { HARMLESS_GIT } from "../../tables/obeyed.ts";
import { SYSTEM_SHELL } from "../other-shells.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { mayBeSecret } from "../recursive-reads.ts";
import { plain, type Word } from "../script.ts";

/** What a subcommand of git does beyond its line of the table. */
const LOOKS: { readonly [name: string]: (line: Line) => void } = {
  "git apply": applies,
  "git bisect run": startsWords,
  "git branch": (line) => createsUnless(line, LISTING_BRANCHES),
  "git checkout": checksOut,
  "git cat-file": (line) => {
    if (line.given.has("--batch") || line.given.has("--batch-command"))
      line.doubts.add(say("note.shown_files_listed_in_input"));
  },
  "git clone": clones,
  "git config": configures,
  "git config get": tellsSettings,
  "git config list": tellsSettings,
  "git diff": (line) => readsFrom(line),
  "git fetch": fetches,
  "git lfs locks": (line) => takeRemotes(line, line.given.get("-r") ?? []),
  "git ls-remote": (line) => takeRemote(line, line.operands[0]),
  "git notes": (line) => createsUnless(line, []),
  "git pull": (line) => takeRemote(line, line.operands[0]),
  "git push": pushes,
  "git remote add": (line) => takeRemote(line, line.operands[1]),
  "git remote prune": (line) => takeRemotes(line, line.operands),
  "git remote set-head": (line) => takeRemote(line, line.operands[0]),
  "git remote set-url": (line) => takeRemote(line, line.operands[1]),
  "git remote show": (line) => takeRemotes(line, line.given.has("-n") ? [] : line.operands),
  "git remote update": (line) => takeRemotes(line, line.operands),
  "git rm": (line) => {
    if (!line.given.has("--cached")) for (const word of line.operands) takeWord(line, "delete", word);
  },
  "git request-pull": (line) => takeRemote(line, line.operands[1]),
  "git restore": (line) => overwrites(line, line.operands),
  "git stash list": (line) => readsFrom(line),
  "git stash show": (line) => readsFrom(line),
  "git submodule add": (line) => takeRemote(line, line.operands[0]),
  "git submodule foreach": startsWords,
  "git symbolic-ref": (line) => line.operands.length > 1 && worsen(line, "git.write"),
  "git var": (line) => line.given.has("-l") && worsen(line, "secrets.read"),
  "git tag": (line) => createsUnless(line, LISTING_TAGS),
};
const READERS = new Set(
  "blame annotate cat-file grep log show whatchanged diff-tree diff-index diff-files rev-list shortlog archive ls-tree format-patch range-diff reflog".split(
    " ",
  ),
);

/** Subcommands that show a file of an earlier commit if their input names it. */
const SHOWERS = new Set("log show whatchanged diff-tree format-patch shortlog".split(" "));

/** Subcommands that create a new repository, and so follow only the settings of the user. */
const ALONE = new Set(["clone", "init"]);

/** Subcommands that put files into the working tree from another commit, a patch or another machine. */
const BRINGING = new Set(
  "am apply bisect checkout checkout-index cherry-pick clone merge pull read-tree rebase reset restore revert sparse-checkout stash submodule switch worktree".split(
    " ",
  ),
);
const EVERYWHERE = plain("/");

/** Settings given with `-c` apply to every subcommand; the rest is checked by its own rule. */
export function checkGit(line: Line, operands: () => void): void {
  operands();
  for (const word of line.given.get("--setting") ?? []) if (word !== undefined) takeSetting(line, word);
  const sub = line.name.split(" ")[1] ?? "";
  if (READERS.has(sub)) readsFrom(line);
  if (SHOWERS.has(sub) && line.simple.words.some(({ text }) => text === "--stdin"))
    line.doubts.add(say("note.shown_files_listed_in_input"));
  // The settings also say which program shows a page of the manual.
  if ((line.class !== "none" && !ALONE.has(sub)) || sub === "help") line.obeys.push({ by: "git" });
  LOOKS[line.name]?.(line);
  if (line.given.get("--suffix")?.some((word) => word?.kind !== "plain" || word.text.includes("/")) === true)
    line.doubts.add(say("note.written_files_not_examined"));
  if (BRINGING.has(sub) && (line.class === "git.write" || line.besides.has("git.write"))) line.brings.push(EVERYWHERE);
}

function worsen(line: Line, kind: EffectClass): void {
  line.class = graver(line.class, kind);
}

const SHOWING = /^(core\.(pager|editor|fsmonitor)|pager\.\w+|sequence\.editor)$/i;
const SHOWN_BY = /^(|cat|less|more|true|false|:|less -[A-Za-z]+)$/;

function takeSetting(line: Line, word: Word): void {
  const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(word.text) ?? [];
  if (word.kind === "plain" && (HARMLESS_GIT.test(name) || (SHOWING.test(name) && SHOWN_BY.test(value)))) return;
  worsen(line, "process.exec");
  line.doubts.add(say("note.git_setting_changes_programs", { setting: name }));
}

/** Where a repository is: an address, a host, a folder, or the name of a configured remote. */
function takeRemote(line: Line, word: Word | undefined): void {
  if (word === undefined) return;
  const { text } = word;
  if (text.startsWith("-")) line.doubts.add(say("note.repository_may_be_option"));
  else if (word.kind !== "plain") line.doubts.add(say("note.repository_known_only_at_run"));
  else if (/^[\w+.-]+::/.test(text)) {
    worsen(line, "process.exec");
    line.doubts.add(say("note.git_starts_helper"));
  } else if (/^(https?|ftps?):\/\//i.test(text)) takeWord(line, "url", word);
  else if (/^file:\/\//i.test(text)) takeWord(line, "deep", plain(text.slice(7)));
  else if (/^[a-z][\w+.-]*:\/\//i.test(text)) takeHost(line, text.replace(/^[^:]+:\/\//, ""));
  else if (/^[./~]/.test(text)) takeWord(line, "deep", word);
  else if (/^[^/]+:/.test(text)) takeHost(line, text);
  else if (text.includes("/")) takeWord(line, "deep", word);
}

function takeRemotes(line: Line, words: readonly (Word | undefined)[]): void {
  for (const word of words) takeRemote(line, word);
}

function takeHost(line: Line, text: string): void {
  const host = /^(?:[^@/]*@)?([^:/]*)/.exec(text)?.[1] ?? "";
  if (!/^[a-z0-9][\w.-]*$/i.test(host)) line.doubts.add(say("note.repository_host_unreadable"));
  else line.hosts.push(plain(host));
}

const REVISION =
  /^(HEAD|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD|@|main|master|develop|trunk|[0-9a-f]{7,40})$|^(origin|upstream|refs|heads|tags)\/|\w~\d*|\^|@\{|[^/.]\.{2,3}([^/.]|$)|^\.{2,3}[^/.]/;

/** `HEAD:.env` and `-- .env` show that file as it was. */
function readsFrom(line: Line): void {
  readsLines(line);
  const sought = line.name === "git grep" && !line.given.has("-e") && !line.given.has("-f") ? 1 : 0;
  for (const word of line.operands.slice(sought)) {
    if (word.kind === "open" || EXCLUDED.test(word.text)) continue;
    if (word.text.startsWith(":(")) line.doubts.add(say("note.git_pattern"));
    // Git also expands a quoted pattern.
    if (/[*?[]/.test(word.text) && word.kind === "plain" && mayBeSecret(word.text)) line.besides.add("secrets.read");
    const inside = /^[^:]*:(?:\d:)?(?=[^/:])(.+)$/.exec(word.text)?.[1];
    if (inside !== undefined) takeWord(line, "read", plain(inside));
    else if (!REVISION.test(word.text) && word.text !== "") takeWord(line, "read", word);
  }
}

const EXCLUDED = /^:([!^]|\(exclude\))/;

/** `-L 1,5:name` shows these lines of the file; only for `blame` the file is a separate word. */
function readsLines(line: Line): void {
  if (/ (blame|annotate)$/.test(line.name)) return;
  for (const word of line.given.get("-L") ?? []) {
    const file = /:([^:]+)$/.exec(word?.text ?? "")?.[1];
    if (word !== undefined) takeWord(line, "read", word.kind === "plain" && file !== undefined ? plain(file) : word);
  }
}

const LISTING_BRANCHES = [
  "-l",
  "--contains",
  "--no-contains",
  "--merged",
  "--no-merged",
  "--points-at",
  "--show-current",
  "-a",
  "-r",
];
const LISTING_TAGS = ["-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "-v", "-n"];

/** A name alone creates a branch or tag, unless the command lists those that match. */
function createsUnless(line: Line, listing: readonly string[]): void {
  if (line.operands.length > 0 && !listing.some((name) => line.given.has(name))) worsen(line, "git.write");
  if (line.simple.more !== undefined) worsen(line, "git.write");
}

/** Paths replace what is in the working tree, which is stored nowhere else. */
function checksOut(line: Line): void {
  const words = line.simple.words;
  const dashes = words.findIndex((word) => word.kind === "plain" && word.text === "--");
  const named = dashes === -1 ? line.operands : words.slice(dashes + 1);
  const paths =
    dashes === -1 ? named.filter((word) => word.kind !== "plain" || /^[./~:]|\/$|\.\w+$/.test(word.text)) : named;
  if (paths.length > 0) overwrites(line, paths);
}

function overwrites(line: Line, words: readonly Word[]): void {
  if (line.given.has("--staged") && !line.given.has("--worktree")) return;
  line.lasting = true;
  for (const word of words) takeWord(line, "write", word);
}

const NAMES = /^user\.(name|email)$/i;
const READING_CONFIG = ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "-l"];

/** `git config name` shows, `git config name value` sets, and most settings can name a program that git runs. */
function configures(line: Line): void {
  const [name, ...values] = line.operands;
  if (READING_CONFIG.some((option) => line.given.has(option)) || (name !== undefined && values.length === 0)) {
    tellsSettings(line);
    return;
  }
  worsen(
    line,
    name !== undefined && name.kind === "plain" && NAMES.test(name.text) ? "git.write" : "permissions.change",
  );
}

/** The patch says which files change, unless it is only shown. */
function applies(line: Line): void {
  const looks = ["--check", "--stat", "--numstat", "--summary"].some((name) => line.given.has(name));
  if (looks && !line.given.has("--apply") && !line.given.has("--build-fake-ancestor")) line.class = "fs.read";
  else line.doubts.add(say("note.patch_not_examined"));
}

/** Settings of the network, and the whole list of settings, may contain tokens; any other setting may be shown. */
function tellsSettings(line: Line): void {
  if (line.given.has("--name-only")) return;
  const [asked] = line.operands;
  const lists = line.given.has("-l") || line.name === "git config list" || asked === undefined;
  const isPattern = line.given.has("--get-regexp") || line.given.has("--regexp");
  const told = asked?.kind === "plain" && TOLD.test(asked.text) && (!isPattern || ANCHORED.test(asked.text));
  if (lists || !told) worsen(line, "secrets.read");
}

/** A pattern that matches only names of its own group: no alternative, no part of another name. */
const ANCHORED = /^\^[a-z]+([\\.*+$\w-]*)$/i;

/** Groups of settings in which nobody stores a token. */
const TOLD =
  /^\^?\(?(user|author|committer|core|alias|branch|remote|color|init|pull|push|fetch|merge|rebase|diff|log|status|commit|tag|gpg|format|advice|column|pager|rerere|submodule|lfs|safe|feature|index|stash|blame|grep|i18n|gc|maintenance|pack|receive|transfer|extensions|worktree|checkout|clean|help|interactive|log|mailmap|notes|protocol|versionsort|web|difftool|mergetool|hub|gui|clone|repack|sequence|sparse|svn-remote|workflow|cola|delta|husky)\b(?!.*(token|password|secret|passphrase))/i;

/** A repository contains files that builds run, under names that nobody here chose. */
function clones(line: Line): void {
  const [from, to] = line.operands;
  line.besides.add("git.write");
  takeRemote(line, from);
  const own = /([^/:]+?)(\.git)?\/*$/.exec(from?.text ?? "")?.[1];
  takeWord(line, "write", to ?? (from?.kind === "plain" && own !== undefined ? plain(own) : plain(".")));
}

/** Local branches are overwritten only if the words say so. */
function fetches(line: Line): void {
  const [from, ...refs] = line.operands;
  if (line.given.has("--multiple")) return void takeRemotes(line, line.operands);
  takeRemote(line, from);
  if (refs.some((word) => word.kind !== "plain" || /^\+|:/.test(word.text))) worsen(line, "git.write");
}

/** `+main` and `:main` overwrite and delete what others may have. */
function pushes(line: Line): void {
  const [to, ...refs] = line.operands;
  takeRemote(line, line.given.get("--repo")?.at(-1) ?? to);
  if (refs.some((word) => word.kind !== "plain" || /^[+:]/.test(word.text))) line.lasting = true;
}

/** Git joins the words to one text and gives it to a shell. */
function startsWords(line: Line): void {
  const words =
    line.operands.length > 0 ? line.operands : line.inner.flatMap((one) => ("words" in one ? one.words : []));
  line.inner.length = 0;
  if (words.every((word) => word.kind === "plain"))
    line.inner.push({ text: words.map((word) => word.text).join(" "), shell: SYSTEM_SHELL });
  else line.doubts.add(say("note.git_shell_text_known_only_at_run"));
}

/** A word is a local path or a remote address, with a revision after an `@`. */
export function checkSvn(line: Line, operands: () => void): void {
  operands();
  const compared = ["--old", "--new"].flatMap((name) => line.given.get(name) ?? []);
  for (const word of [...line.operands, ...compared]) {
    if (word === undefined) continue;
    const text = word.text.replace(/@[^@/]*$/, "");
    if (/^[a-z][\w+.-]*:\/\//i.test(text)) takeWord(line, "url", word.kind === "plain" ? plain(text) : word);
    if (!/^(https?|svn|file)[\w+]*:\/\/[^/]*\/?$/i.test(text)) takeShown(line, word, text);
  }
}

/** What is shown from another machine is as secret as its name says; on this machine it is a read. */
function takeShown(line: Line, word: Word, text: string): void {
  if (!text.includes("://")) takeWord(line, "read", word.kind === "plain" ? plain(text) : word);
  else if (mayBeSecret(text.split("/").at(-1) ?? "")) line.besides.add("secrets.read");
}
