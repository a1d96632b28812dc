import type { EffectClass } from "../../effect.ts";
import type { Line, PathWord } from "../../shell/path-uses.ts";
import { inFolder, type Word } from "../../shell/script.ts";

// Folders that a program goes through although its words only name them. The result is used only by rules that
// deny a path below.

/** Texts that name folders or files, what is done to everything there, and whether they start at the top of the project. */
export type Deeper = { class: EffectClass; texts: readonly string[]; deep: boolean };

export function deeperPlaces(line: Line, project: string | undefined): readonly Deeper[] {
  if (!DEEP.test(line.name) && !FORMATTERS.test(line.simple.words[0]?.text ?? "")) return NONE;
  const found = [
    ...byGit(line, project),
    ...byFormatter(line),
    ...byListing(line),
    ...byPacking(line),
    ...byFetching(line),
  ];
  const folders = line.folders ?? [""];
  return found.map(({ texts, ...rest }) => ({
    ...rest,
    texts: texts.flatMap((text) => folders.map((folder) => inFolder(folder, text))),
  }));
}

const NONE: readonly Deeper[] = [];

/** The commands of `byGit`, `byListing`, `byPacking` and `byFetching`. Most commands are none of them. */
const DEEP =
  /^(git (rm|clean|restore|checkout|stash|archive|merge-file)|ls$|du$|(g|bsd)?tar$|zip$|7z[arz]?( |$)|rsync$|curl$)/;

/** The programs in `SHAPING`. */
const FORMATTERS =
  /^(terraform|tofu|ruff|gofmt|goimports|gofumpt|black|isort|yapf|prettier|eslint|stylelint|biome|dprint|autopep8|shfmt)( |$)/;

/** A name with such an ending is a file, not a folder. */
const FILE =
  /\.(tsx?|jsx?|mjs|cjs|py|go|rs|rb|java|kt|c|h|cc|cpp|cs|php|sh|tf|md|txt|json|ya?ml|toml|css|html|sql|lock|xml|csv)$/;

function apart(kind: EffectClass, texts: readonly string[]): readonly Deeper[] {
  const files = texts.filter((text) => FILE.test(text) && !/[*?[]/.test(text));
  const folders = texts.filter((text) => !files.includes(text));
  return [
    { class: kind, texts: folders, deep: true },
    { class: kind, texts: files, deep: false },
  ];
}

const HERE = ["."];

function byGit(line: Line, project: string | undefined): readonly Deeper[] {
  const { name, operands, given } = line;
  const texts = operands.map(textOf);
  const spread = (paths: readonly string[]) => paths.flatMap((text) => pathspec(text, project));
  switch (name) {
    case "git rm":
    case "git clean":
      return apart("fs.delete", spread(texts));
    case "git restore":
      if (given.has("--staged") || given.has("-S")) if (!given.has("--worktree") && !given.has("-W")) return [];
      return apart("fs.write", spread(texts));
    case "git checkout":
      return apart("fs.write", spread(checkedOut(line)));
    case "git stash":
    case "git stash push":
    case "git stash save":
      return apart("fs.write", spread(stashed(line)));
    case "git checkout-index": {
      const all = line.simple.words.some(({ text }) => /^(-[a-z]*a[a-z]*|--all)$/.test(text));
      return apart("fs.write", all ? HERE : spread(texts));
    }
    case "git archive":
      if (given.has("--list") || given.has("-l")) return [];
      return apart("fs.read", texts.length > 1 ? spread(texts.slice(1)) : HERE);
    case "git merge-file":
      return [
        { class: "fs.read", texts, deep: false },
        ...(given.has("-p") ? [] : [{ class: "fs.write" as const, texts: texts.slice(0, 1), deep: false }]),
      ];
    default:
      return [];
  }
}

/** The paths of `git stash`, without the message. */
function stashed({ simple }: Line): readonly string[] {
  const texts = simple.words.map(textOf);
  const from = texts.findIndex((text) => /^(push|save)$/.test(text));
  const isMessage = (i: number) => /^(-[a-z]*m|--message)$/.test(texts[i - 1] ?? "") || texts[from] === "save";
  return from < 0 ? [] : texts.filter((text, i) => i > from && !text.startsWith("-") && !isMessage(i));
}

/** After `--` there are files. Before it there may also be a branch. */
function checkedOut({ simple, paths }: Line): readonly string[] {
  const texts = simple.words.map(textOf);
  const end = texts.indexOf("--");
  if (end > 0) return texts.slice(end + 1);
  const isFrom = texts.some((text) => /^--pathspec-from-file/.test(text));
  return isFrom
    ? HERE
    : [
        ...paths.filter(({ act }) => act === "write").map(({ word }) => word.text),
        ...texts.filter((text) => text.startsWith(":")),
      ];
}

/** A pathspec of git matches in subfolders. Its magic words say where it starts and what it excludes. */
function pathspec(text: string, project: string | undefined): readonly string[] {
  const [, magic = "", named = ""] = /^:(?:\(([^)]*)\)|([/!^]+))(.*)$/s.exec(text) === null ? [] : magicOf(text);
  if (magic === "") return text.startsWith(":") ? HERE : patterned(text);
  if (/exclude|[!^]/.test(magic)) return HERE;
  const top = /top|\//.test(magic) && project !== undefined ? `${project}/` : "";
  return patterned(named === "" ? "." : named).map((path) => top + path);
}

