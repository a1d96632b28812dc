import { statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { PackageKind, PackagesHere, RegistriesNamed } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import type { Installing } from "../../core/decide/box/packages.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { plainFile } from "../plain-file.ts";
import { whereItLeads } from "./disk.ts";

// Which registries the settings of this machine and this project name. A registry that is named must not be replaced by
// another one: a package of the same name from elsewhere would be another package.

type Around = { home: string; project: string; env: Environment };
/** The addresses that are named; undefined if the settings say more than one address can. */
type Named = readonly string[] | undefined;

export function packagesHere(asked: readonly Installing[], around: Around): PackagesHere {
  const found: { [kind in PackageKind]?: readonly string[] } = {};
  for (const kind of new Set(asked.map((one) => one.kind))) {
    const named = asked.filter((one) => one.kind === kind).map((one) => NAMED[kind](one, around));
    const all = joined(named);
    if (all !== undefined) found[kind] = [...new Set(all)];
  }
  return withPip(found, asked, around);
}

/** One variable says where every pip of a call installs, so a call cannot install both into the project and outside of it. */
function withPip(named: RegistriesNamed, asked: readonly Installing[], around: Around): PackagesHere {
  const pips = asked
    .filter(({ kind }) => kind === "pypi")
    .map((one) => one.forTools || pipPlace(one, around) === "none");
  const { pypi: _, ...others } = named;
  if (new Set(pips).size > 1) return { named: others, forTools: [] };
  return { named, forTools: pips[0] === true ? ["pypi"] : [] };
}

const NAMED: { readonly [kind in PackageKind]: (asked: Installing, around: Around) => Named } = {
  npm: npmNamed,
  pypi: pipNamed,
  go: goNamed,
  crates: cargoNamed,
};

function joined(all: readonly Named[]): Named {
  const known = all.flatMap((one) => (one === undefined ? [] : [one]));
  return known.length === all.length ? known.flat() : undefined;
}

const SETTINGS_BYTES_MAX = 4 * 1024 * 1024;

/** The text of a settings file: empty if there is none, undefined if it cannot be read. */
function textOf(file: string): string | undefined {
  try {
    return plainFile(file, SETTINGS_BYTES_MAX).toString("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "" : undefined;
  }
}

/** `goesOn`: the line may belong to the one before. */
export type Setting = { name: string; value: string; goesOn?: boolean };

/** Lines of a name and a value. Sections do not matter here. */
export function settingsIn(file: string): readonly Setting[] | undefined {
  return textOf(file)
    ?.split(/[\r\n]+/)
    .flatMap((line) => {
      const found = /^\s*(?<name>[^\s#;=][^=]*?)\s*(=\s*(?<value>.*?)\s*)?$/.exec(line)?.groups;
      if (found === undefined) return [];
      return [{ name: bare(found["name"] ?? ""), value: bare(found["value"] ?? ""), goesOn: /^\s/.test(line) }];
    });
}

function bare(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, "$2").replace(/\[\]$/, "");
}

type Names = { address: RegExp; more: RegExp; local?: RegExp };

/**
 * What settings name: the one with `address` is the registry, and one that `more` matches says more than that. The value of
 * a name without one may be on the next lines. One that `local` matches may name folders of this machine, and nothing else.
 */
function namedIn(settings: readonly Setting[] | undefined, { address, more, local }: Names, project = ""): Named {
  if (settings === undefined || settings.some(({ name }) => more.test(name))) return undefined;
  const places = settings.filter(({ name }) => local?.test(name) === true);
  if (places.length > 0 && settings.some(({ goesOn }) => goesOn === true)) return undefined;
  if (!places.every(({ value }) => namesLocal(value, project))) return undefined;
  const named = settings.flatMap(({ name, value }) => (address.test(name) ? [value] : []));
  return named.includes("") ? undefined : named;
}

/** Places of this machine that are there, outside of the project: a person chose them, and nothing is asked of anybody. */
function namesLocal(value: string, project: string): boolean {
  const places = value.split(/\s+/).map((word) => word.replace(/^file:\/\/(?=\/)/, ""));
  return places.every((place) => {
    const real = isAbsolute(place) && !/[%?#$~]/.test(place) ? whereItLeads(place) : undefined;
    const isThere = real !== undefined && statSync(real, { throwIfNoEntry: false }) !== undefined;
    return isThere && !isUnder(real, project);
  });
}

/** The variables that are set, by the part of their name that matters. An empty one is as if it were not set. */
function variables(env: Environment, which: RegExp): readonly Setting[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const found = which.exec(name)?.[1];
    return found === undefined || value === undefined || value === "" ? [] : [{ name: found, value }];
  });
}

/** The folder and every folder above it, up to the project; undefined if the command is not in the project. */
function foldersFor({ folder }: Installing, project: string): readonly string[] | undefined {
  const place = folder === undefined ? undefined : whereItLeads(folder);
  if (place === undefined || !isUnder(place, project)) return undefined;
  const folders = [place];
  for (let one = place; one !== project && one !== dirname(one); one = dirname(one)) folders.push(dirname(one));
  return folders;
}

/** Where programs keep settings of a person. Some look in the usual place although a variable names another one. */
function settingsFolders(home: string, env: Environment): readonly string[] {
  return [join(home, ".config"), env["XDG_CONFIG_HOME"] ?? ""].filter(isAbsolute);
}

const NPM = {
  address: /^registry$/i,
  // A scope may have a registry of its own; `_` and `-` are the same in variables.
  more: /:registry$|^(https?[-_])?proxy$|^(prefix|global|location)$|^replace[-_]registry[-_]host$/i,
};

function npmNamed(asked: Installing, { home, project, env }: Around): Named {
  const folders = foldersFor(asked, project);
  if (folders === undefined) return undefined;
  const { files, userSettings, own } = npmFiles(folders, { home, env });
  const inVariables = npmVariables(env).filter(({ name }) => !/^(global_?)?prefix$/i.test(name));
  const ofUser = own === undefined ? userSettings : userSettings?.filter(({ name }) => !isPrefix(name));
  const workspaces = folders.map((folder) => textOf(join(folder, "pnpm-workspace.yaml")));
  if (workspaces.some((text) => text === undefined || /registr/i.test(text))) return undefined;
  const named = files.map((file) => namedIn(settingsIn(file), NPM));
  return joined([namedIn(inVariables, NPM), namedIn(ofUser, NPM), ...named]);
}

const npmVariables = (env: Environment) => variables(env, /^npm_config_(.+)$/i);

/** The settings files of npm, those of these folders among them; and what the user's own says. */
export function npmFiles(folders: readonly string[], { home, env }: Pick<Around, "home" | "env">) {
  const set = npmVariables(env);
  const of = (name: string) => set.find((one) => one.name.toLowerCase() === name)?.value;
  // npm sets these for every program that it starts, mostly to the usual places.
  const user = of("userconfig") ?? join(home, ".npmrc");
  const userSettings = settingsIn(user);
  const own = ownPrefix(userSettings, home);
  const prefixes = [
    own ?? "",
    "/usr",
    "/usr/local",
    dirname(dirname(process.execPath)),
    of("prefix") ?? "",
    of("global_prefix") ?? "",
  ];
  const files = [
    ...folders.map((folder) => join(folder, ".npmrc")),
    ...["/etc/npmrc", of("globalconfig") ?? "/etc/npmrc"],
    ...settingsFolders(home, env).map((folder) => join(folder, "pnpm/rc")),
    ...prefixes.filter(isAbsolute).map((prefix) => join(prefix, "etc/npmrc")),
  ];
  return { user, userSettings, own, files: [...new Set(files)] };
}

const isPrefix = (name: string) => name.toLowerCase() === "prefix";

/**
 * Where a person has npm install for the machine: it changes nothing for a project, but there may be settings too. Undefined if
 * there is none, or if it is not a plain path.
 */
function ownPrefix(settings: readonly Setting[] | undefined, home: string): string | undefined {
  const [prefix, ...others] = settings?.flatMap(({ name, value }) => (isPrefix(name) ? [value] : [])) ?? [];
  if (prefix === undefined || others.length > 0 || prefix.includes("$")) return undefined;
  const place = prefix.startsWith("~/") ? join(home, prefix.slice(2)) : prefix;
  return isAbsolute(place) ? place : undefined;
}

const PIP = {
  address: /^index[-_]url$/i,
  local: /^(extra[-_]index[-_]url|find[-_]links)$/i,
  more: /^(no[-_]index|index|proxy|target|prefix|user|root|python|requirement|(build[-_])?constraint)$/i,
};

function pipNamed(asked: Installing, around: Around): Named {
  const { folder, words } = asked;
  const { home, project, env } = around;
  const place = pipPlace(asked, around);
  if (place === undefined) return undefined;
  if (!requirementFiles(words).every((file) => isPlainList(resolve(folder ?? project, file), project)))
    return undefined;
  const files = [...pipFiles({ home, env }), ...(place === "none" ? [] : [join(place, "pip.conf")])];
  return joined([
    namedIn(variables(env, /^PIP_(.+)$/), PIP, project),
    ...files.map((file) => namedIn(settingsIn(file)?.map(colonToo), PIP, project)),
  ]);
}

/** The settings files of pip for this machine and this person. */
export function pipFiles({ home, env }: Pick<Around, "home" | "env">): readonly string[] {
  const shared = ["/etc/xdg", ...(env["XDG_CONFIG_DIRS"] ?? "").split(delimiter)].filter(isAbsolute);
  return [
    ...["/etc/pip.conf", join(home, ".pip/pip.conf")],
    ...[...shared, ...settingsFolders(home, env)].map((place) => join(place, "pip/pip.conf")),
    ...(env["PIP_CONFIG_FILE"] === undefined ? [] : [env["PIP_CONFIG_FILE"]]),
  ];
}

/** The environment in the project that this pip installs into; `none` if it belongs to none; undefined if that is elsewhere or unknown. */
function pipPlace({ program, folder, environment: active }: Installing, { project, env }: Around): string | undefined {
  // It may be made by the same command.
  if (active !== undefined && !program.includes("/"))
    return active !== project && isUnder(whereItLeads(active) ?? "", project) ? active : undefined;
  const found = fileOf(program, folder ?? project, env);
  // A file that is named and not there may be made by the same command.
  if (found === undefined) return program.includes("/") ? undefined : "none";
  const environment = dirname(dirname(found));
  const isOne = statSync(join(environment, "pyvenv.cfg"), { throwIfNoEntry: false })?.isFile() === true;
  if (!isOne) return "none";
  const place = whereItLeads(environment);
  return place !== undefined && place !== project && isUnder(place, project) ? environment : undefined;
}

/** Python's settings files take `name: value` too. */
function colonToo({ name, value, ...more }: Setting): Setting {
  const found = /^([\w-]+)\s*:\s*(.*)$/.exec(name);
  return found === null ? { name, value, ...more } : { name: found[1] ?? "", value: `${found[2]}${value}`, ...more };
}

/** The files with requirements that the words name. Long options may be shortened, short ones written together. */
function requirementFiles(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const long = /^--(?:req|cons|build-c)[\w-]*(?:=(?<value>.*))?$/.exec(word);
    const short = /^-(?!-)[^rceC]*[rc](?<value>.*)$/.exec(word);
    const found = long ?? short;
    return found === null ? [] : [found.groups?.["value"] || (words[at + 1] ?? "")];
  });
}

