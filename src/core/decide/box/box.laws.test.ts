import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCall, anyEffect, anyLayers, anyStanding, compiledLayers, NOW_MS } from "../../../../test/model/calls.ts";
import { anyPolicy } from "../../../../test/model/policies.ts";
import { random } from "../../../../test/model/random.ts";
import type { ToolCall } from "../../call.ts";
import { type Effect, onlyReads, type Part } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { BOXED_CLASSES, type BoxSettings, emptyPolicy, type Rule } from "../../policy.ts";
import type { GrantCover } from "../../standing/grant.ts";
import { PUBLIC_REGISTRIES } from "../../tables/packages/package-managers.ts";
import { UNREAD } from "../../tables/unread.ts";
import { rankOf } from "../../tier.ts";
import { sha256 } from "../../values/hash.ts";
import { compilePolicy } from "../compile.ts";
import { decide } from "../decide.ts";
import type { Standing } from "../standing.ts";

// The laws of boxes: random commands, decided for a caller that makes boxes, and for one that does not.

type World = { call: ToolCall; effect: Effect; standing: Standing };

function law(claim: (w: World) => void): void {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const r = random(seed);
      const layers = compiledLayers(anyLayers(r));
      const call = { ...anyCall(r), tool: "exec" };
      const named = r.maybe(0.8, "npm", () => r.pick([[], [MIRROR], [PUBLIC_REGISTRIES.npm]]));
      const registries = { named, forTools: [] };
      const box = { project: "/p", rehearses: r.chance(0.7), registries };
      const standing = { ...anyStanding(r, layers), canAsk: true, box };
      const effect = anyEffect(r, call);
      const words = r.pick([
        ["npm", "test"],
        ["npm", "install", "a"],
        ["npm", "install", "-g", "a"],
      ]);
      claim({ call, effect: r.chance(0.5) ? effect : code(effect, words), standing });
    }),
    // The example: a rule asks about a tool that a person explained.
    { examples: [[714655831]], numRuns: process.env.LEEWAY_PROVE === undefined ? 1_000 : 50_000 },
  );
}

const MIRROR = "https://npm.example/";

/** Code that nobody reads, and nothing else: random parts are rarely that. */
function code(effect: Effect, words: readonly string[]): Effect {
  const target = { kind: "command", words, env: [], level: "execute" } as const;
  const part = { ...effect.parts[0], class: "process.exec", targets: [target], projectCode: "/p" } as const;
  return { parts: [part], understood: effect.understood, notes: [] };
}

function withoutBox({ box: _, ...standing }: Standing): Standing {
  return standing;
}

test("a box loosens only a plain question or a notice, and then the decision names the box", () => {
  let loosened = 0;
  law(({ call, effect, standing }) => {
    const plain = decide(call, effect, withoutBox(standing), NOW_MS);
    const boxed = decide(call, effect, standing, NOW_MS);
    if (boxed.causes.some((cause) => cause.by === "box" && cause.tier === "ask")) return;
    expect(rankOf(boxed.tier)).toBeGreaterThanOrEqual(rankOf(plain.tier));
    if (boxed.tier === plain.tier) return;
    loosened++;
    expect(["ask notify", "ask auto", "notify auto"]).toContain(`${plain.tier} ${boxed.tier}`);
    expect(plain.needsHuman).toBe(false);
    const grant = standing.grants.find((held) => held.grant.id === boxed.grant)?.grant;
    expect(boxed.box?.because).toBe(grant?.covers.inBox === true ? "granted" : "enough");
    if (grant === undefined) expect(boxed.causes).toContainEqual({ by: "box", tier: boxed.tier });
  });
  // A law about cases that never come says nothing.
  expect(loosened).toBeGreaterThan(0);
});

