// The cases of test/cases as calls, and what preset standard decides. The same as test/cases/cases.ts, but for the build.
import { readdirSync, readFileSync } from "node:fs";

const dist = process.env.LEEWAY_DIST ?? new URL("../dist/", import.meta.url).href;
const load = (path) => import(new URL(path, dist).href);
const { classify, namedPaths, namedSettings } = await load("core/classify/classify.js");
const { readCall } = await load("core/classify/reading.js");
const { normalise, spellOut } = await load("core/classify/path.js");
const { settingsKey } = await load("core/classify/settings.js");
const { NOTHING_DECLARED } = await load("core/classify/known-tool.js");
const { compilePolicy } = await load("core/decide/compile.js");
const { decide } = await load("core/decide/decide.js");
const { emptyPolicy } = await load("core/policy.js");
const { bareStanding } = await load("core/decide/standing.js");
const { sha256 } = await load("core/values/hash.js");

const HOME = "/home/ana";
const PROJECT = "/home/ana/project";
const folder = new URL("../test/cases/", import.meta.url);

export function readCases() {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) =>
      readFileSync(new URL(name, folder), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line)),
    );
}

export function callOf({ command, tool, args }) {
  return {
    workspace: "default",
    agent: "coder",
    tool: command === undefined ? tool : "Bash",
    args: command === undefined ? args : { command },
    cwd: PROJECT,
    callId: "1",
    traceId: "t",
    chain: [],
    claims: {},
  };
}

/** The knowledge of a door that has resolved every path and found no link. */
export function knowing(call) {
  const real = {};
  const reading = readCall(call);
  for (const path of namedPaths(reading)) {
    const spelled = spellOut(path, { base: PROJECT, home: HOME });
    if (!spelled.ok) continue;
    for (const text of [spelled.raw, normalise(spelled.raw)]) real[text] = normalise(spelled.raw);
  }
  const settings = Object.fromEntries(namedSettings(reading, PROJECT).flatMap(foundOf));
  return {
    declared: NOTHING_DECLARED,
    project: PROJECT,
    facts: { real, missing: [], home: HOME, foldsCase: false, settings },
  };
}

const ordinary = JSON.parse(readFileSync(new URL("ordinary-project.json", folder), "utf8"));
const own = new RegExp(ordinary.own);
const filled = new RegExp(ordinary.filled);

/** The same as in test/cases/trying.ts, from the same data. */
function foundOf({ by, folder: asked, base }) {
  const spelled = spellOut(asked, { base, home: HOME });
  if (!spelled.ok || ![...ordinary.known, ...ordinary.anywhere].includes(by)) return [];
  const path = normalise(spelled.raw);
  const inside = path.startsWith(PROJECT) ? path.slice(PROJECT.length) : undefined;
  const isKnown =
    inside !== undefined &&
    (ordinary.anywhere.includes(by) || (by === "content" ? !filled.test(inside) : own.test(inside)));
  return isKnown ? [[settingsKey(by, path), { starts: [], leads: [], hooks: [], own: true, facts: [] }]] : [];
}

const at = { file: "leeway.yaml", line: 1, column: 1 };
const version = sha256("standard");
const standing = bareStanding(
  [compilePolicy({ ...emptyPolicy("leeway.yaml", version), preset: { name: "standard", at } })],
  version,
);

/** True if the call would run without a question. The time for looking up files on disk is not measured. */
export function runsUnasked(call, knowledge) {
  const reading = readCall(call);
  namedPaths(reading);
  const decision = decide(call, classify(reading, knowledge), standing, 0);
  return decision.code !== "LEEWAY_NEEDS_HUMAN" && (decision.tier === "auto" || decision.tier === "notify");
}
