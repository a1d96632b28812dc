import { isBeyondWalls, isFileDatabase, walledAs } from "../../src/core/decide/box/fits.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import type { EffectClass, Reach } from "../../src/core/effect.ts";
import type { BoxedClass, Policy, TierRow } from "../../src/core/policy.ts";
import type { Promotion } from "../../src/core/standing/standing.ts";
import { strictest, type Tier } from "../../src/core/tier.ts";
import { type Case, ruleHolds, toolMatches } from "./match.ts";
import { isNewer } from "./order.ts";

export const PRESET_MARKED: readonly EffectClass[] = ["payments.move", "secrets.read", "permissions.change"];
const GRAVE: readonly EffectClass[] = [
  "fs.delete",
  "deploy.write",
  "payments.move",
  "secrets.read",
  "permissions.change",
];
const READS = ["fs.read", "db.read", "browser.read"];
const FILES = ["fs.write", "fs.mkdir", "fs.copy", "fs.move"];
const OWN = ["metadata.write", "mcp.release"];
const KEPT = ["store.write", "checkpoint.write", "agent_state.write"];

type Baseline = { tier: Tier; byAgentRow: boolean };
type Answer = { says?: Tier; tightens: readonly Tier[] };

export function answerOf(policy: Policy, one: Case, baseline: Baseline | undefined): Answer {
  const found = policy.rules.map((rule) => ({ rule, holds: ruleHolds(rule, one, policy) }));
  const sure = found.filter((each) => each.holds === "yes").map(({ rule }) => rule);
  const tightens = found.filter((each) => each.holds === "tightens").map(({ rule }) => rule.tier);
  const isByName = (rule: Policy["rules"][number]) => rule.match.agent?.includes(one.actor) === true;
  const ruleByName = least(sure.filter(isByName).map((rule) => rule.tier));
  const byName = ruleByName ?? (baseline?.byAgentRow ? baseline.tier : undefined);
  const forAll = least(sure.filter((rule) => !isByName(rule)).map((rule) => rule.tier));
  const both = least([byName, forAll].flatMap((tier) => tier ?? []));
  const says = both ?? baseline?.tier;
  return { ...(says === undefined ? {} : { says }), tightens };
}

export function baselineOf(
  policy: Policy,
  one: Case,
  promotions: readonly Promotion[],
  nowMs: number,
): Baseline | undefined {
  const { actor, part, call } = one;
  const agent = policy.agents.find((row) => row.name === actor);
  const ofAgentTool = toolRow(agent?.tiers ?? [], call.tool);
  if (ofAgentTool !== undefined) return { tier: ofAgentTool, byAgentRow: true };
  const ofAgentClass = promotedTo(promotions, part.class, nowMs) ?? classRow(agent?.tiers ?? [], part.class);
  if (ofAgentClass !== undefined) return { tier: ofAgentClass, byAgentRow: true };
  const general =
    (GRAVE.includes(part.class) ? undefined : promotedTo(promotions, undefined, nowMs)) ?? agent?.tier?.tier;
  const tool = toolRow(policy.tiers, call.tool);
  const ofClass = classRow(policy.tiers, part.class);
  if (tool === "deny" || ofClass === "deny") return { tier: "deny", byAgentRow: false };
  if (general !== undefined) return { tier: general, byAgentRow: true };
  const isWalled = one.walledAs !== undefined && boxedBy(policy).includes(one.walledAs);
  const inBox = isWalled
    ? ((policy.preset && presetTier(policy.preset, "fs.write", "project")) ?? "notify")
    : undefined;
  const ofPolicy = policy.box?.for !== undefined && inBox !== undefined ? inBox : policy.tier?.tier;
  const asked = policy.preset && presetTier(policy.preset, part.class, part.reach);
  const ofPreset = asked && (one.isTrusted ? "auto" : isExposed(policy, one) ? strictest([asked, "ask"]) : asked);
  const tier = tool ?? ofClass ?? ofPolicy ?? inBox ?? ofPreset;
  return tier === undefined ? undefined : { tier, byAgentRow: false };
}

