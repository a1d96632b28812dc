import {
  PACKAGE_KINDS,
  type PackageKind,
  type PackageSource,
  type PackagesHere,
  type RegistriesNamed,
} from "../../box.ts";
import { isAbsolute, normalise } from "../../classify/path.ts";
import type { CommandTarget, Effect, EffectClass, Part } from "../../effect.ts";
import type { BoxSettings } from "../../policy.ts";
import { INSTALLERS } from "../../tables/box-fit.ts";
import { programOf } from "../../tables/launchers.ts";
import { MANAGERS, type PackageRow, PUBLIC_REGISTRIES } from "../../tables/packages/package-managers.ts";
import { once } from "../../values/once.ts";
import { type CommandPattern, commandMatches, commandPattern } from "../patterns.ts";
import type { Standing } from "../standing.ts";
import { offerIn, openerOf } from "./offer.ts";

/**
 * A command that installs packages: from which kind of registry, by which program with which words, in which folder. It installs
 * into the project, or `forTools`: for the whole machine, which in a box means for the boxes of the project.
 */
export type Installing = {
  kind: PackageKind;
  program: string;
  words: readonly string[];
  folder: string | undefined;
  forTools: boolean;
  /** The environment of Python that the call has activated before. */
  environment?: string;
};

/** Looks which registries the settings of package managers name on this machine and in the project, and where they install. */
export type LookForRegistries = (asked: readonly Installing[], project: string) => PackagesHere;

const ROWS = once(() =>
  MANAGERS.map((row) => ({ row, patterns: row.commands.map((one) => commandPattern(`${one} *`)) })),
);

/** What is known about the command, if it installs from a registry and does nothing beyond it. */
function rowOf(target: CommandTarget): PackageRow | undefined {
  const [program = "", ...rest] = target.words;
  if (target.env.length > 0) return undefined;
  const line = [programOf(program), ...rest];
  return ROWS().find(({ row, patterns }) => isAmong(patterns, line) && isPlain(row, rest))?.row;
}

function kindOf(target: CommandTarget): PackageKind | undefined {
  return rowOf(target)?.kind;
}

function isAmong(patterns: readonly CommandPattern[], line: readonly string[]): boolean {
  return patterns.some((pattern) => commandMatches(pattern, line));
}

/** Every word is a package by its name, a file, or an option that changes neither the registry nor the place. */
function isPlain({ elsewhere, named, needs, options, subcommand }: PackageRow, rest: readonly string[]): boolean {
  const isKnown = (word: string) => (options === undefined ? !isElsewhere(word, elsewhere) : options.test(word));
  const isOption = (word: string) => needs?.includes(word) === true || isKnown(word);
  const isWord = (word: string) => (word.startsWith("-") ? isOption(word) : named.test(word));
  if (needs !== undefined && !needs.some((word) => rest.includes(word))) return false;
  if (subcommand === undefined) return rest.every(isWord);
  const [first, ...others] = rest;
  return first === subcommand && others.some((word) => named.test(word)) && others.every(isWord);
}

function isElsewhere(word: string, elsewhere: readonly string[]): boolean {
  const [name = ""] = word.split("=", 1);
  // npm takes the registry of a scope as an option of that name.
  if (/registry|index|proxy/i.test(name)) return true;
  // Long options may be shortened, and short ones written together or with their value.
  if (name.startsWith("--")) return name.length > 2 && elsewhere.some((one) => one.startsWith(name));
  return elsewhere.some((one) =>
    one.length === 2 ? name.slice(1).includes(one.slice(1)) : one === name || one === `-${name}`,
  );
}

function commandsOf({ targets }: Part): readonly CommandTarget[] {
  return targets.filter((target): target is CommandTarget => target.kind === "command");
}

/** What the commands of a call install. The door then looks which registries the settings name. */
export function installings({ parts }: Effect): readonly Installing[] {
  let environment: string | undefined;
  return parts.flatMap(commandsOf).flatMap((target) => {
    environment = activatedBy(target) ?? environment;
    const row = rowOf(target);
    const [program = "", ...words] = target.words;
    if (row === undefined) return [];
    const asked = { kind: row.kind, program, words, folder: target.cwd, forTools: row.forTools === true };
    return [environment === undefined ? asked : { ...asked, environment }];
  });
}

/** `. .venv/bin/activate`: from then on, Python and pip are those of this folder. */
function activatedBy({ words: [program = "", file = ""], cwd }: CommandTarget): string | undefined {
  const folder = /^(?<folder>.+)\/bin\/activate$/.exec(file)?.groups?.["folder"];
  if (folder === undefined || (program !== "." && program !== "source")) return undefined;
  if (isAbsolute(folder)) return normalise(folder);
  return cwd === undefined ? undefined : normalise(`${cwd}/${folder}`);
}

