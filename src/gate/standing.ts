import type { ToolCall } from "../core/call.ts";
import { type CompiledPolicy, compilePolicy } from "../core/compile.ts";
import { foundLayers, type Layers, namedLayers } from "../core/layers.ts";
import type { Policy, ToolDeclaration } from "../core/policy.ts";
import type { PolicyRow } from "../core/rows.ts";
import type { PolicyFault, PolicyFiles, StandingRows, Store } from "../ports.ts";

/** What is in force: the rows under the current epoch and the layers made from files and acceptances. */
export type InForce = { rows: StandingRows; layers: Layers; declared: ReadonlyMap<string, ToolDeclaration> };

/** Keeps the standing between calls; only a turned epoch or a changed file makes it read again. */
export type StandingView = { current(): Promise<InForce>; forget(): void };

export function standingView(store: Store, workspace: string, policies: PolicyFiles): StandingView {
  let rows: StandingRows | undefined;
  let made: { rows: StandingRows; found: ReturnType<PolicyFiles["current"]>; inForce: InForce } | undefined;
  return {
    forget: () => {
      rows = undefined;
      made = undefined;
    },
    current: async () => {
      const fresh = await store.read({
        ask: "standing",
        workspace,
        ...(rows === undefined ? {} : { knownEpoch: rows.epoch }),
      });
      rows = fresh ?? rows;
      if (rows === undefined) throw new Error("the first reading of the standing was empty (this is a bug)");
      const found = policies.current();
      if (made === undefined || made.rows !== rows || made.found !== found) {
        made = { rows, found, inForce: inForceOf(rows, found, policies) };
      }
      return made.inForce;
    },
  };
}

function inForceOf(rows: StandingRows, found: ReturnType<PolicyFiles["current"]>, policies: PolicyFiles): InForce {
  const layers = layersOf(rows, found, policies);
  const declared = new Map<string, ToolDeclaration>();
  for (const layer of layers.layers) for (const tool of layer.policy.tools) declared.set(tool.name, tool);
  return { rows, layers, declared };
}

function layersOf(rows: StandingRows, found: ReturnType<PolicyFiles["current"]>, policies: PolicyFiles): Layers {
  const [only] = found.files;
  if (found.named && only !== undefined) {
    return namedLayers(only.loaded.ok ? only.loaded.policy : { why: faultText(only.loaded.faults) });
  }
  return foundLayers(
    found.places.map((path) => {
      const file = found.files.find((candidate) => candidate.path === path);
      return {
        path,
        found: file === undefined ? undefined : fileOf(file.loaded),
        accepted: acceptedAt(rows.policies, path, policies),
      };
    }),
  );
}

function fileOf(loaded: ReturnType<PolicyFiles["parse"]>) {
  return loaded.ok ? loaded : { ok: false as const, why: faultText(loaded.faults) };
}

function acceptedAt(rows: readonly PolicyRow[], path: string, policies: PolicyFiles): Policy | undefined {
  const row = rows.find((candidate) => candidate.state === "accepted" && candidate.path === path);
  if (row === undefined) return undefined;
  const parsed = policies.parse(row.text, row.path);
  // It parsed when it was accepted; if this version of Leeway no longer reads it, nothing may run under a guess.
  if (!parsed.ok) throw new Error(`the accepted policy ${path} no longer loads: ${faultText(parsed.faults)}`);
  return parsed.policy;
}

export function faultText(faults: readonly PolicyFault[]): string {
  return faults.map((fault) => `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`).join("; ");
}

/** Layers for the agents above this one are the same files; the chain is judged by name in `decide`. */
export function scopesOf(scopes: readonly Policy[]): readonly CompiledPolicy[] {
  return scopes.map(compilePolicy);
}

export function ownerOf(call: ToolCall, inForce: InForce): string | undefined {
  for (const { policy } of inForce.layers.layers) {
    const owner = policy.agents.find((agent) => agent.name === call.agent)?.owner;
    if (owner !== undefined) return owner;
  }
  return inForce.rows.agents.find((agent) => agent.name === call.agent)?.owner;
}