/** Without walls nothing is kept of what the part changes, or it may read what nobody named, or walls are why the policy lets it run. */
function isExposed(policy: Policy, { part, bare }: Case): boolean {
  if (bare === undefined) return false;
  const { class: name, reach, targets } = part;
  if (["fs.write", "fs.mkdir", "fs.copy", "fs.move", "fs.delete"].includes(name)) return true;
  if (name === "git.write" && reach === "project") return true;
  if (name === "process.exec" && policy.preset?.version !== 1) return true;
  const kind = walledAs(part, bare);
  if (kind !== undefined && boxedBy(policy).includes(kind)) return true;
  if (isFileDatabase(part)) return true;
  const isDeep = targets.some((target) => target.kind === "path" && target.recursive);
  return name === "fs.read" && isDeep && targets.some(({ kind: of }) => of === "command") && !isBeyondWalls(part);
}

export const ALL_BOXED: readonly BoxedClass[] = ["process.exec", "git.write", "fs.write", "fs.delete", "deploy.write"];

/** The box of the caller; the first accepted file with the key can take rehearsals away, and nobody else. */
export function boxIn({ box, layers }: Pick<Standing, "box" | "layers">): Standing["box"] {
  const accepted = layers.map(({ policy }) => policy).filter(({ beside }) => beside !== true);
  const [first] = accepted.flatMap((policy) => policy.box ?? []);
  return box && { ...box, rehearses: box.rehearses && first?.rehearse !== "never" };
}

export function isBoxPreset({ preset }: Policy): boolean {
  return preset?.name === "standard" || preset?.name === "autonomous";
}

function boxedBy(policy: Policy): readonly BoxedClass[] {
  return policy.box?.for ?? (isBoxPreset(policy) ? ALL_BOXED : []);
}

/** The newest of the scope, promotion or demotion, expired or not; only a live promotion is a row. */
function promotedTo(promotions: readonly Promotion[], scope: EffectClass | undefined, nowMs: number): Tier | undefined {
  const ofScope = promotions.filter((one) => one.class === scope);
  const newest = ofScope.find((one) => ofScope.every((other) => other === one || isNewer(one, other)));
  if (newest?.kind !== "promote" || (newest.untilMs !== undefined && nowMs >= newest.untilMs)) return undefined;
  return newest.tier;
}

function classRow(rows: readonly TierRow[], name: EffectClass): Tier | undefined {
  return least(rows.filter((row) => row.for === "class" && row.name === name).map((row) => row.tier));
}

/** Exact names win over globs, then the longer literal prefix, then the stricter tier. */
function toolRow(rows: readonly TierRow[], tool: string): Tier | undefined {
  const exact = rows.filter((row) => row.for === "tool" && toolMatches(row.name, tool));
  if (exact.length > 0) return least(exact.map((row) => row.tier));
  const globs = rows.filter((row) => row.for === "glob" && toolMatches(row.name, tool));
  const longest = Math.max(...globs.map(prefix));
  return least(globs.filter((row) => prefix(row) === longest).map((row) => row.tier));
}

function prefix(row: TierRow): number {
  return row.name.split(/[*?]/)[0]?.length ?? 0;
}

function least(tiers: readonly Tier[]): Tier | undefined {
  return tiers.length === 0 ? undefined : strictest(tiers as [Tier, ...Tier[]]);
}

function presetTier({ name, version }: NonNullable<Policy["preset"]>, kind: EffectClass, reach: Reach): Tier {
  const inside = reach === "local" || reach === "project";
  const pick = (conservative: Tier, standard: Tier, autonomous: Tier) => ({ conservative, standard, autonomous })[name];
  if (kind === "none" || (READS.includes(kind) && inside)) return pick("auto", "auto", "auto");
  if (kind === "network.read" || READS.includes(kind)) return pick("notify", "auto", "auto");
  if (OWN.includes(kind) || ([...FILES, ...KEPT].includes(kind) && inside)) return pick("ask", "notify", "auto");
  if (kind === "unknown" || PRESET_MARKED.includes(kind)) return pick("ask", "ask", "ask");
  const isFinal =
    SENDS.includes(kind) ||
    (kind === "process.exec" && reach === "outside") ||
    (["fs.write", "fs.copy", "fs.move", "fs.delete", "git.write", "deploy.write"].includes(kind) && !inside);
  return pick("ask", "ask", isFinal && version !== 1 ? "ask" : "notify");
}

/** Nobody can take these back. */
const SENDS: readonly EffectClass[] = [
  "db.write",
  "browser.act",
  "message.send",
  "network.write",
  "network.sse.write",
  "schedule.write",
];
