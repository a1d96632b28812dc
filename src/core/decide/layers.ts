import { BUILT_IN, emptyPolicy, type Policy } from "../policy.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import { compilePolicy } from "./compile.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";

/** A policy file as it lies there, and the last text a person accepted for its path. */
export type LayerFile = {
  path: string;
  /** The file itself: parsed, broken, or gone. */
  found: { ok: true; policy: Policy } | { ok: false; why: string } | undefined;
  accepted: Policy | undefined;
};

export type Layers = { layers: readonly CompiledPolicy[]; version: Hash; noPolicy?: string };

/** In force where nothing else is: said on every card. */
export const STANDARD: Policy = {
  ...emptyPolicy(BUILT_IN, sha256(BUILT_IN)),
  preset: { name: "standard", at: { file: BUILT_IN, line: 1, column: 1 } },
};

/** A file named outright is accepted by being named, and is the only one. */
export function namedLayers(file: Policy | { why: string }): Layers {
  return "why" in file ? closed(file.why) : open([file]);
}

/**
 * Files are not trusted for lying in a folder. What a person accepted counts; a file that differs from it stands
 * beside it as one more layer, so that it can only tighten; one that vanished or broke leaves the accepted in force.
 */
export function foundLayers(files: readonly LayerFile[]): Layers {
  const accepted = files.flatMap((file) => (file.accepted === undefined ? [] : [file.accepted]));
  const broken = files.find((file) => file.accepted === undefined && file.found?.ok === false);
  if (broken?.found?.ok === false) return closed(broken.found.why);
  const beside = files.flatMap((file) =>
    file.found?.ok === true && file.found.policy.version !== file.accepted?.version
      ? [onlyTightening(file.found.policy)]
      : [],
  );
  return open([...(accepted.length === 0 ? [STANDARD] : accepted), ...beside]);
}

/**
 * What an unaccepted file may say: tiers, rules, limits and needs-human marks, of which the strictest holds anyway. What
 * its tools do, who answers and how sure we must be of them is not for a file that merely lies there.
 */
function onlyTightening(policy: Policy): Policy {
  const { headless, approvals, ...rest } = policy;
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

function closed(why: string): Layers {
  return { layers: [], version: sha256("no policy"), noPolicy: why };
}
