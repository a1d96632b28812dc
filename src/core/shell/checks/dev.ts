import { graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { plain } from "../script.ts";

/**
 * Programs that pass their words on to what they start: `node a.js --version` runs a.js, so an option such as --version
 * counts only if it is alone.
 */
export function checkAlone(line: Line, operands: () => void): void {
  operands();
  const { words, more } = line.simple;
  const alone =
    words.length === line.name.split(" ").length + 1 && words.at(-1)?.kind === "plain" && more === undefined;
  if (line.program !== undefined && !alone) line.class = graver(line.class, line.program.row.class);
}

/** Options with which an interpreter only checks the syntax of a file. */
const LOOKING_OVER: Readonly<Record<string, RegExp>> = {
  node: /^(--check|-c)$/,
  nodejs: /^(--check|-c)$/,
  php: /^(-l|--syntax-check)$/,
  ruby: /^-(c|wc|cw)$/,
};

/** `node --check a.js` runs nothing; in any other place the words belong to the script. */
export function checkLanguage(line: Line, operands: () => void): void {
  const [, order, file, ...others] = line.simple.words;
  const orders = Object.hasOwn(LOOKING_OVER, line.name) ? LOOKING_OVER[line.name] : undefined;
  const looks = order?.kind === "plain" && orders?.test(order.text) === true;
  if (!looks || file === undefined || file.kind === "open" || !/^[^-*?[]/.test(file.text) || others.length > 0) {
    checkAlone(line, operands);
    return;
  }
  takeWord(line, "read", file);
  line.class = "fs.read";
  if (line.simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
}

/** `ldd` may run a part of the program that it is given. For programs of the system this adds no risk. */
export function checkLoaded(line: Line, operands: () => void): void {
  checkAlone(line, operands);
  const own = line.operands.every(
    (word) => word.kind === "plain" && /^\/(usr|bin|sbin|lib|lib64)\/(?!local\/|.*\.\.)/.test(word.text),
  );
  if (own && line.operands.length > 0 && line.given.size === 0 && line.simple.more === undefined)
    line.class = "fs.read";
}

/** Without any further word, such a command only lists what is available. */
export function checkBare(line: Line, operands: () => void): void {
  checkAlone(line, operands);
  if (line.simple.words.length > line.name.split(" ").length || line.simple.more !== undefined) return;
  line.class = "none";
  // The available scripts are in the package file, which npm reads.
  if (line.name.startsWith("npm ")) line.obeys.push({ by: "npm" });
}

/** Names with a scheme or a special first character are not plain files for programs that read pictures, films and documents. */
export function checkMedia(line: Line, operands: () => void): void {
  operands();
  const named = [...line.operands, ...[...line.given.values()].flat()];
  const special = named.some((word) => word !== undefined && /^[a-z][\w+.-]*:|^[@|]|\.(lua|msl|mvg)$/i.test(word.text));
  if (line.name === "glow") takeReadme(line);
  const sets = line.name === "exiftool" && line.simple.words.some((word) => /^-[^=]*=/.test(word.text));
  if (special || sets) line.doubts.add(say("note.special_name_not_examined"));
  if (line.name === "ffprobe" && runsScript(line)) line.doubts.add(say("note.input_may_load_programs"));
  if (line.name === "pandoc" && includesOthers(line)) line.doubts.add(say("note.shown_files_named_in_file"));
}

/** A name like a repository of these hosts is fetched from there. */
function takeReadme(line: Line): void {
  for (const word of line.operands) {
    if (!/^(www\.)?git(hub|lab)\.com\//i.test(word.text)) continue;
    line.class = graver(line.class, "network.read");
    takeWord(line, "url", plain(`https://${word.text}`));
  }
}

/** Formats that contain only sounds and pictures: in others a text may be a chain of filters or a script. */
const RECORDED =
  /^(mp4|mov|m4a|matroska|webm|mp3|wav|flac|ogg|aac|ac3|avi|flv|gif|mpeg|mpegts|rawvideo|h264|hevc|av1|ivf|aiff|caf|srt|webvtt|[fsu]\d+[bl]e)$/;

function runsScript({ given, operands }: Line): boolean {
  if ((given.get("-f") ?? []).some((word) => word?.kind !== "plain" || !RECORDED.test(word.text))) return true;
  return [...operands, ...(given.get("-i") ?? [])].some((word) => /\.(vpy|avs)$/i.test(word?.text ?? ""));
}

/** Formats whose text cannot include another file. */
const SELF_CONTAINED = /^(markdown\w*|gfm|commonmark\w*|docx|odt|epub|ipynb|csv|tsv|json|native|mediawiki)([+-].*)?$/;
const SELF_CONTAINED_FILE = /\.(md|markdown|docx|odt|epub|ipynb|csv|tsv|json)$/i;
/** Formats into which pictures are inserted unchanged, whatever file is named as one. */
const PACKED_INTO = /^(docx|odt|pptx|epub\d?|pdf|fb2)$|\.(docx|odt|pptx|epub|pdf|fb2)$/i;

function includesOthers({ given, operands }: Line): boolean {
  const from = given.get("-f")?.at(-1)?.text;
  const into = [...(given.get("-t") ?? []), ...(given.get("-o") ?? [])];
  const packs = ["--self-contained", "--embed-resources", "--extract-media"].some((name) => given.has(name));
  if (packs || into.some((word) => word !== undefined && PACKED_INTO.test(word.text))) return true;
  if (from !== undefined) return !SELF_CONTAINED.test(from);
  return operands.some((word) => word.kind !== "plain" || !SELF_CONTAINED_FILE.test(word.text));
}

/** `--style=file:name` reads the rules from that file, and prints an invalid line. */
export function checkStyle(line: Line, operands: () => void): void {
  operands();
  for (const word of ["--style", "-style"].flatMap((name) => line.given.get(name) ?? [])) {
    const named = /^file:(.*)$/s.exec(word?.text ?? "")?.[1];
    if (word !== undefined && named !== undefined) takeWord(line, "read", { ...word, text: named });
  }
}

/** `--noEmit false` does emit, and `@name` is a file of further options. */
export function checkTsc(line: Line, operands: () => void): void {
  operands();
  if (line.operands.some((word) => /^(false|@.*)$/i.test(word.text))) line.class = "process.exec";
  // The settings say where it stores its build information.
  const at = line.given.get("-p")?.at(-1);
  if (line.class === "fs.write") line.obeys.push({ by: "typescript", ...(at === undefined ? {} : { at }) });
}

/** For a program that shows pages, a name without a web scheme may be a file. */
export function checkPage(line: Line, operands: () => void): void {
  operands();
  if (line.urls.some((word) => !/^https?:\/\//i.test(word.text))) line.doubts.add(say("note.page_may_be_file"));
}

/**
 * Package managers run scripts by name. These options say what runs the script, or whose script it is: then it is not
 * the usual script of that name. Names of options may be abbreviated.
 */
const RUN_BY =
  "--script-shell --shell --node-options --prefix --dir --cwd --userconfig --globalconfig --config --init-module --editor --viewer --browser --git --node-gyp --pnpmfile --global-pnpmfile --use-yarnrc --preload --require".split(
    " ",
  );
const SHORTEST = 4;

export function checkScript(line: Line, operands: () => void): void {
  if (/^npm run/.test(line.name)) checkBare(line, operands);
  else checkAlone(line, operands);
  // All except npm pass on what follows the script's name.
  const handsOn = !line.name.startsWith("npm ");
  for (const { text } of line.simple.words.slice(1)) {
    if (text === "--" || (handsOn && /^(?!run$)[^-]/.test(text))) return;
    const [name = ""] = text.split(/[=.]/, 1);
    if (text === "-C" || (name.length >= SHORTEST && RUN_BY.some((option) => option.startsWith(name))))
      line.doubts.add(say("note.option_changes_script"));
  }
}

/** A path through one document may lead into others. */
export function checkXpath(line: Line, operands: () => void): void {
  operands();
  const values = [...line.given.values()].flat();
  if (
    values.some(
      (word) => word !== undefined && (word.kind !== "plain" || /document|doc\s*\(|unparsed|:/i.test(word.text)),
    )
  )
    line.doubts.add(say("note.shown_files_named_in_file"));
}

/** `-mod=mod` lets a command that lists modules write missing ones. */
export function checkGoModules(line: Line, operands: () => void): void {
  operands();
  const given = line.given.get("-mod") ?? [];
  if (given.every((word) => word?.kind === "plain" && /^(readonly|vendor)$/.test(word.text))) return;
  for (const file of ["go.mod", "go.sum"]) takeWord(line, "write", plain(file));
}

/** A setting among the words, instead of a settings file: most say what is found, some what is written and where. */
export function checkInline(line: Line, operands: () => void): void {
  operands();
  const given = (line.given.get("--config") ?? []).map((word) => word?.text ?? "");
  if (given.some((text) => text.includes("=") && !MILD_INLINE.test(text))) line.doubts.add(say("note.setting_unknown"));
}

const MILD_INLINE =
  /^\s*(lint\.[\w.-]+|line-length|indent-width|target-version|preview|include|exclude|extend-exclude|select|ignore|extend-select)\s*=[^\n]*$/;
