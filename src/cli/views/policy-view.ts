import { isWorkspacePolicy } from "../../config/workspace-folders.ts";
import { nameText } from "../../core/letters/name-text.ts";
import { type Fault, renderFault } from "../../core/policy/tree.ts";
import { type Policy, PRESET_VERSIONS } from "../../core/policy.ts";
import type { LayerInForce, PolicyInForce } from "../../gate/standing/policy.ts";
import type { Out } from "../terminal/io.ts";
import { tierColour } from "../terminal/table.ts";

// How policies are shown.

export function faultLine(fault: Fault): string {
  const { file, line, column, message, hint } = renderFault(fault);
  return `${file}:${line}:${column}: ${message}${hint === undefined ? "" : ` (${hint})`}`;
}

const FROM: Record<LayerInForce["from"], string> = {
  managed: "the organisation's policy; only the administrator of this machine can change it",
  named: "set by --policy or LEEWAY_POLICY; no other policy file is used",
  accepted: "accepted",
  beside: "this version is not accepted, so it can only make decisions stricter",
  preset: "no policy file has been accepted",
};

/** A file that is the only policy: the folder of a workspace has it, or somebody named it. */
export function namedText(file: string, workspace: string): string {
  return isWorkspacePolicy(file, workspace)
    ? `the policy of the workspace ${workspace}; no other policy file is used`
    : FROM.named;
}

function fromText({ from, source }: LayerInForce, workspace: string): string {
  return from === "named" ? namedText(source, workspace) : FROM[from];
}

/** What to do if a newer version of the preset exists than the one that was accepted. */
export function olderPreset({ preset }: Policy): { says: string; hint: string } | undefined {
  if (preset?.version === undefined || preset.version >= PRESET_VERSIONS[preset.name]) return undefined;
  const newest = PRESET_VERSIONS[preset.name];
  return {
    says: `version ${preset.version} of preset ${preset.name} is in force, as it was accepted; there is a version ${newest}`,
    hint: "docs/policies.md says what differs; `leeway policy accept` puts the newer version in force",
  };
}

function olderText(policy: Policy): string {
  const older = olderPreset(policy);
  return older === undefined ? "" : `; ${older.says} (${older.hint})`;
}

/** One line per layer, outermost first, and the files that are not in force. */
export function layerLines(inForce: PolicyInForce, workspace: string): readonly string[] {
  if (inForce.noPolicy !== undefined) return [`no policy can be loaded, so everything is denied: ${inForce.noPolicy}`];
  return [
    ...inForce.layers.map(
      (layer) =>
        `${layer.source}: ${fromText(layer, workspace)}${layer.by === undefined ? "" : ` by ${layer.by}`}${olderText(layer.policy)}`,
    ),
    ...inForce.broken.map(({ path, why }) => `${path} cannot be loaded (${why})`),
  ];
}

/** One line for each file on disk that differs from what is in force, with what to do. */
export function besideLines({ layers, broken }: PolicyInForce, isThere: (path: string) => boolean): readonly string[] {
  const accepted = layers.filter((layer) => layer.from === "accepted");
  const held = (path: string) => accepted.find((layer) => layer.source === path);
  const beside = layers
    .filter((layer) => layer.from === "beside")
    .map(({ source }) => {
      const { by } = held(source) ?? {};
      const why =
        by === undefined
          ? "nobody has accepted it"
          : `it differs from the version that ${by} accepted, which is in force`;
      return `${source} can only make decisions stricter: ${why}; run \`leeway policy accept\` to put it in force`;
    });
  const unread = broken
    .filter(({ path }) => held(path) !== undefined)
    .map(({ path, why }) => `${path} cannot be loaded (${why}); the accepted version is in force`);
  return [...beside, ...unread, ...goneLines({ layers }, isThere)];
}

/** Accepted files that no longer exist: the accepted text stays in force. */
export function goneLines(
  { layers }: Pick<PolicyInForce, "layers">,
  isThere: (path: string) => boolean,
): readonly string[] {
  return layers
    .filter(({ from, source }) => from === "accepted" && !isThere(source))
    .map(({ source }) => `${source} no longer exists; the accepted version is in force`);
}

export function inForceText(out: Out, inForce: PolicyInForce, workspace: string): string {
  const blocks = inForce.layers.map((layer) =>
    [out.colours.bold(`${layer.source}: ${fromText(layer, workspace)}`), ...bodyOf(out, layer)].join("\n"),
  );
  const shown = inForce.layers.length === 0 ? layerLines(inForce, workspace) : blocks;
  return [`version ${inForce.version}`, ...shown].join("\n\n");
}

function bodyOf(out: Out, { policy }: LayerInForce): readonly string[] {
  const { rules, limits, agents, human } = policy;
  const marks = [...human.tools, ...human.classes, ...human.agents.map((name) => `agent ${nameText(name)}`)];
  return [
    ...(policy.preset === undefined ? [] : [`preset ${policy.preset.name}`]),
    ...(policy.tier === undefined ? [] : [`tier ${tierColour(out, policy.tier.tier)}`]),
    ...policy.tiers.map((row) => `${row.name}: ${tierColour(out, row.tier)}`),
    ...agents.map(
      (agent) =>
        `agent ${nameText(agent.name)}${agent.tier === undefined ? "" : `: ${tierColour(out, agent.tier.tier)}`}`,
    ),
    ...(human.all ? ["needs a person: every call"] : marks.length === 0 ? [] : [`needs a person: ${marks.join(", ")}`]),
    ...rules.map((rule) => `rule ${nameText(rule.name)}: ${tierColour(out, rule.tier)}, because ${rule.because}`),
    ...limits.map((limit) => `limit ${nameText(limit.name)}: ${limit.max}, then ${tierColour(out, limit.then)}`),
  ].map((line) => `  ${line}`);
}
