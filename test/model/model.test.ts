import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { decide } from "../../src/core/decide/decide.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import type { Asking, Decision } from "../../src/core/decision.ts";
import type { Effect } from "../../src/core/effect.ts";
import type { Policy } from "../../src/core/policy.ts";
import { UNREAD } from "../../src/core/tables/unread.ts";
import { distinct, modelAsking } from "./asking.ts";
import { anyCall, anyEffect, anyLayers, anyStanding, compiledLayers, NOW_MS, withExact } from "./calls.ts";
import { type Modelled, modelDecide } from "./model.ts";
import { anyPolicy } from "./policies.ts";
import { type Random, random } from "./random.ts";

const POLICIES = process.env.LEEWAY_PROVE === undefined ? 700 : 20_000;
const CALLS_EACH = 50;
const seed = Number(process.env.LEEWAY_SEED);

test("the indexed decision equals the naive one for every random policy and call, including how people are asked", () => {
  const seen = new Map<string, number>();
  for (let i = 0; i < POLICIES; i++) {
    const r = random(seed + i);
    const layers = compiledLayers(anyLayers(r));
    for (let j = 0; j < CALLS_EACH; j++) {
      const call = anyCall(r);
      const drawn = anyEffect(r, call);
      const effect = drawn.understood === "not" && r.chance(0.3) ? { ...drawn, notes: [UNREAD.invalid] } : drawn;
      const standing = withExact(r, anyStanding(r, layers), call, effect);
      const decision = decide(call, effect, standing, NOW_MS);
      const modelled = modelDecide(call, effect, standing, NOW_MS);
      const key = `${modelled.tier} ${modelled.outcome} ${modelled.code}${modelled.isBoxed ? " in a box" : modelled.isGrantedInBox ? " granted in a box" : ""}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      const asking = { ...decision.asking, reviewers: distinct(decision.asking.reviewers) };
      const modelledAsking = askingFor(decision, call, standing);
      // What is denied because nobody could read it is asked of nobody.
      const isUnread = decision.causes.some(({ by }) => by === "unread");
      if (!isUnread && !isDeepStrictEqual(asking, modelledAsking)) {
        expect({ seed: seed + i, nth: j, ...asking }, show({ call, effect, standing })).toEqual(modelledAsking);
      }
      if (!same(decision, modelled)) {
        // The seed repeats it: LEEWAY_SEED=<seed> npx vitest run test/model
        expect({ seed: seed + i, nth: j, ...core(decision) }, show({ call, effect, standing })).toEqual(modelled);
      }
    }
  }
  // Random cases prove nothing about cases that they never reach. Those in boxes are rare; the laws of boxes are about them.
  const isRare = (ending: string) => ending.endsWith("in a box");
  const found = [...seen.keys()].sort();
  expect(found.filter((ending) => !isRare(ending))).toEqual(EVERY_ENDING.filter((ending) => !isRare(ending)));
  expect(EVERY_ENDING).toEqual(expect.arrayContaining(found));
}, 3_600_000);

test("they are also equal where a rule is asked about the files that a rehearsed command wrote", () => {
  let later = 0;
  for (let i = 0; i < POLICIES; i++) {
    const r = random(seed + i);
    const given = anyLayers(r);
    const preset = { name: r.pick(["standard", "autonomous"] as const), at: AT };
    const [first, ...files] = given.files.map((file) => ({
      ...file,
      rules: [...file.rules.slice(0, 1), ...anyOfFiles(r)],
    }));
    const layers = compiledLayers({
      ...given,
      files: [{ ...(first as Policy), preset }, ...files].slice(0, 2),
    });
    for (let j = 0; j < CALLS_EACH; j++) {
      const call = { ...anyCall(r), tool: "exec" };
      const target = () =>
        ({
          kind: "path",
          path: r.pick(WRITTEN),
          level: r.pick(["read", "write"] as const),
          recursive: r.chance(0.7),
        }) as const;
      const part = {
        ...anyEffect(r, call).parts[0],
        class: "fs.write",
        reach: "project",
        targets: [target(), target()],
      } as const;
      const effect: Effect = { parts: [part], understood: r.pick(["fully", "partly"]), notes: [] };
      const standing = {
        ...anyStanding(r, layers),
        box: { project: r.pick(["/p", "/p", "/q"]), rehearses: r.chance(0.8) },
      };
      const decision = decide(call, effect, standing, NOW_MS);
      const modelled = modelDecide(call, effect, standing, NOW_MS);
      if (!same(decision, modelled))
        expect({ seed: seed + i, nth: j, ...core(decision) }, show({ call, effect, standing })).toEqual(modelled);
      const isAsked =
        decide(call, effect, { ...standing, box: { ...standing.box, rehearses: false } }, NOW_MS).outcome === "pending";
      if (isAsked && decision.outcome === "run" && effect.understood === "fully") later++;
    }
  }
  expect(later).toBeGreaterThan(0);
}, 3_600_000);

const AT = { file: "leeway.yaml", line: 1, column: 1 };
const WRITTEN = ["/p", "/p/src", "/p/src/a", "/q"];

/** Rules about files below folders, most of them about writing alone. */
function anyOfFiles(r: Random): Policy["rules"] {
  return r.upTo(2, () => {
    const [rule] = anyPolicy(r, "leeway.yaml").rules;
    const path = r.some(["/p/**/.env", "/**/.env", "/p/src/.env", "/p/src/**", "/p/*/a/.env"], 2);
    const { command: _, domain: __, ...match } = rule?.match ?? {};
    const own = r.chance(0.2) ? match : {};
    const about = {
      ...own,
      class: r.pick([["fs.write"], ["fs.write", "fs.copy"], ["fs.write", "fs.read"]] as const),
      path,
    };
    const shared = { name: "files", because: "b", reviewers: [], examples: [], at: AT };
    return {
      ...shared,
      ...rule,
      tier: r.pick(["ask", "ask", "suggest", "deny"] as const),
      human: r.chance(0.2),
      firm: r.chance(0.4),
      match: about,
    };
  }) as unknown as Policy["rules"];
}

const EVERY_ENDING = [
  "ask denied LEEWAY_NEEDS_HUMAN",
  "ask pending undefined",
  "ask run undefined",
  "auto denied LEEWAY_NEEDS_HUMAN",
  "auto run undefined",
  "auto run undefined granted in a box",
  "auto run undefined in a box",
  "deny denied LEEWAY_DENIED",
  "deny denied LEEWAY_HEADLESS",
  "deny denied LEEWAY_LIMIT",
  "deny denied LEEWAY_PAUSED",
  "deny denied LEEWAY_POLICY_INVALID",
  "deny denied LEEWAY_QUARANTINED",
  "deny denied LEEWAY_TOO_LARGE",
  "notify denied LEEWAY_NEEDS_HUMAN",
  "notify run undefined",
  "notify run undefined granted in a box",
  "notify run undefined in a box",
  "shadow not_executed LEEWAY_SHADOWED",
  "suggest not_executed LEEWAY_HEADLESS",
  "suggest not_executed LEEWAY_SUGGESTED",
  "suggest run undefined",
];

function core(one: Decision | Modelled) {
  const { tier, outcome, code, needsHuman, grant, permit } = one;
  const isBoxed = "causes" in one ? one.box?.because === "enough" || one.kept !== undefined : one.isBoxed === true;
  const isGrantedInBox = "causes" in one ? one.box?.because === "granted" : one.isGrantedInBox === true;
  return { tier, outcome, code, needsHuman, grant, permit, isBoxed, isGrantedInBox };
}

function same(a: Decision, b: Modelled): boolean {
  return JSON.stringify(core(a)) === JSON.stringify(core(b));
}

/** A closed gate asks nobody, so the defaults apply. */
function askingFor({ causes, code }: Decision, call: ToolCall, standing: Standing): Asking {
  const closed = code !== undefined && CLOSED.includes(code);
  return closed ? modelAsking(call, { ...standing, layers: [], scopes: [] }, []) : modelAsking(call, standing, causes);
}

const CLOSED = ["LEEWAY_PAUSED", "LEEWAY_POLICY_INVALID", "LEEWAY_QUARANTINED", "LEEWAY_TOO_LARGE"];

function show(all: { call: ToolCall; effect: Effect; standing: Standing }): string {
  const { layers, scopes, ...rest } = all.standing;
  const policies = [...layers, ...scopes].map(({ policy }) => policy);
  return JSON.stringify({ ...all, standing: rest, policies }, undefined, 1);
}
