import { declaredNames } from "../../core/classify/known-tool.ts";
import { limitWindow } from "../../core/decide/caps.ts";
import type { CompiledLimit } from "../../core/decide/compile.ts";
import type { LimitRule } from "../../core/policy.ts";
import { canonicalTool } from "../../core/tool-name.ts";
import { formatDuration } from "../../core/values/duration.ts";
import type { Deps } from "../deps.ts";
import { listAgents } from "./agents.ts";

/** A limit for one agent, session or tool, and how much of it is used in its window. */
type LimitFill = { name: string; used: number };
type LimitView = Pick<LimitRule, "name" | "max" | "by" | "then"> & {
  source: string;
  per: string;
  /** For a limit of amounts: where the amount is in the arguments. */
  sum?: string;
  fills: readonly LimitFill[];
};

/** Further names to list besides known agents and declared tools. Sessions must be named here. */
type Whose = { agent?: string; session?: string; tool?: string };

/** Every limit in force, and how much of it is used. Reads only counters. */
export async function listLimits(deps: Deps, whose: Whose = {}): Promise<readonly LimitView[]> {
  const inForce = await deps.standing.current();
  const nowMs = deps.clock.nowMs();
  const sources = new Map<string, number>();
  const views: LimitView[] = [];
  for (const { limits, policy } of inForce.layers.layers) {
    const nth = (sources.get(policy.source) ?? 0) + 1;
    sources.set(policy.source, nth);
    for (const compiled of limits) {
      const { name, max, by, then, sum, perMs } = compiled.limit;
      const fills = await fillsOf(deps, compiled, await namesFor(deps, by, whose), { nth, nowMs });
      const view: LimitView = { name, max, by, then, source: policy.source, per: formatDuration(perMs), fills };
      views.push(sum === undefined ? view : { ...view, sum });
    }
  }
  return views;
}

async function namesFor(deps: Deps, by: LimitRule["by"], whose: Whose): Promise<readonly string[]> {
  switch (by) {
    case "workspace":
      return [""];
    case "agent":
      return whose.agent === undefined ? (await listAgents(deps)).map(({ name }) => name) : [whose.agent];
    case "session":
      return whose.session === undefined ? [] : [whose.session];
    case "tool":
      return whose.tool === undefined ? declaredNames((await deps.standing.current()).declared) : [whose.tool];
  }
}

const MICROS = 1_000_000;

async function fillsOf(
  { store, workspace }: Deps,
  compiled: CompiledLimit,
  names: readonly string[],
  { nth, nowMs }: { nth: number; nowMs: number },
): Promise<readonly LimitFill[]> {
  const fills: LimitFill[] = [];
  for (const name of names) {
    const whom = compiled.limit.by === "tool" ? canonicalTool(name) : name;
    const { counters } = limitWindow(compiled, whom, nth, nowMs);
    const sums = await store.read({ ask: "counters", workspace, counters, nowMs });
    fills.push({ name, used: sums.reduce((sum, part) => sum + part, 0) / MICROS });
  }
  return fills;
}
