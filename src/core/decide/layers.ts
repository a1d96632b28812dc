import type { Message } from "../messages/message.ts";
import { BUILT_IN, emptyPolicy, type Policy } from "../policy.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import { type CompiledPolicy, compilePolicy } from "./compile.ts";

/** A policy file on disk, and the last text that a person accepted for its path. */
export type LayerFile = {
  path: string;
  /** The file itself: parsed, broken, or gone. */
  found: Loaded | undefined;
  accepted: Policy | undefined;
};

export type Layers = { layers: readonly CompiledPolicy[]; version: Hash; noPolicy?: Message | string };

/** Used if nothing else is in force; every card says so. */
export const STANDARD: Policy = {
  ...emptyPolicy(BUILT_IN, sha256(BUILT_IN)),
  preset: { name: "standard", at: { file: BUILT_IN, line: 1, column: 1 } },
};

type Loaded = { ok: true; policy: Policy } | { ok: false; why: Message | string };

/** A file that is named explicitly counts as accepted. Only the organisation's file (`managed`) applies beside it. */
export function namedLayers(file: Policy | { why: Message | string }, managed?: Loaded): Layers {
  if (managed?.ok === false) return closed(managed.why);
  if ("why" in file) return closed(file.why);
  return open([...organisationOf(managed), file]);
}

/**
 * A file is not trusted just because it is in a folder. The accepted text counts. A file that differs from it is one
 * more layer, so that it can only make decisions stricter. If a file was deleted or has errors, the accepted text
 * stays in force. The organisation's file needs no acceptance: the people of this machine cannot write it.
 */
export function foundLayers(files: readonly LayerFile[], managed?: Loaded): Layers {
  if (managed?.ok === false) return closed(managed.why);
  const accepted = files.flatMap((file) => (file.accepted === undefined ? [] : [file.accepted]));
  const broken = files.find((file) => file.accepted === undefined && file.found?.ok === false);
  if (broken?.found?.ok === false) return closed(broken.found.why);
  const beside = files.flatMap((file) =>
    file.found?.ok === true && file.found.policy.version !== file.accepted?.version
      ? [onlyTightening(file.found.policy)]
      : [],
  );
  const organisation = organisationOf(managed);
  // A file of rules alone leaves everything else to the preset.
  const isDecided = accepted.length > 0 || organisation.some(({ preset, tier }) => (preset ?? tier) !== undefined);
  return open([...organisation, ...(isDecided ? accepted : [STANDARD]), ...beside]);
}

function organisationOf(managed: { policy: Policy } | undefined): readonly Policy[] {
  return managed === undefined ? [] : [{ ...managed.policy, organisation: true }];
}

/**
 * What a file without acceptance may set: tiers, rules, limits and needs-human marks, because the strictest wins
 * anyway. It may not set what tools do, who answers, and which proof they need.
 */
function onlyTightening(policy: Policy): Policy {
  const { headless, approvals, box, ...rest } = policy;
  return {
    ...rest,
    beside: true,
    tools: [],
    agents: policy.agents.map(({ owner: _owner, ...agent }) => ({ ...agent, reviewers: [] })),
    human: { ...policy.human, not: [] },
    reviewers: [],
    rules: policy.rules.map((rule) => ({ ...rule, reviewers: [] })),
    approvals: approvals.quorum === undefined ? {} : { quorum: approvals.quorum },
    ...(headless === "deny" ? { headless } : {}),
    // Walls that nobody accepted open nothing.
    ...(box === undefined ? {} : { box: { ...box, write: [], network: [] } }),
  };
}

function open(policies: readonly Policy[]): Layers {
  return {
    layers: policies.map(compilePolicy),
    version:
      policies.length === 1 && policies[0] !== undefined
        ? policies[0].version
        : sha256(policies.map((policy) => policy.version).join("\n")),
  };
}

function closed(why: Message | string): Layers {
  return { layers: [], version: sha256("no policy"), noPolicy: why };
}
