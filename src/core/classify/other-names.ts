import { nameOf } from "../shell/names.ts";
import { programOf } from "../tables/launchers.ts";
import { meantBy, signalled } from "../tables/namesakes.ts";

// The same command under other words, as rules may spell it. Nobody relies on this; it is for rules that deny.

type Words = readonly string[];

/** `pip3`, `git.exe`, `npm@latest` and, where the disk does not tell them apart, `GIT`; then whatever else it is called. */
export function otherNames(words: Words): readonly Words[] {
  const [first = "", ...rest] = words;
  const program = first.includes("/") ? first : nameOf(programOf(first.toLowerCase())).replace(VERSION, "");
  const named = program === first ? words : [program, ...rest];
  const found = [
    ...(named === words ? [] : [named]),
    ...inOtherCase(named),
    ...moduleOf(named),
    ...scriptOf(named),
    ...writtenOut(named),
    ...signalled(named),
  ];
  const meant = [named, ...found].flatMap((one) => {
    const other = meantBy(one);
    return other === undefined ? [] : [other];
  });
  return [...found, ...meant];
}

const VERSION = /(?<=.)@[\w.^~-]+$/;

/** Programs that take their own words in either case. */
export const SHOUTED = /^(redis|valkey|keydb)-cli$/;

function inOtherCase([program = "", ...rest]: Words): readonly Words[] {
  if (!SHOUTED.test(program)) return [];
  return [[program, ...rest.map((word) => word.toLowerCase())]];
}

/** `python -I -m pip install a` is `pip install a`. */
function moduleOf([program = "", ...rest]: Words): readonly Words[] {
  if (!/^(python|pypy|py)$/.test(program)) return [];
  const at = rest.findIndex((word) => /^-[A-Za-z]*m/.test(word));
  const attached = rest[at]?.replace(/^-[A-Za-z]*?m/, "") ?? "";
  if (at < 0 || rest.slice(0, at).some((word, i) => !word.startsWith("-") && !/^-[WX]$/.test(rest[i - 1] ?? "")))
    return [];
  return attached === "" ? [rest.slice(at + 1)] : [[attached, ...rest.slice(at + 1)]];
}

/** `node /usr/bin/npm publish` is `npm publish`: a program that an interpreter is told to read. */
function scriptOf([program = "", ...rest]: Words): readonly Words[] {
  if (!/^(node|nodejs|python|ruby|perl|bash|sh|dash|zsh)$/.test(program)) return [];
  const at = rest.findIndex((word) => !word.startsWith("-"));
  const [, looked] = /^"?\$\((?:which|command -v|type -[pP]) ([\w.-]+)\)"?$/.exec(rest[at] ?? "") ?? [];
  if (looked !== undefined) return [[looked, ...rest.slice(at + 1)]];
  const [, name] = /\/s?bin\/(?:.*\/)?([\w.-]+?)(?:-cli)?(?:\.[cm]?js)?$/.exec(rest[at] ?? "") ?? [];
  return name === undefined ? [] : [[name, ...rest.slice(at + 1)]];
}

/** What make is told to make stands in any order, between options and variables. */
export function goalsOf([program = "", ...rest]: Words): readonly Words[] {
  if (!/^g?make$/.test(program)) return [];
  const goals = rest.filter((word, i) => !/^-|=/.test(word) && !/^-[fCIoWE]$/.test(rest[i - 1] ?? ""));
  return goals.map((goal) => [program, goal]);
}

/** Words that a program takes in a shorter or another spelling. */
function writtenOut([program = "", ...rest]: Words): readonly Words[] {
  const [second = ""] = rest;
  if (/^(cargo|rustc|rustdoc)$/.test(program) && second.startsWith("+")) return [[program, ...rest.slice(1)]];
  if (/^(g|bsd)?tar$/.test(program) && /^[A-Za-z]+$/.test(second)) return [[program, `-${second}`, ...rest.slice(1)]];
  const [, started] = /^--coreutils-prog=(.+)$/.exec(second) ?? [];
  if (started !== undefined) return [[started, ...rest.slice(1)]];
  if (program === "npm") return apartForNpm(rest);
  if (program !== "chmod") return [];
  return [[program, ...rest.map((word) => word.replace(/^0+(?=[0-7]{3}$)/, "").replace(/^(a|ugo)?=rwx$/, "777"))]];
}

/** `npm install -gf a` is `npm install -g -f a`, and to install for all projects has another name. */
function apartForNpm(rest: Words): readonly Words[] {
  const apart = rest.flatMap((word, i) => {
    if (/^--location=global$/.test(word) || (word === "global" && rest[i - 1] === "--location")) return ["-g"];
    if (word === "--location") return [];
    return /^-[a-zA-Z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
  });
  return apart.length === rest.length && apart.every((word, i) => word === rest[i]) ? [] : [["npm", ...apart]];
}