test("where boxes are made, a preset lets nothing run without walls but what harms nobody by itself without them", () => {
  let bare = 0;
  let asked = 0;
  law(({ call, effect, standing: { box, ...random } }) => {
    if (box === undefined) return;
    const { callback: _, permit: __, ...alone } = random;
    const policy = { ...emptyPolicy("project", sha256("project")), preset: STANDARD };
    const standing = { ...alone, promotions: [], grants: [], scopes: [], layers: [compilePolicy(policy)], box };
    const first: Effect = { ...effect, understood: "fully" };
    // Anything at all, with something beside it that no walls hold.
    for (const one of [first, { ...first, parts: [...first.parts, ...BEYOND] } as Effect]) {
      const decision = decide(call, one, standing, NOW_MS);
      if (decision.causes.some((cause) => cause.by === "box" && cause.tier === "ask")) asked++;
      if (decision.outcome !== "run" || decision.box !== undefined) continue;
      bare++;
      for (const { class: kind, targets } of one.parts) {
        const isDeep = targets.some((target) => target.kind === "path" && target.recursive);
        const isNamed = targets.some((target) => target.kind === "command");
        expect([
          kind,
          onlyReads(kind) || KEPT.has(kind),
          kind === "fs.read" && isDeep && isNamed && !isOther(targets),
        ]).toEqual([kind, true, false]);
      }
    }
  });
  expect([bare > 0, asked > 0]).toEqual([true, true]);
});

const STANDARD = { name: "standard", at: { file: "project", line: 1, column: 1 } } as const;

/** What an agent keeps for itself: no command does that. */
const KEPT: ReadonlySet<string> = new Set(
  "store.write metadata.write checkpoint.write agent_state.write mcp.release".split(" "),
);

const BEYOND = [
  ["ps", "aux"],
  ["docker", "ps"],
].map((words) => ({
  class: "fs.read",
  capability: "process.exec",
  level: "read",
  targets: [{ kind: "command", words, env: [], level: "read" }],
  reversible: true,
  reach: "local",
})) satisfies Part[];

function isOther(targets: Part["targets"]): boolean {
  return targets.some(
    (target) => target.kind === "command" && ["docker", "ps", "kubectl", "ssh"].includes(target.words[0] ?? ""),
  );
}

test("whatever a rule asks about or refuses stays asked about or refused in a box", () => {
  law(({ call, effect, standing }) => {
    const boxed = decide(call, effect, standing, NOW_MS);
    if (boxed.box?.because !== "enough") return;
    const strict = [...boxed.causes, ...boxed.considered].filter(
      (cause) => cause.by === "rule" && rankOf(cause.tier) <= rankOf("ask"),
    );
    const plain = decide(call, effect, withoutBox(standing), NOW_MS);
    // Such a rule is only listed if another one, which names the agent, was stronger than it without a box too.
    for (const cause of strict) expect(plain.considered).toContainEqual(cause);
  });
});

test("a grant for calls in a box covers nothing where no box is made, and a call that it lets run has the box", () => {
  let used = 0;
  law(({ call, effect, standing }) => {
    // Random grants rarely cover the code.
    const inBox = [...standing.grants, CODE].map(({ grant, usesLeft }) => ({
      usesLeft,
      grant: { ...grant, covers: { ...grant.covers, inBox: true as const } },
    }));
    const all = { ...standing, grants: inBox };
    const unboxed = decide(call, effect, withoutBox(all), NOW_MS);
    expect(unboxed).toEqual(decide(call, effect, { ...withoutBox(all), grants: [] }, NOW_MS));
    const { grant, box } = decide(call, effect, all, NOW_MS);
    if (grant === undefined) return;
    used++;
    expect(box?.because).toBe("granted");
  });
  expect(used).toBeGreaterThan(0);
});

