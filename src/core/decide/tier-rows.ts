import type { BaselineRow } from "../decision.ts";
import type { EffectClass } from "../effect.ts";
import type { AgentRow, Policy, TierRow } from "../policy.ts";
import { rankOf } from "../tier.ts";
import { canonicalTool, toolGlobMatches } from "../tool-name.ts";
import { literalPrefixLength } from "../values/glob.ts";
import { classIndex, forEachClass } from "./class-bits.ts";
import { type Ground, groundOf } from "./compiled.ts";

/** Rows of `tiers`, by class and by tool. */
export type TierRows = {
  readonly classes: readonly (Ground | undefined)[];
  readonly tools: ReadonlyMap<string, Ground>;
  readonly globs: readonly { glob: string; ground: Ground }[];
};

export type AgentRows = TierRows & { readonly row: AgentRow; readonly tier: Ground | undefined };

export function tierRows(rows: readonly TierRow[], policy: Policy, agent?: string): TierRows {
  const classes = forEachClass<Ground>();
  const tools = new Map<string, Ground>();
  const globs: { glob: string; ground: Ground }[] = [];
  for (const row of rows) {
    const ground = groundOfRow(row, policy, agent);
    if (row.for === "glob") globs.push({ glob: row.name, ground });
    else if (row.for === "tool") {
      const key = canonicalTool(row.name);
      tools.set(key, stricter(ground, tools.get(key)));
    } else {
      const index = classIndex(row.name as EffectClass);
      classes[index] = stricter(ground, classes[index]);
    }
  }
  // Best first: the longer literal prefix, then the stricter tier.
  globs.sort((a, b) => literalPrefixLength(b.glob) - literalPrefixLength(a.glob) || a.ground.rank - b.ground.rank);
  return { classes, tools, globs };
}

export function agentRows(row: AgentRow, policy: Policy): AgentRows {
  const tier =
    row.tier === undefined
      ? undefined
      : ground(policy, { of: "agent", name: row.name }, row.tier.tier, row.tier.at, { named: true });
  return { ...tierRows(row.tiers, policy, row.name), row, tier };
}

/** Exact names beat globs. */
export function toolRow(rows: TierRows, tool: string, canonical: string): Ground | undefined {
  return rows.tools.get(canonical) ?? rows.globs.find(({ glob }) => toolGlobMatches(glob, tool))?.ground;
}

function stricter(a: Ground, b: Ground | undefined): Ground {
  return b === undefined || a.rank < b.rank ? a : b;
}

function groundOfRow(row: TierRow, policy: Policy, agent: string | undefined): Ground {
  const kind = row.for === "class" ? "class" : "tool";
  const named: BaselineRow =
    agent === undefined ? { of: kind, name: row.name } : { of: `agent+${kind}`, name: `${agent} ${row.name}` };
  return ground(policy, named, row.tier, row.at, { named: agent !== undefined });
}

function ground(policy: Policy, row: BaselineRow, tier: TierRow["tier"], at: TierRow["at"], by: { named: boolean }) {
  return groundOf(rankOf(tier), { by: "baseline", row, tier, layer: policy.source, at }, { policy, ...by });
}
