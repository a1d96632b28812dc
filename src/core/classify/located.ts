import type { Level, PathTarget, Reach } from "../effect.ts";
import type { Knowledge } from "./classify.ts";
import { isAbsolute, isUnder, normalise, spellOut } from "./path.ts";
import { type Act, type Protection, protectionOf } from "./protect.ts";

/** One path of a call: every place it may lead to, and how sure that is. */
export type Located = {
  targets: readonly PathTarget[];
  reach: Extract<Reach, "project" | "host">;
  protection?: Protection;
  /** Somebody looked where the path really leads. */
  factual: boolean;
  doubts: readonly string[];
};

export type PathUse = { act: Act; level: Level; deep: boolean };

/** The folder that relative paths of a call start from. */
export function baseOf(cwd: string | undefined, knowledge: Knowledge): string | undefined {
  if (cwd === undefined) return knowledge.project;
  const spelled = spellOut(cwd, from(knowledge.project, knowledge));
  return spelled.ok ? spelled.raw : undefined;
}

export function locate(text: string, use: PathUse, base: string | undefined, knowledge: Knowledge): Located {
  const spelled = spellOut(text, from(base, knowledge));
  if (!spelled.ok) return unresolved(text, use, spelled.why, knowledge);
  const lexical = normalise(spelled.raw);
  const real = [realOf(lexical, knowledge), realOf(spelled.raw, knowledge)].filter((path) => path !== undefined);
  const places = [...new Set([lexical, ...real].map((path) => asInProject(path, knowledge)))];
  const protection = protectionAmong(new Set([...places, ...real]), use, knowledge);
  return {
    targets: places.map((path) => ({
      kind: "path",
      path,
      level: protection === undefined ? use.level : "admin",
      recursive: use.deep,
    })),
    reach: places.every((path) => knowledge.project !== undefined && isUnder(path, knowledge.project))
      ? "project"
      : "host",
    ...(protection === undefined ? {} : { protection }),
    factual: real.length > 0,
    doubts: spelled.doubts,
  };
}

/** Nobody can say where it leads, but what its letters say may still be protected. */
function unresolved(text: string, use: PathUse, why: string, knowledge: Knowledge): Located {
  const path = text.trim().replaceAll("\\", "/");
  const letters = path.startsWith("~") ? path.replace(/^~[^/]*/, UNKNOWN_HOME) : "/" + path;
  const protection = protectionAmong([normalise(letters)], use, knowledge);
  return {
    targets: [{ kind: "path", path: text, level: protection === undefined ? use.level : "admin", recursive: use.deep }],
    reach: "host",
    ...(protection === undefined ? {} : { protection }),
    factual: false,
    doubts: [why],
  };
}

/** Somebody's home, wherever it lies. */
const UNKNOWN_HOME = "/home/somebody";

function protectionAmong(paths: Iterable<string>, use: PathUse, knowledge: Knowledge): Protection | undefined {
  const { own: policies, project, facts } = knowledge;
  const around = { policies, state: facts?.own, home: facts?.home, project, deep: use.deep };
  let found: Protection | undefined;
  for (const path of paths) {
    const protection = protectionOf(path, use.act, around);
    if (found === undefined || protection?.class === "permissions.change") found = protection ?? found;
  }
  return found;
}

function realOf(path: string, { facts }: Knowledge): string | undefined {
  return facts !== undefined && Object.hasOwn(facts.real, path) ? facts.real[path] : undefined;
}

/** A project that is itself reached by a link keeps its name, so that patterns relative to it hold. */
function asInProject(path: string, knowledge: Knowledge): string {
  const { project } = knowledge;
  const real = project === undefined ? undefined : realOf(project, knowledge);
  if (project === undefined || real === undefined || real === project || !isUnder(path, real)) return path;
  return normalise(project + "/" + path.slice(real.length));
}

function from(base: string | undefined, { facts }: Knowledge): { base: string | undefined; home: string | undefined } {
  return { base: base === undefined || !isAbsolute(base) ? undefined : base, home: facts?.home };
}
