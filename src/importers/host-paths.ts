// Patterns of paths as agent programs write them, in our spelling. What allows may become narrower, and what asks or
// denies may become wider, never the other way round.

export type Direction = "allows" | "restricts";

/** A pattern in the manner of .gitignore, as Claude Code reads it. Undefined if it cannot be written in our spelling. */
export function gitignorePaths(pattern: string, direction: Direction): readonly string[] | undefined {
  if (pattern.startsWith("!") || pattern.trim() === "") return undefined;
  const plain = direction === "allows" ? narrow(pattern) : wide(pattern);
  if (plain === undefined) return undefined;
  const { start, rest } = placed(plain);
  const segments = segmentsOf(rest);
  if (segments === undefined) return direction === "allows" ? undefined : ["**"];
  const isBelowOnly = segments.at(-1) === "**";
  // Folders at any depth: only what is in one of them, which cannot be written.
  if (isBelowOnly && plain.endsWith("/") && direction === "allows") return undefined;
  const path = segments.join("/");
  // A name alone is found at any depth. A folder of a rule that restricts may be a folder further inside.
  const isName = segments.length === 1 && !rest.startsWith("/");
  const isAnywhere = start === "" && path !== "**" && (isName || direction === "restricts");
  const begun = `${start}${isAnywhere ? "**/" : ""}${path}`;
  const made = plain.endsWith("/") || isBelowOnly ? [] : [begun];
  const all = [...made, isBelowOnly ? begun : `${begun}/**`].map((one) => one.replace(/\*\*\/(\*\*\/)+/g, "**/"));
  return direction === "allows" ? all.map(insideOnly) : all;
}

/** Our `src/**` is also `src` itself. */
function insideOnly(path: string): string {
  return path.replace(/\/\*\*$/, "/**/*");
}

/** `//` is the root of the disk, `~/` the home folder, and everything else is inside the project. */
function placed(pattern: string): { start: string; rest: string } {
  if (pattern.startsWith("//")) return { start: "/", rest: pattern.slice(2) };
  if (pattern.startsWith("~/")) return { start: "~/", rest: pattern.slice(2) };
  return { start: "", rest: pattern.replace(/^(\.\/)+/, "/") };
}

/** Signs that mean something else in our patterns are left out of what allows. */
function narrow(pattern: string): string | undefined {
  if (/[\\[\]{}]|^~(?!\/)|(^|\/)~/.test(pattern.replace(/^~\//, ""))) return undefined;
  return /[^/]\*\*|\*\*[^/]/.test(pattern) ? undefined : pattern;
}

function wide(pattern: string): string {
  return pattern
    .replace(/\\./g, "?")
    .replace(/\\/g, "")
    .replace(/\[[^\]]*\]/g, "*")
    .replace(/[[\]{}]/g, "?")
    .replace(/^~(?!\/)/, "?")
    .replace(/([^/])\*\*+|\*\*+([^/])/g, "$1*$2")
    .replace(/\*{3,}/g, "**")
    .replace(/([^/])\*\*+|\*\*+([^/])/g, "$1*$2");
}

function segmentsOf(path: string): readonly string[] | undefined {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.length === 0 || segments.includes("..") ? undefined : segments;
}

/** At most this many spellings of one pattern. */
const SPELLINGS_MAX = 16;

/** A pattern of opencode, where a star also stands for a slash. */
export function wildcardPaths(pattern: string, direction: Direction): readonly string[] | undefined {
  const home = pattern.replace(/^\$HOME(?=\/|$)/, "~");
  if (/[\\{}[\]]/.test(home)) return direction === "allows" ? undefined : ["**"];
  const start = home.startsWith("/") ? "/" : home.startsWith("~/") ? "~/" : "";
  const segments = home.slice(start.length).split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return direction === "allows" ? undefined : ["**"];
  if (direction === "allows") return [insideOnly(`${start}${narrowed(segments, start).join("/")}`)];
  const spelled = segments.map(widened);
  const many = spelled.reduce((count, ways) => count * ways.length, 1);
  if (many > SPELLINGS_MAX) return ["**"];
  const made = spelled.reduce<readonly string[]>(
    (held, ways) => held.flatMap((one) => ways.map((way) => (one === "" ? way : `${one}/${way}`))),
    [""],
  );
  return made.map((one) => `${start}${one}`.replace(/(^|\/)\*\*(\/\*\*)+/g, "$1**"));
}

/** `docs/*` allowed everything below `docs`, and `*.md` every such file at any depth. */
function narrowed(segments: readonly string[], start: string): readonly string[] {
  const stars = segments.map((segment) => segment.replace(/\*+/g, "*"));
  const last = stars.at(-1) === "*" ? [...stars.slice(0, -1), "**"] : stars;
  return start === "" && last[0]?.startsWith("*") && last[0] !== "**" ? ["**", ...last] : last;
}

/** A star may stand for several folders: `a*b` is also `a`, folders, `b`. */
function widened(segment: string): readonly string[] {
  const star = segment.replace(/[*?]+/g, "*");
  if (star === "*") return ["**"];
  if (!star.includes("*")) return [star];
  if (star.startsWith("*") && star.indexOf("*", 1) < 0) return [`**/${star}`];
  const at = star.indexOf("*");
  const [head, tail] = [star.slice(0, at), star.slice(star.lastIndexOf("*") + 1)];
  return [star, `${head}*/**/*${tail}`];
}

/** The longest fixed text of a pattern, to find out whether a command names it. */
export function fixedText(pattern: string): string {
  return pattern
    .split(/[*?/[\]{}\\!~$]+/)
    .reduce((longest, text) => (text.length > longest.length && text !== "." ? text : longest), "");
}