test("trust in a project's code loosens only what presets ask about it, and no other part of the call", () => {
  let trusted = 0;
  law(({ call, effect, standing }) => {
    // A program that allows calls by itself lifts the same questions.
    const { callback: _, ...alone } = withoutBox(standing);
    const without: Standing = { ...alone, grants: [] };
    const plain = decide(call, effect, without, NOW_MS);
    const decided = decide(call, effect, { ...without, grants: [TRUST] }, NOW_MS);
    if (decided.grant === undefined) return expect(decided.tier).toBe(plain.tier);
    trusted++;
    expect(plain.needsHuman).toBe(false);
    expect(["ask notify", "ask auto", "notify auto"]).toContain(`${plain.tier} ${decided.tier}`);
    const stricter = plain.causes.filter((cause) => cause.by !== "baseline" || cause.row.of !== "preset");
    expect([stricter, effect.understood]).toEqual([[], "fully"]);
    const asking = effect.parts.filter((part) => part.projectCode !== "/p");
    for (const part of asking) {
      const single = decide(call, { ...effect, parts: [part] }, without, NOW_MS);
      expect(rankOf(single.tier)).toBeGreaterThanOrEqual(rankOf(decided.tier));
    }
  });
  expect(trusted).toBeGreaterThan(0);
});

function granted(covers: GrantCover) {
  const given = { tier: "auto", grantedBy: { person: "ana" }, because: "no box", createdMs: NOW_MS } as const;
  const grant = { id: "grt_own", workspace: "default", subject: {}, covers, state: "live", ...given } as const;
  return { usesLeft: Number.POSITIVE_INFINITY, grant };
}

const TRUST = granted({ projectCode: "/p", targets: [], level: "admin" });
const CODE = granted({ class: "process.exec", targets: [], level: "admin" });

test("a call that nobody could understand at all never runs because of a box, but for a text that bash refuses, in a rehearsal", () => {
  let refused = 0;
  law(({ call, effect, standing }) => {
    const boxed = decide(call, { ...effect, understood: "not" }, standing, NOW_MS);
    expect(boxed.box?.because).not.toBe("enough");
    const hidden = [UNREAD.invalid, say("note.command_has_hidden_signs")];
    const unseen = decide(call, { ...effect, understood: "not", notes: hidden }, standing, NOW_MS);
    expect(unseen.box?.because).not.toBe("enough");
    const text: Effect = { ...effect, understood: "not", notes: [UNREAD.invalid] };
    const decision = decide(call, text, standing, NOW_MS);
    if (decision.box?.because !== "enough") return;
    refused++;
    expect(decision.box.rehearsed).toBe(true);
    // Nothing that denies, and nothing that wants a person, could be about a part of it.
    const all = [...standing.layers, ...standing.scopes].map(({ policy }) => policy);
    const rules = all.flatMap((policy) => policy.rules.filter((rule) => rule.tier === "deny" || rule.human));
    const isAny = ({ match }: Rule) => Object.keys(match).every((key) => key === "command" || key === "path");
    expect([rules.filter(isAny), all.flatMap(({ human }) => human.classes)]).toEqual([[], []]);
  });
  expect(refused).toBeGreaterThan(0);
});

test("what a command removes from the project, or throws away with git, runs because of a box only in a rehearsal", () => {
  let removed = 0;
  law(({ call, effect: { understood: _, ...random }, standing }) => {
    const file = { kind: "path", path: "/p/a", level: "write", recursive: false } as const;
    for (const [kind, words] of [
      ["fs.delete", ["rm", "/p/a"]],
      ["git.write", ["git", "checkout", "--", "a"]],
    ] as const) {
      const [part] = code({ ...random, understood: "fully" }, words).parts;
      const gone = { ...part, class: kind, reach: "project", targets: [...part.targets, file] } as const;
      const own = { ...standing, ...(standing.box && { box: { ...standing.box, ownRepository: true } }) };
      const { box } = decide(call, { parts: [gone], understood: "fully", notes: [] }, own, NOW_MS);
      if (box?.because !== "enough") continue;
      removed++;
      expect(box.rehearsed).toBe(true);
    }
  });
  expect(removed).toBeGreaterThan(0);
});

