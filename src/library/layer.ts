import type { Policy } from "../core/policy.ts";
import type { LoadedPolicy, PolicyFault } from "../ports.ts";
import { objectOf } from "./input.ts";
import { LeewayRefusal } from "./refusal.ts";

/** A policy as an object: the same keys and words as `leeway.yaml`, checked just as strictly. */
export type PolicyLayer = { readonly [key: string]: unknown };

/** A policy written as an object. JSON is YAML, so one parser judges both. */
export function layerOf(parse: (text: string, path: string) => LoadedPolicy, layer: PolicyLayer, path: string): Policy {
  const loaded = parse(JSON.stringify({ version: 1, ...objectOf(layer, path) }, undefined, 2), path);
  if (loaded.ok) return loaded.policy;
  throw invalidPolicy(loaded.faults);
}

export function invalidPolicy(faults: readonly PolicyFault[]): LeewayRefusal {
  return new LeewayRefusal({
    code: "LEEWAY_POLICY_INVALID",
    reason: faults.map((fault) => `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`).join("; "),
    hint: faults.map((fault) => fault.hint).find((hint) => hint !== undefined) ?? "docs/policy.md lists the keys",
  });
}
