import { put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import { BUILT_IN, type Policy, PRESET_VERSIONS } from "../../core/policy.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import type { PolicyRow } from "../../core/rows/rows.ts";
import { draft } from "../../core/steps/draft.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actingAdmin, actStep, unsure } from "../people/acting.ts";
import { faultsMessage, faultText, type InForce } from "./standing.ts";

/** Accepts a policy file, if its text is still what the person saw. Before that it can only make decisions stricter. */
export async function acceptPolicy(
  deps: Deps,
  path: string,
  given: Acting & { version: Hash },
): Promise<{ ok: true; value: PolicyRow } | Refused> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<PolicyRow>> => {
    const acting = actingAdmin(inForce, given.by, say("act.accept_policy"));
    if ("code" in acting) return acting;
    const no = unsure(inForce, given);
    if (no !== undefined) return no;
    const file = deps.policies.current().files.find((one) => one.path === path);
    if (file === undefined) {
      const hint = say("hint.policy_show");
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_policy_at", { path }), hint);
    }
    if (!file.loaded.ok)
      return refused("LEEWAY_POLICY_INVALID", faultsMessage(file.loaded.faults), say("hint.repair_file"));
    const { version, preset } = file.loaded.policy;
    if (given.version !== version) {
      const hint = say("hint.look_and_accept");
      return refused("LEEWAY_DIGEST_MISMATCH", say("refusal.policy_changed", { path }), hint);
    }
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "policies", id: path });
    const row: PolicyRow = {
      id: path,
      workspace: deps.workspace,
      state: "accepted",
      version,
      path,
      text: file.text,
      ...(preset === undefined ? {} : { presetVersion: PRESET_VERSIONS[preset.name] }),
      by: given.by,
      atMs: nowMs,
    };
    const entry = draft(deps.mint, {
      kind: "policy.accepted",
      actor: `person:${given.by}`,
      subject: { person: given.by },
      body: { path, version, before: held?.row.version ?? null },
      rows: [madeRow("policies", row, held?.row)],
    });
    const needs = [unchanged("policies", path, held?.version ?? 0)];
    return {
      ok: true,
      pieces: [{ needs, writes: [put("policies", row), { do: "turn" }], entries: [entry] }],
      value: row,
    };
  });
}

/** One policy layer in force, and why it is in force. */
export type LayerInForce = {
  source: string;
  version: Hash;
  /**
   * `managed`: the organisation's file, which the people of this machine cannot change. `beside`: changed since it was
   * accepted, or never accepted, so it can only make decisions stricter.
   */
  from: "managed" | "named" | "accepted" | "beside" | "preset";
  by?: PersonName;
  atMs?: number;
  policy: Policy;
};

export type PolicyInForce = {
  version: Hash;
  layers: readonly LayerInForce[];
  /** Set if no policy could be loaded: everything is denied. */
  noPolicy?: string;
  /** Policy files that exist but have errors. */
  broken: readonly { path: string; why: string }[];
  places: readonly string[];
};

/** The text of this file as a person accepted it last; undefined if nobody has. */
export async function acceptedText({ store, workspace }: Deps, path: string): Promise<string | undefined> {
  return (await store.read({ ask: "row", workspace, table: "policies", id: path }))?.row.text;
}

/** The layers in force, outermost first, and where each comes from. */
export async function policyInForce(deps: Deps): Promise<PolicyInForce> {
  const inForce = await deps.standing.current();
  const { managed, named, files, places } = deps.policies.current();
  const { layers, version, noPolicy } = inForce.layers;
  return {
    version,
    layers: layers.map(({ policy }) =>
      policy.source === managed?.path
        ? { source: policy.source, version: policy.version, from: "managed", policy }
        : layerOf(policy, inForce, named),
    ),
    ...(noPolicy === undefined ? {} : { noPolicy: textOf(noPolicy, "en") }),
    broken: (managed === undefined ? files : [managed, ...files]).flatMap(({ path, loaded }) =>
      loaded.ok ? [] : [{ path, why: faultText(loaded.faults) }],
    ),
    places,
  };
}

function layerOf(policy: Policy, inForce: InForce, named: boolean): LayerInForce {
  const { source, version } = policy;
  // The same text in another folder was not accepted there.
  const accepted = policy.beside === true ? undefined : inForce.rows.policies.find((row) => row.version === version);
  if (named) return { source, version, from: "named", policy };
  if (accepted?.by !== undefined) {
    return { source, version, from: "accepted", by: accepted.by, atMs: accepted.atMs, policy };
  }
  return { source, version, from: source === BUILT_IN ? "preset" : "beside", policy };
}

export { diffPolicy, type PolicyChange, type PolicyDiff } from "./diff-policy.ts";
