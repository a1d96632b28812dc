import { resolve } from "node:path";
import { EVERYTHING, type WallRefusal } from "../core/box.ts";
import { formatDuration } from "../core/values/duration.ts";
import { sizeText } from "../core/values/size.ts";

// What programs write when the walls do not let them do something. It is only for telling people and agents: nobody can be sure
// that a program wrote the truth.

const HOST = String.raw`['"]?(?<host>[a-z0-9-]+(\.[a-z0-9-]+)+|localhost)['"]?`;
const QUOTED = String.raw`['"‘“\`](?<path>[^'"’”\`\n]+)['"’”\`]`;

const WRITES = [
  new RegExp(String.raw`(EROFS|Read-only file system|os error 30)[^\n]*?${QUOTED}`, "gi"),
  new RegExp(String.raw`${QUOTED}[^'"\n]{0,3}: \(?(Read-only file system|os error 30)`, "gi"),
  /(^|[ :])(?!EROFS:)(?<path>[^\s:'"’]+): (Read-only file system|os error 30)/gim,
];
const UNNAMED_WRITE = /Read-only file system|\bEROFS\b/i;

const CONNECTIONS = [
  new RegExp(
    `(Could not resolve (host|hostname|proxy)|Name or service not known|unable to resolve host address|EAI_AGAIN|ENOTFOUND|ENETUNREACH)[: ]+${HOST}`,
    "gi",
  ),
  new RegExp(
    String.raw`(host|hostname|connect to|lookup|https?://)[=: ]*${HOST}[^\n]*?(Temporary failure|Name or service not known|Network is unreachable|no such host|Failed to resolve|server misbehaving|403 Forbidden)`,
    "gi",
  ),
];
const UNNAMED_CONNECTION = /Network is unreachable|\bENETUNREACH\b|\bEAI_AGAIN\b|Temporary failure in name resolution/i;

const NO_MORE_PROCESSES =
  /\bcan(no|')t fork\b|\b(fork|vfork|clone|posix_spawn|pthread_create)\b[^\n]{0,60}(Resource temporarily unavailable|EAGAIN)|\bspawn \S+ EAGAIN\b|can't start new thread|unable to create (new )?native thread/i;

/** In a copy of the project, folders that were there before, and what is beside a protected file, cannot be renamed. */
const RENAMES = [
  new RegExp(String.raw`(EXDEV|cross-device link)[^'"\n]*${QUOTED}`, "gi"),
  new RegExp(String.raw`${QUOTED}[^'"\n]{0,12}: (Invalid )?cross-device link`, "gi"),
];
const NOT_RENAMED = "it cannot be renamed in a box; `mv` moves it by copying";

const HEARD_MAX = 20;

/**
 * What the end of a program's errors says about walls, with the path or the host where it is named. Paths are taken from the
 * folder in which the program was started.
 */
export function heardRefusals(errors: string, cwd: string): WallRefusal[] {
  const paths = new Set(
    WRITES.flatMap((pattern) =>
      [...errors.matchAll(pattern)].map((found) => resolve(cwd, found.groups?.["path"] ?? "")),
    ),
  );
  const hosts = new Set(
    CONNECTIONS.flatMap((pattern) =>
      [...errors.matchAll(pattern)].map((found) => (found.groups?.["host"] ?? "").toLowerCase()),
    ),
  );
  if (paths.size === 0 && UNNAMED_WRITE.test(errors)) paths.add("");
  if (hosts.size === 0 && UNNAMED_CONNECTION.test(errors)) hosts.add("");
  return [
    ...[...paths].map((path) => ({ of: "write", path }) as const),
    ...[...hosts].map((domain) => ({ of: "network", domain }) as const),
    ...renamesIn(errors).map((path) => ({ of: "change", path, why: NOT_RENAMED }) as const),
  ].slice(0, HEARD_MAX);
}

/** Only names within the folder: a temporary file is on another file system without a box too. */
function renamesIn(errors: string): readonly string[] {
  const found = RENAMES.flatMap((pattern) => [...errors.matchAll(pattern)].map(({ groups }) => groups?.["path"] ?? ""));
  return [...new Set(found.filter((path) => path !== "" && path !== "." && !path.startsWith("/")))];
}

/** For most users Linux itself starts no more processes than the box may have, and says so to the program alone. */
export function heardLimit(errors: string, processes: number): WallRefusal[] {
  return NO_MORE_PROCESSES.test(errors) ? [{ of: "limit", limit: "processes", max: processes }] : [];
}

/**
 * One line for the agent: what was closed, and what can be done. Empty if nothing was refused. `isByHand`: a person chose the
 * walls on the line, so no policy opens them.
 */
export function sayRefusals(refused: readonly WallRefusal[], { isByHand = false } = {}): string {
  const of = (kind: WallRefusal["of"]) => refused.filter((one) => one.of === kind);
  const domains = of("network").flatMap((one) => (one.of === "network" && one.domain !== "" ? [one.domain] : []));
  const paths = of("write").flatMap((one) => (one.of === "write" && one.path !== "" ? [one.path] : []));
  const changes = refused.flatMap((one) =>
    one.of === "change" && !isEverything(one) ? [`${shortened(one.path)} (${one.why})`] : [],
  );
  const emptied = refused.flatMap((one) => (one.of === "hidden" ? [shortened(one.path)] : []));
  const said = [
    ...refused.flatMap((one) => (one.of === "limit" ? [exceededText(one)] : [])),
    ...refused.flatMap((one) => (one.of === "uncovered" ? [uncoveredText(one.path)] : [])),
    of("network").length === 0
      ? ""
      : `The network is closed in this box${named(domains)}${isByHand ? "" : "; a domain can be added to box.network in leeway.yaml"}.`,
    of("write").length === 0
      ? ""
      : `This box does not let the program write there${named(paths)}${isByHand ? "" : "; a folder can be added to box.write in leeway.yaml"}.`,
    ...refused.flatMap((one) => (isEverything(one) ? [`Nothing was applied, because ${one.why}.`] : [])),
    emptied.length === 0 ? "" : `Hidden in the box, so the copy is empty${named(emptied)}.`,
    changes.length === 0 ? "" : `Left out, because it cannot be applied${named(changes)}. All other changes count.`,
  ];
  return said.filter((sentence) => sentence !== "").join(" ");
}

/** Too much was changed, so nothing of it is applied. */
export function isEverything(one: WallRefusal): one is Refused & { path: typeof EVERYTHING } {
  return one.of === "change" && one.path === EVERYTHING;
}

type Refused = Extract<WallRefusal, { of: "change" }>;

/** The program itself was ended, or could not start more, so the agent must know why, and what else it can do. */
function exceededText({ limit, max }: Extract<WallRefusal, { of: "limit" }>): string {
  if (limit === "held")
    return `The box ended the program: it was stopped for a call of the agent program that opens files, and the agent program did not say within ${formatDuration(max)} that the call has ended. Start it again.`;
  const [what, less] = {
    memory: [`ended the program, because it used more than ${sizeText(max)} of memory`, "run a smaller part"],
    processes: [`does not let the program have more than ${max} processes and threads at once`, "start fewer at once"],
    time: [`ended the program, because it ran longer than ${formatDuration(max)}`, "run a smaller part"],
  }[limit];
  return `The box ${what}: ${less}, or ask a person to raise box.limits.${limit} in leeway.yaml.`;
}

function uncoveredText(path: string): string {
  return `The box ended the program, because ${shortened(path)} was replaced from outside, and the program could have read or changed the new file: start the command again.`;
}

const PATH_MAX = 200;

/** Both ends of a long path: what is said after it must be read too. */
function shortened(path: string): string {
  return path.length <= PATH_MAX ? path : `${path.slice(0, PATH_MAX / 2)}…${path.slice(-PATH_MAX / 4)}`;
}

const NAMED_MAX = 5;

function named(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : "";
  return `: ${names.slice(0, NAMED_MAX).join(", ")}${more}`;
}