function magicOf(text: string): readonly string[] {
  const found = /^:(?:\(([^)]*)\)|([/!^]+))(.*)$/s.exec(text);
  return ["", found?.[1] ?? found?.[2] ?? "", found?.[3] ?? ""];
}

function patterned(text: string): readonly string[] {
  const names = text.split("/");
  const wild = names.findIndex((name) => /[*?[]/.test(name));
  if (wild < 0) return [text];
  const before = names.slice(0, wild);
  return [text, [...before, "**", names.at(-1) ?? "*"].join("/")];
}

/** Formatters rewrite the files of a folder, unless an option makes them only check. */
function byFormatter({ simple }: Line): readonly Deeper[] {
  const texts = simple.words.map(textOf);
  const [program = "", second = ""] = texts;
  const shaped = SHAPING.find(({ by }) => by.test(`${program} ${second}`) || by.test(program));
  if (shaped === undefined) return [];
  const all = ` ${texts.join(" ")} `;
  if (LOOKING.test(all) || (shaped.only !== undefined && !shaped.only.test(all))) return [];
  const named = texts.slice(shaped.by.test(program) ? 1 : 2).filter((text) => !text.startsWith("-"));
  const places = named.length === 0 ? HERE : named;
  const files = places.flatMap((text) => shaped.files.split(" ").map((ending) => `${text}/**/*.${ending}`));
  return [{ class: "fs.write", texts: [...places.filter((text) => text !== "."), ...files], deep: false }];
}

const LOOKING = / --?(check|diff|list-different|dry-run|version|help)\b/;
const WEB = "js jsx ts tsx mjs cjs json css scss less html vue md yaml yml graphql";

const SHAPING: readonly { by: RegExp; files: string; only?: RegExp }[] = [
  { by: /^(terraform|tofu) fmt$/, files: "tf tfvars hcl", only: / --?recursive / },
  { by: /^ruff format$/, files: "py pyi ipynb" },
  { by: /^ruff check$/, files: "py pyi ipynb", only: / --fix/ },
  { by: /^(gofmt|goimports|gofumpt)$/, files: "go", only: / -[a-z]*w/ },
  { by: /^(black|isort|yapf)$/, files: "py pyi ipynb" },
  { by: /^(prettier|eslint|stylelint|biome|dprint)$/, files: WEB, only: / (--write|-w|--fix|--apply|fmt) / },
  { by: /^autopep8$/, files: "py", only: / (-i|--in-place) / },
  { by: /^shfmt$/, files: "sh bash", only: / (-w|--write) / },
];

/** `ls -R` and `du` list everything below a folder. */
function byListing({ name, simple, operands }: Line): readonly Deeper[] {
  const options = simple.words.map(textOf).filter((text) => text.startsWith("-"));
  const isLs = name === "ls" && options.some((text) => /^(-[a-zA-Z1]*R|--recursive$)/.test(text));
  const isDu = name === "du" && !options.some((text) => /^(-[a-zA-Z]*[sd]|--summarize$|--max-depth)/.test(text));
  if (!isLs && !isDu) return [];
  return apart("fs.read", operands.length === 0 ? HERE : operands.map(textOf));
}

/** Packers can delete the files after packing. */
function byPacking({ name, simple, paths }: Line): readonly Deeper[] {
  const options = simple.words.map(textOf).filter((text) => text.startsWith("-"));
  const removes = REMOVING.some(([by, option]) => by.test(name) && options.some((text) => option.test(text)));
  if (!removes) return [];
  const read = paths.filter(({ act }: PathWord) => act === "read").map(({ word }) => word.text);
  const texts =
    read.length > 0
      ? read
      : simple.words
          .slice(2)
          .map(textOf)
          .filter((text) => !text.startsWith("-"));
  return [{ class: "fs.delete", texts, deep: true }];
}

/** curl replaces `#1` in a file name by a part of the address. */
function byFetching({ name, paths }: Line): readonly Deeper[] {
  const named = name === "curl" ? paths.filter(({ act, word }) => act === "write" && /#\d/.test(word.text)) : [];
  if (named.length === 0) return [];
  return [{ class: "fs.write", texts: named.map(({ word }) => word.text.replace(/#\d+/g, "*")), deep: false }];
}

const REMOVING: readonly (readonly [RegExp, RegExp])[] = [
  [/^(g|bsd)?tar$/, /^--remove-f/],
  [/^zip$/, /^-[a-zA-Z]*m|^--move$/],
  [/^7z[arz]?( |$)/, /^-sdel$/],
  [/^rsync$/, /^--remove-s/],
];

function textOf({ text }: Word): string {
  return text;
}