/** Whether the part installs packages, and only from registries that can be read in the box. */
export function isInstalling(part: Part, packages: readonly PackageSource[]): boolean {
  const targets = commandsOf(part);
  const isOpen = (kind: PackageKind | undefined) => packages.some((source) => source.kind === kind);
  return targets.length > 0 && targets.every((target) => isOpen(kindOf(target)));
}

const INSTALLING = once(() => INSTALLERS.map(commandPattern));

/**
 * The numbers of commands with `||` between them that all install something, and of which one can do so in the box. If it comes
 * to another one of them, that fails there, and the agent is told.
 */
export function spareIn({ parts }: Effect, packages: readonly PackageSource[]): ReadonlySet<number> {
  const numbered = (part: Part) => commandsOf(part).flatMap(({ either }) => either ?? []);
  const isInstaller = (part: Part) => commandsOf(part).every(({ words }) => isAmong(INSTALLING(), words));
  const works = parts.filter((part) => isInstalling(part, packages)).flatMap(numbered);
  const others = new Set(parts.filter((part) => !isInstaller(part)).flatMap(numbered));
  return new Set(works.filter((number) => !others.has(number)));
}

/** Whether the part is such a command. */
export function isSpare(part: Part, spare: ReadonlySet<number>): boolean {
  const targets = commandsOf(part);
  return targets.length > 0 && targets.every(({ either }) => either !== undefined && spare.has(either));
}

/** The registries that the commands of a call may read. */
export function readableFor(effect: Effect, standing: Standing): readonly PackageSource[] {
  const kinds = new Set(installings(effect).map(({ kind }) => kind));
  // What was not understood may choose another Python, for example by the settings of an environment.
  if (effect.understood !== "fully" && toolsFor(effect, standing).includes("pypi")) kinds.delete("pypi");
  // The proxy of Go asks the host that a module is named after: code in the box could tell any server something.
  if (kinds.has("go") && !isOnlyGo(effect)) kinds.delete("go");
  return openSources(standing).filter(({ kind }) => kinds.has(kind));
}

/** The kinds of which the commands of a call install tools for the boxes of the project. */
export function toolsFor(effect: Effect, { box }: Standing): readonly PackageKind[] {
  const asked = installings(effect);
  const isTool = ({ kind, forTools }: Installing) => forTools || box?.registries?.forTools.includes(kind) === true;
  return [...new Set(asked.filter(isTool).map(({ kind }) => kind))];
}

const ABOUT_FILES: ReadonlySet<EffectClass> = new Set([
  "none",
  "fs.read",
  "fs.write",
  "fs.mkdir",
  "fs.copy",
  "fs.move",
  "fs.delete",
]);

/** Whether the call only loads modules of Go, and reads and changes files: nothing in it runs code of anybody. */
function isOnlyGo({ parts, understood }: Effect): boolean {
  const isLoading = (part: Part) => {
    const targets = commandsOf(part);
    return targets.length > 0 && targets.every((target) => kindOf(target) === "go");
  };
  const isFile = ({ class: kind, targets }: Part) =>
    ABOUT_FILES.has(kind) || (kind === "deploy.write" && targets.every((target) => target.kind === "path"));
  return understood === "fully" && parts.every((part) => isLoading(part) || isFile(part));
}

/**
 * The outermost accepted file that has the key opens registries, every other layer can only close them. If the settings of
 * this machine name another one, it is not replaced: a package of the same name from elsewhere would be another package.
 * Packages are code for later, so they are installed only where their files are looked at before they are applied.
 */
function openSources(standing: Standing): readonly PackageSource[] {
  const { layers, scopes } = standing;
  const opening = openerOf(layers)?.box;
  const others = [...layers, ...scopes].flatMap(({ policy }) => policy.box ?? []).filter((one) => one !== opening);
  const box = offerIn(standing);
  if (box?.rehearses !== true) return [];
  return sourcesOf(opening).filter(
    (source) =>
      others.every((one) => one.packages === undefined || one.packages.some((other) => isSame(other, source))) &&
      isUsed(source, box.registries?.named),
  );
}

const PUBLIC: readonly PackageSource[] = PACKAGE_KINDS.map((kind) => ({ kind, from: PUBLIC_REGISTRIES[kind] }));

function sourcesOf(box: BoxSettings | undefined): readonly PackageSource[] {
  return box?.packages ?? PUBLIC;
}

function isSame(one: PackageSource, other: PackageSource): boolean {
  return one.kind === other.kind && one.from === other.from;
}

function isUsed({ kind, from }: PackageSource, registries: RegistriesNamed | undefined): boolean {
  return registries?.[kind]?.every((named) => withSlash(named) === from) === true;
}

/** One spelling for one address. */
function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}
