import { type DeclaredTools, declaredTools } from "../../core/classify/declared.ts";
import { compilePolicy } from "../../core/decide/compile.ts";
import type { CompiledPolicy } from "../../core/decide/compiled-policy.ts";
import { foundLayers, type Layers, namedLayers } from "../../core/decide/layers.ts";
import type { Grant } from "../../core/grant.ts";
import type { AgentName, PersonName } from "../../core/ids.ts";
import { inTurn, type Message, say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Fault } from "../../core/policy/tree.ts";
import type { Policy } from "../../core/policy.ts";
import type { PolicyRow } from "../../core/rows.ts";
import type { Pause } from "../../core/standing.ts";
import type { Circle } from "../../core/steps/quorum.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { FoundPolicies, PolicyFiles, StandingRows, Store } from "../../ports.ts";

/** What is in force: the rows under the current epoch, the layers made from files and acceptances, and their indexes. */
export type InForce = {
  rows: StandingRows;
  layers: Layers;
  declared: DeclaredTools;
  pauses: readonly Pause[];
  /** Live grants by the agent they are for; under "" the ones for anybody. */
  grants: ReadonlyMap<string, readonly Grant[]>;
  /** Whom the files name as owners; `ownerOf` knows the rest. */
  owners: ReadonlyMap<AgentName, PersonName>;
  /** Whether the store has the text of the policies in force. */
  isRecorded: boolean;
  /** The hash of each bucket by its id: what was looked up in one holds while this is the same. */
  buckets: ReadonlyMap<string, Hash>;
};

/** Keeps the standing between calls; only a turned epoch or a changed file makes it read again. */
export type StandingView = {
  current(): Promise<InForce>;
  /**
   * As last read, if it was and nothing has to be looked up for it: whoever uses it must compare its epoch with what the
   * store says in the same breath.
   */
  known(): InForce | undefined;
  forget(): void;
};

export function standingView(store: Store, workspace: string, policies: PolicyFiles): StandingView {
  let rows: StandingRows | undefined;
  let made: { rows: StandingRows; found: FoundPolicies; inForce: InForce } | undefined;
  const layers = layersView(policies);
  const assemble = (known: StandingRows): InForce => {
    const found = policies.current();
    if (made === undefined || made.rows !== known || made.found !== found) {
      made = { rows: known, found, inForce: inForceOf(known, layers(known, found)) };
    }
    return made.inForce;
  };
  /** Looked up once for each epoch and version: texts of before are many, and lie in the store alone. */
  const withRecord = async (inForce: InForce): Promise<InForce> => {
    if (inForce.isRecorded) return inForce;
    const held = await store.read({ ask: "row", workspace, table: "policies", id: inForce.layers.version });
    if (held === undefined) return inForce;
    const recorded = { ...inForce, isRecorded: true };
    if (made?.inForce === inForce) made = { ...made, inForce: recorded };
    return recorded;
  };
  const current = async () => {
    const fresh = await store.read({
      ask: "standing",
      workspace,
      ...(rows === undefined ? {} : { knownEpoch: rows.epoch }),
    });
    // Many callers read at once after a turn; they share what the first one makes of it.
    if (fresh !== undefined && fresh.epoch !== rows?.epoch) {
      rows = fresh;
      policies.accepted?.(rows.policies);
    }
    if (rows === undefined) throw new Error("the first reading of the standing was empty (this is a bug)");
    return withRecord(assemble(rows));
  };
  return {
    current,
    known: () => {
      const inForce = rows === undefined ? undefined : assemble(rows);
      return inForce?.isRecorded === true ? inForce : undefined;
    },
    forget: () => {
      rows = undefined;
      made = undefined;
    },
  };
}

/** Most turns of the epoch leave the policies alone, and parsing and indexing them is the dear part. */
function layersView(policies: PolicyFiles): (rows: StandingRows, found: FoundPolicies) => Layers {
  let made: { key: string; found: FoundPolicies; layers: Layers } | undefined;
  return (rows, found) => {
    const accepted = rows.policies.map((row) => `${row.path}\n${row.version}`).join("\n");
    const key = `${canProve(rows)}\n${accepted}`;
    if (made === undefined || made.key !== key || made.found !== found) {
      made = { key, found, layers: layersOf(rows, found, policies) };
    }
    return made.layers;
  };
}

