import type { ToolCall } from "../../src/core/call.ts";
import { compilePolicy } from "../../src/core/decide/compile.ts";
import { exactCover } from "../../src/core/decide/grants.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import { type Effect, LEVELS, type Part, REACHES, type Target, UNDERSTANDINGS } from "../../src/core/effect.ts";
import { say } from "../../src/core/messages/message.ts";
import type { Policy } from "../../src/core/policy.ts";
import type { Grant } from "../../src/core/standing/grant.ts";
import type { Pause, Promotion } from "../../src/core/standing/standing.ts";
import { TIERS } from "../../src/core/tier.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import { AGENTS, anyPolicy, CLASSES, COMMANDS, DOMAINS, PATHS, TOOLS } from "./policies.ts";
import type { Random } from "./random.ts";

export const NOW_MS = 1_000_000;
const LATER_MS = NOW_MS + 1;
const SESSIONS = ["s1", "s2"];

export function anyCall(r: Random): ToolCall {
  return {
    workspace: "default",
    agent: r.pick(AGENTS),
    tool: r.pick(TOOLS),
    args: r.pick([
      {},
      { n: 1 },
      { n: 2 },
      { n: 3.5 },
      { n: "many" },
      { n: -1 },
      { n: "1" },
      { n: [1] },
      { n: true },
      { n: null },
    ]),
    callId: "c",
    ...r.maybe(0.5, "session", () => r.pick(SESSIONS)),
    traceId: "trace_1",
    chain: r.chance(0.2) ? r.some(AGENTS, 2) : [],
    claims: r.chance(0.3) ? { x: true } : {},
  };
}

export function anyEffect(r: Random, call: ToolCall): Effect {
  if (r.chance(0.1)) return unknownEffect(r, call);
  const parts = [anyPart(r, call), ...(r.chance(0.3) ? r.some([anyPart(r, call), anyPart(r, call)], 2) : [])];
  return {
    parts: parts as unknown as Effect["parts"],
    understood: r.chance(0.7) ? "fully" : r.pick(UNDERSTANDINGS),
    notes: [],
    ...r.maybe(0.2, "declared", () => ({ id: "dec_1" as const, without: unknownEffect(r, call) })),
    ...r.maybe(0.2, "byOrganisation", () => unknownEffect(r, call)),
    ...r.maybe(0.01, "refused", () => ({ code: "LEEWAY_TOO_LARGE" as const, because: say("note.call_too_large") })),
  };
}

function unknownEffect(r: Random, call: ToolCall): Effect {
  const part: Part = { ...anyPart(r, call), class: "unknown", ...(r.chance(0.5) ? { targets: [] } : {}) };
  return { parts: [part], understood: "not", notes: [say("note.tool_unknown")] };
}

function anyPart(r: Random, call: ToolCall): Part {
  return {
    class: r.pick(CLASSES),
    capability: r.pick(["workspace.write_text", "process.exec"]),
    level: r.pick(LEVELS),
    targets: r.upTo(2, () => anyTarget(r, call)),
    reversible: r.chance(0.5),
    reach: r.pick(REACHES),
    ...r.maybe(0.3, "method", () => r.pick(["GET", "POST"])),
    ...r.maybe(0.4, "projectCode", () => r.pick(["/p", "/p", "/other"])),
    ...r.maybe(0.4, "projectContainers", () => r.pick(["/p", "/p", "/other"])),
  };
}

function anyTarget(r: Random, call: ToolCall): Target {
  const level = r.pick(LEVELS);
  const kind = r.int(7);
  if (kind < 3) return { kind: "path", path: r.pick(PATHS), level, recursive: r.chance(0.2) };
  if (kind < 5)
    return { kind: "command", words: r.pick(COMMANDS).split(" "), env: r.chance(0.02) ? ["LEEWAY_BOX"] : [], level };
  return kind === 5
    ? { kind: "domain", domain: r.pick(DOMAINS), level }
    : { kind: "tool", tool: r.chance(0.3) ? "" : call.tool, level };
}

/** Layers for many calls: one to three files, up to two scopes, sometimes with the second file beside the first. */
export function anyLayers(r: Random): { files: Policy[]; scopes: Policy[] } {
  const files = r.upTo(2, () => ({
    ...anyPolicy(r, r.pick(["org.yaml", "leeway.yaml"])),
    ...r.maybe(0.3, "beside", () => true as const),
  }));
  const first = { ...anyPolicy(r, "leeway.yaml"), ...r.maybe(0.4, "organisation", () => true as const) };
  return { files: [first, ...files], scopes: r.upTo(1, () => anyPolicy(r, "scope")) };
}

