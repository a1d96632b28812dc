import { expect, test } from "vitest";
import type { ToolCall } from "../../call.ts";
import type { Effect, Part, Target } from "../../effect.ts";
import { emptyPolicy, type Match, type Policy } from "../../policy.ts";
import type { Tier } from "../../tier.ts";
import { sha256 } from "../../values/hash.ts";
import { compilePolicy } from "../compile.ts";
import { decide } from "../decide.ts";
import { bareStanding, type Standing } from "../standing.ts";

// Where a command may write any file below a folder, a rule about a name in any folder is asked about the files that it wrote, if they
// are decided about before they are applied.

const at = { file: "leeway.yaml", line: 1, column: 1 };
const ENV: Match = { class: ["fs.write"], path: ["**/.env"] };

const call: ToolCall = {
  workspace: "default",
  agent: "coder",
  tool: "exec",
  args: { command: "tar xf a.tar" },
  callId: "c",
  traceId: "t",
  chain: [],
  claims: {},
};

const path = (name: string, level: "read" | "write", recursive: boolean): Target => ({
  kind: "path",
  path: name,
  level,
  recursive,
});
const command = (words: string): Target => ({
  kind: "command",
  words: words.split(" "),
  cwd: "/p",
  env: [],
  level: "write",
});

function effect(understood: Effect["understood"], ...targets: Target[]): Effect {
  const part: Part = {
    class: "fs.write",
    capability: "workspace.write_text",
    level: "write",
    targets,
    reversible: true,
    reach: "project",
  };
  return { parts: [part], understood, notes: [] };
}

const UNPACKED = effect("partly", path("/p", "write", true));
const ZIPPED = effect(
  "fully",
  command("zip -r b.zip src"),
  path("/p/b.zip", "write", false),
  path("/p/src", "read", true),
);
const LINKED = effect(
  "fully",
  command("ln -s src b"),
  path("/p/b", "write", false),
  path("/p/src", "read", true),
  path("/p/src", "write", false),
);

type World = {
  of?: Effect;
  match?: Match;
  tier?: Tier;
  human?: boolean;
  box?: Standing["box"] | "none";
  file?: Partial<Policy>;
  scope?: boolean;
  beside?: boolean;
};

function ending({ of = UNPACKED, match = ENV, tier = "ask", human = false, file, ...world }: World): string {
  const rule = { name: "keep", match, tier, because: "b", human, firm: true, reviewers: [], examples: [], at };
  const ruled: Policy = {
    ...emptyPolicy("other", sha256("other")),
    rules: [rule as unknown as Policy["rules"][number]],
    root: "/p",
  };
  const preset = { ...emptyPolicy("project", sha256("project")), preset: { name: "standard", at } as const, ...file };
  const standing = bareStanding([preset].map(compilePolicy), sha256("v"));
  const { box: _, ...without } = standing;
  const box = world.box ?? { project: "/p", rehearses: true };
  const added = compilePolicy(world.beside === true ? { ...ruled, beside: true } : ruled);
  const held: Standing = {
    ...without,
    layers: world.scope === true ? standing.layers : [...standing.layers, added],
    scopes: world.scope === true ? [added] : [],
    ...(box === "none" ? {} : { box }),
  };
  const { outcome, box: made } = decide(call, of, held, 0);
  return `${outcome}${outcome === "run" && made !== undefined ? `, ${made.because}${made.rehearsed ? ", rehearsed" : ""}` : ""}`;
}

test("unpacking runs in a rehearsal although a rule asks about a name in any folder", () => {
  expect(ending({})).toBe("run, enough, rehearsed");
  // Without a copy of the project it must not run, although its words could be decided about.
  expect(ending({ of: LINKED })).toBe("run, enough, rehearsed");
});

test("where no changes are decided about afterwards, the rule asks before", () => {
  const never = { rehearse: "never", write: [], network: [], at } as const;
  const cases: World[] = [
    { box: "none" },
    { box: { project: "/p", rehearses: false } },
    { box: { project: "/other", rehearses: true } },
    { file: { box: never } },
    { file: { box: { enforce: false, write: [], network: [], at } }, of: LINKED },
  ];
  for (const one of cases) expect([one, ending(one)]).toEqual([one, "pending"]);
});

test("a rule that would not be asked about the changes in the same way asks before", () => {
  const cases: World[] = [
    { match: { ...ENV, tool: ["exec"] } },
    { match: { ...ENV, understood: ["partly"] } },
    { match: { ...ENV, agent: ["cod*"] } },
    { match: { path: ["**/.env"] } },
    { match: { class: ["fs.write", "fs.read"], path: ["**/.env"] } },
    { match: { class: ["fs.write"], path: ["src/**"] } },
    { match: { class: ["fs.write"], path: ["src/.env"] } },
    { scope: true },
    { beside: true },
  ];
  for (const one of cases) expect([one, ending(one)]).toEqual([one, "pending"]);
});

test("a rule that denies, or wants a person, holds before the command runs", () => {
  expect(ending({ tier: "deny" })).toBe("denied");
  expect(ending({ tier: "deny", of: LINKED })).toBe("denied");
  expect(ending({ tier: "deny", of: ZIPPED })).toBe("denied");
  expect([ending({ human: true }), ending({ human: true, of: ZIPPED })]).toEqual(["denied", "denied"]);
});

test("what a command only reads is not what a rule about writing asks about, with a box or without one", () => {
  expect([ending({ of: ZIPPED }), ending({ of: ZIPPED, box: "none" })]).toEqual(["run, enforced, rehearsed", "run"]);
  const below: Match = { class: ["fs.write"], path: ["src/gen/**"] };
  expect([ending({ of: ZIPPED, match: below }), ending({ of: LINKED, match: below })]).toEqual([
    "run, enforced, rehearsed",
    "pending",
  ]);
  const reading: Match = { class: ["fs.write", "fs.read"], path: ["src/gen/**"] };
  expect(ending({ of: ZIPPED, match: reading })).toBe("pending");
});
