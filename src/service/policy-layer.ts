import { say } from "../core/messages/message.ts";
import type { Fault } from "../core/policy/tree.ts";
import type { Policy } from "../core/policy.ts";
import { faultsMessage } from "../gate/standing/standing.ts";
import type { LoadedPolicy } from "../ports.ts";
import { LeewayRefusal } from "./refusal.ts";
import { jsonObject } from "./shape.ts";

/** A policy written as an object. JSON is YAML, so one parser judges both. */
export function layerOf(parse: (text: string, path: string) => LoadedPolicy, layer: object, path: string): Policy {
  const loaded = parse(JSON.stringify({ version: 1, ...jsonObject.read(layer, path, "program") }, undefined, 2), path);
  if (loaded.ok) return loaded.policy;
  throw invalidPolicy(loaded.faults);
}

export function invalidPolicy(faults: readonly Fault[]): LeewayRefusal {
  return new LeewayRefusal({
    code: "LEEWAY_POLICY_INVALID",
    reason: faultsMessage(faults),
    hint: faults.find(({ hint }) => hint !== undefined)?.hint ?? say("hint.policy_docs"),
  });
}