const LIST_BYTES_MAX = 1_000_000;
/** Options in a list of requirements that name no registry and no other file. */
const LIST_OPTION = /^(-e|--editable|--pre|--prefer-binary|--require-hashes|--(hash|only-binary|no-binary)(=.*)?)$/;

/** Whether the file is a list of the project that says nothing about where its packages come from. */
function isPlainList(file: string, project: string): boolean {
  const place = whereItLeads(file);
  if (place === undefined || !isUnder(place, project)) return false;
  const stat = statSync(place, { throwIfNoEntry: false });
  const text = stat?.isFile() === true && stat.size <= LIST_BYTES_MAX ? textOf(place) : undefined;
  // In another encoding the same bytes could be other words.
  if (text === undefined || /[\0\ufffd]/.test(text) || /^\s*#.*coding[:=]/m.test(text)) return false;
  const words = text
    .replace(/(^|\s)#.*$/gm, "")
    .replace(/["'\\]/g, "")
    .split(/\s+/);
  return words.every((word) => !word.startsWith("-") || LIST_OPTION.test(word));
}

/** The file of a program. It may be a link to one of the system. */
function fileOf(program: string, folder: string, env: Environment): string | undefined {
  const places = program.includes("/")
    ? [resolve(folder, program)]
    : (env["PATH"] ?? "")
        .split(delimiter)
        .filter(isAbsolute)
        .map((place) => join(place, program));
  return places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
}

const GO = {
  address: /^GOPROXY$/,
  more: /^(GOPRIVATE|GONOPROXY|GONOSUMDB|GONOSUMCHECK|GOSUMDB|GOINSECURE|GOFLAGS|GOAUTH)$/,
};

function goNamed(asked: Installing, { home, project, env }: Around): Named {
  if (foldersFor(asked, project) === undefined) return undefined;
  const root = env["GOROOT"] ?? "/usr/local/go";
  const files = [env["GOENV"] ?? "", ...settingsFolders(home, env).map((folder) => join(folder, "go/env"))];
  const named = joined([
    namedIn(variables(env, /^(GO[A-Z]+)$/), GO),
    ...files.filter(isAbsolute).map((file) => namedIn(settingsIn(file), GO)),
    // Every installation of Go names its checksum database there.
    namedIn(
      settingsIn(join(root, "go.env"))?.filter(({ name }) => name !== "GOSUMDB"),
      GO,
    ),
  ]);
  return named === undefined ? undefined : joined(named.map(proxyIn));
}

/** One proxy, with or without `direct` after it. Every other list is a choice that one address cannot stand for. */
function proxyIn(list: string): Named {
  const found = /^(?<address>https?:[^,|]+)(,direct)?$/.exec(list)?.groups?.["address"];
  return found === undefined ? undefined : [found];
}

/** Any word about where crates come from. */
const CARGO_SOURCES = /\b(source|registry|registries|replace-with|include|patch)\b/;

function cargoNamed(asked: Installing, { home, project, env }: Around): Named {
  const folders = foldersFor(asked, project);
  if (folders === undefined || variables(env, /^(CARGO_REGISTR.+)$/).length > 0) return undefined;
  const above = [dirname(project), dirname(dirname(project)), "/", home];
  const places = [...[...folders, ...above].map((folder) => join(folder, ".cargo")), env["CARGO_HOME"] ?? ""];
  const files = places.filter(isAbsolute).flatMap((place) => [join(place, "config"), join(place, "config.toml")]);
  const texts = files.map(textOf);
  return texts.some((text) => text === undefined || CARGO_SOURCES.test(text)) ? undefined : [];
}