function inForceOf(rows: StandingRows, layers: Layers): InForce {
  const declared = declaredTools(
    layers.layers.map(({ policy }) => policy),
    rows.declarations,
  );
  return {
    rows,
    layers,
    declared,
    pauses: rows.pauses,
    grants: grantsByAgent(rows),
    owners: ownersOf(layers),
    isRecorded: false,
    buckets: new Map(rows.buckets.map(({ id, hash }) => [id, hash])),
  };
}

/** A paused grant covers nothing until the pause is lifted. */
function grantsByAgent(rows: StandingRows): ReadonlyMap<string, readonly Grant[]> {
  const paused = new Set(rows.pauses.flatMap((one) => (one.scope.of === "grant" ? [one.scope.name] : [])));
  const found = new Map<string, Grant[]>();
  for (const grant of rows.grants) {
    if (paused.has(grant.id)) continue;
    const name = grant.subject.agent ?? "";
    const list = found.get(name);
    if (list === undefined) found.set(name, [grant]);
    else list.push(grant);
  }
  return found;
}

/** The outermost file that names an owner is right. */
function ownersOf(layers: Layers): ReadonlyMap<AgentName, PersonName> {
  const owners = new Map<AgentName, PersonName>();
  for (const { policy } of layers.layers) {
    for (const { name, owner } of policy.agents) if (owner !== undefined && !owners.has(name)) owners.set(name, owner);
  }
  return owners;
}

function layersOf(rows: StandingRows, found: FoundPolicies, policies: PolicyFiles): Layers {
  const [only] = found.files;
  if (found.named && only !== undefined) {
    return namedLayers(only.loaded.ok ? asNamed(only.loaded.policy, rows) : { why: faultsMessage(only.loaded.faults) });
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

/**
 * Whoever starts a program names its policy. Where an admin can prove who they are, such a policy cannot make the
 * program's word stand for a person's: `assurance: any` counts once an admin accepted this very text.
 */
function asNamed(policy: Policy, rows: StandingRows): Policy {
  const isAccepted = rows.policies.some((row) => row.version === policy.version);
  if (policy.approvals.assurance !== "any" || isAccepted || !canProve(rows)) return policy;
  const { assurance: _, ...approvals } = policy.approvals;
  return { ...policy, approvals };
}

function canProve(rows: StandingRows): boolean {
  return rows.people.some((person) => person.state === "active" && person.admin && person.passphrase !== undefined);
}

function fileOf(loaded: ReturnType<PolicyFiles["parse"]>) {
  return loaded.ok ? loaded : { ok: false as const, why: faultsMessage(loaded.faults) };
}

function acceptedAt(rows: readonly PolicyRow[], path: string, policies: PolicyFiles): Policy | undefined {
  const row = rows.find((candidate) => candidate.path === path);
  if (row === undefined) return undefined;
  const parsed = policies.parse(row.text, row.path);
  // It parsed when it was accepted; if this version of Leeway no longer reads it, nothing may run under a guess.
  if (!parsed.ok) throw new Error(`the accepted policy ${path} no longer loads: ${faultText(parsed.faults)}`);
  return parsed.policy;
}

/** What is wrong with a policy, each with its place, in one message. */
export function faultsMessage(faults: readonly Fault[]): Message {
  return inTurn(
    faults.map(({ file, line, column, message }) => say("policy.fault_at", { file, line, column, message })),
  );
}

export function faultText(faults: readonly Fault[]): string {
  return textOf(faultsMessage(faults), "en");
}

const compiled = new WeakMap<Policy, CompiledPolicy>();

/** Scopes are the program's own objects and come with every call: each is compiled once. */
export function scopesOf(scopes: readonly Policy[]): readonly CompiledPolicy[] {
  return scopes.map((scope) => {
    const known = compiled.get(scope);
    if (known !== undefined) return known;
    const made = compilePolicy(scope);
    compiled.set(scope, made);
    return made;
  });
}

/** Who may answer for an agent with this owner and who is told, as of now. */
export function circleOf(inForce: InForce, owner: PersonName | undefined, channels: Iterable<string>): Circle {
  return {
    people: inForce.rows.people,
    ...(owner === undefined ? {} : { owner }),
    pausedReviewers: inForce.pauses.flatMap((pause) => (pause.scope.of === "reviewer" ? [pause.scope.name] : [])),
    channels: ["inbox", ...channels],
  };
}