/** A standing with only a policy, as for nearly every call. */
export function quietStanding(layers: Pick<Standing, "layers" | "scopes">): Standing {
  return {
    ...layers,
    policyVersion: sha256("version"),
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
}

export function anyStanding(r: Random, layers: Pick<Standing, "layers" | "scopes">): Standing {
  if (r.chance(0.2)) return quietStanding(layers);
  const spent = r.int(6) * 1e6;
  return {
    ...layers,
    policyVersion: sha256("version"),
    ...r.maybe(0.01, "noPolicy", () => "nothing loads"),
    pauses: r.chance(0.15) ? r.upTo(2, () => anyPause(r)) : [],
    pausesFresh: !r.chance(0.01),
    promotions: r.chance(0.3)
      ? r.some(
          [0, 1, 2, 3, 4, 5].map((i) => anyPromotion(r, i)),
          3,
        )
      : [],
    grants: r.chance(0.5) ? [0, 1, 2].map((i) => ({ grant: anyGrant(r, i), usesLeft: r.int(3) })) : [],
    // Depends on the requested names, so that requesting other counters gives another answer.
    used: (counters) => (counters.join("").length % 3) * spent,
    ...r.maybe(0.3, "callback", () =>
      r.pick([
        { name: "program", answer: "allow" },
        { name: "program", answer: "ask" },
        { name: "program", answer: "deny", reason: "no" },
      ] as const),
    ),
    ...r.maybe(0.25, "permit", () => ({ executionId: "exe_1" as const, approvedInBulk: r.chance(0.4) })),
    ...r.maybe(0.4, "box", () => ({
      project: "/p",
      rehearses: r.chance(0.7),
      registries: { named: { npm: [] }, forTools: [] },
      ...r.maybe(0.3, "kept", () => ({ name: "kept", paths: PATHS.filter(() => r.chance(0.7)) })),
    })),
    canAsk: r.chance(0.8),
    quarantined: r.chance(0.02),
  };
}

export function compiledLayers({ files, scopes }: { files: Policy[]; scopes: Policy[] }) {
  return { layers: files.map(compilePolicy), scopes: scopes.map(compilePolicy) };
}

function anyPause(r: Random): Pause {
  const scope = r.pick([
    { of: "everything" },
    { of: "agent", name: r.pick(AGENTS) },
    { of: "session", name: "s1" },
    { of: "tool", name: r.pick(TOOLS) },
    { of: "tool", name: r.pick(TOOLS), session: "s2" },
    { of: "tool", name: r.pick(TOOLS), agent: r.pick(AGENTS) },
    { of: "grant", name: "grt_1" },
    { of: "grant", name: "grt_2" },
    { of: "reviewer", name: "ana" },
  ] as const);
  return {
    id: "pau_1",
    workspace: "default",
    scope,
    because: "care",
    by: "ana",
    setMs: 0,
    ...r.pick([{ state: "set" }, { state: "set" }, { state: "lifted", atMs: 1, by: "ana" }] as const),
  };
}

function anyPromotion(r: Random, i: number): Promotion {
  return {
    id: `pro_${i}`,
    workspace: "default",
    kind: r.pick(["promote", "demote"] as const),
    agent: r.pick(AGENTS),
    ...r.maybe(0.5, "class", () => r.pick(CLASSES)),
    tier: r.pick(TIERS),
    because: "record",
    by: "ana",
    atMs: r.int(3),
    ...r.maybe(0.5, "untilMs", () => r.pick([NOW_MS, LATER_MS])),
  };
}

function anyGrant(r: Random, i: number): Grant {
  return {
    id: `grt_${i}`,
    workspace: "default",
    subject: {},
    covers: {
      ...r.maybe(0.3, "class", () => r.pick(CLASSES)),
      ...r.maybe(0.4, "tool", () => ({ name: r.pick(TOOLS) })),
      targets: r.chance(0.5)
        ? []
        : [
            { kind: "path", path: "/p", recursive: true },
            { kind: "domain", pattern: "*" },
            { kind: "command", words: ["*"] },
            { kind: "tool", tool: r.pick(TOOLS) },
          ],
      ...r.maybe(0.3, "projectCode", () => "/p"),
      ...r.maybe(0.2, "projectContainers", () => "/p"),
      ...r.maybe(0.3, "inBox", () => true as const),
      level: r.pick(["execute", "admin"] as const),
    },
    tier: r.pick(["notify", "auto"] as const),
    grantedBy: r.chance(0.8) ? { person: "ana" } : { callback: "program" },
    because: "often",
    createdMs: NOW_MS - 10,
    ...r.maybe(0.4, "untilMs", () => r.pick([NOW_MS, LATER_MS])),
    state: "live",
  };
}

/** The same with some of the grants only for this call, or only for another one, or for what it did before. */
export function withExact(r: Random, standing: Standing, call: ToolCall, effect: Effect): Standing {
  const other = sha256("other");
  const grants = standing.grants.map((held) => {
    if (!r.chance(0.3)) return held;
    const { digest, effect: bound } = exactCover(call, effect).exact ?? { digest: other, effect: other };
    const exact = r.pick([
      { digest, effect: bound },
      { digest, effect: bound },
      { digest: other, effect: bound },
      { digest, effect: other },
    ]);
    return { ...held, grant: { ...held.grant, covers: { ...held.grant.covers, exact } } };
  });
  return { ...standing, grants };
}