test("only the outermost accepted file can take rehearsals away: any other file with `rehearse: never` changes nothing", () => {
  const at = { file: "other", line: 1, column: 1 };
  const fileWith = (rehearse: "auto" | "never", isBeside: boolean) => {
    const box = { rehearse, write: [], network: [], at };
    return compilePolicy({ ...emptyPolicy("other", sha256("other")), box, ...(isBeside && { beside: true }) });
  };
  law(({ call, effect, standing }) => {
    const { layers } = standing;
    const hasOpener = layers.some(({ policy }) => policy.beside !== true && policy.box !== undefined);
    const decided = (rehearse: "auto" | "never") => {
      const [accepted, beside] = [fileWith(rehearse, false), fileWith(rehearse, true)];
      const all = [[beside, ...layers], [...layers, beside], ...(hasOpener ? [[...layers, accepted]] : [])];
      return all.map((more) => decide(call, effect, { ...standing, layers: more }, NOW_MS));
    };
    expect(decided("never")).toEqual(decided("auto"));
  });
});

test("a file that nobody accepted, or a layer of a program, opens nothing: the tier, the walls and the look at changes stay as strict", () => {
  let compared = 0;
  law(({ call, effect, standing }) => {
    const before = decide(call, effect, standing, NOW_MS);
    const r = random(call.callId.length + effect.parts.length + standing.layers.length + compared);
    const open: BoxSettings = {
      ...r.maybe(0.5, "for", () => BOXED_CLASSES.filter(() => r.chance(0.7))),
      ...r.maybe(0.5, "enforce", () => false),
      ...r.maybe(0.5, "rehearse", () => "never" as const),
      ...r.maybe(0.5, "packages", () => [{ kind: "npm", from: "https://evil.example" } as const]),
      ...r.maybe(0.5, "limits", () => ({ processes: 1_000_000 })),
      ...{ write: ["/etc", "~/work"], network: ["evil.example"] },
      at: { file: "other", line: 1, column: 1 },
    };
    const other = { ...anyPolicy(r, "other"), box: open };
    const beside = compilePolicy({ ...other, beside: true });
    const after = r.chance(0.5)
      ? decide(call, effect, { ...standing, layers: [...standing.layers, beside] }, NOW_MS)
      : decide(call, effect, { ...standing, scopes: [...standing.scopes, compilePolicy(other)] }, NOW_MS);
    expect(rankOf(after.tier)).toBeLessThanOrEqual(rankOf(before.tier));
    if (after.outcome !== "run" || before.outcome !== "run" || before.box === undefined) return;
    compared++;
    expect(after.box?.rehearsed).toBe(before.box.rehearsed);
    for (const of of ["write", "network", "packages"] as const)
      expect([before.box.walls[of] ?? []].flat()).toEqual(expect.arrayContaining([after.box?.walls[of] ?? []].flat()));
  });
  expect(compared).toBeGreaterThan(0);
});

test("a registry can be read only in a box that is the reason to run, in a rehearsal, and only if no other one is set here", () => {
  let opened = 0;
  law(({ call, effect: { understood: _, ...random }, standing }) => {
    // Random calls rarely install anything.
    const effect = code({ ...random, understood: "fully" }, ["npm", "install", "a"]);
    const { box } = decide(call, effect, standing, NOW_MS);
    const packages = box?.walls.packages;
    if (packages === undefined) return;
    opened++;
    expect(["enough", "granted"]).toContain(box?.because);
    expect(box?.rehearsed).toBe(true);
    // The outermost file opens it, and the settings name it or nothing.
    const [{ from = "" } = {}] = packages;
    expect(packages).toEqual([{ kind: "npm", from }]);
    expect([[], [from]]).toContainEqual(standing.box?.registries?.named.npm);
    const given = [...standing.layers, ...standing.scopes].flatMap(({ policy }) => policy.box?.packages ?? []);
    expect([PUBLIC_REGISTRIES.npm, ...given.map((source) => source.from)]).toContain(from);
  });
  expect(opened).toBeGreaterThan(0);
});
