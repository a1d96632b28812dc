import { type ChannelInForce, channelsFor, INBOX } from "../../core/channel.ts";
import { type DeclaredTools, declaredTools } from "../../core/classify/known-tool.ts";
import type { CompiledPolicy } from "../../core/decide/compile.ts";
import { compilePolicy } from "../../core/decide/compile.ts";
import { foundLayers, type Layers, namedLayers } from "../../core/decide/layers.ts";
import type { AgentName, PersonName } from "../../core/ids.ts";
import { inTurn, type Message, say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Fault } from "../../core/policy/tree.ts";
import { type Policy, PRESET_VERSIONS } from "../../core/policy.ts";
import type { PolicyRow } from "../../core/rows/rows.ts";
import type { Grant } from "../../core/standing/grant.ts";
import type { Pause } from "../../core/standing/standing.ts";
import type { Circle } from "../../core/steps/quorum.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { FoundPolicies, PolicyFiles, StandingRows, Store } from "../../ports.ts";

/** What is in force: the rows of the current epoch, the policy layers, and values computed from them. */
export type InForce = {
  rows: StandingRows;
  layers: Layers;
  declared: DeclaredTools;
  pauses: readonly Pause[];
  /** Live grants by agent; under "" the grants for all agents. */
  grants: ReadonlyMap<string, readonly Grant[]>;
  /** The owners that policy files name; `ownerOf` finds the others. */
  owners: ReadonlyMap<AgentName, PersonName>;
  /** Where people are told about an agent, the inbox first. */
  channels(agent: AgentName | undefined): readonly ChannelInForce[];
  /** Whether the store has the texts of the policies in force. */
  isRecorded: boolean;
  /** The hash of each bucket by its id. A row that was read from a bucket stays valid while this hash is the same. */
  buckets: ReadonlyMap<string, Hash>;
};

/** Keeps the standing between calls. It is read again only if the epoch or a policy file has changed. */
export type StandingView = {
  current(): Promise<InForce>;
  /** The same for whoever records nothing: whether the store has the texts of the policies is not looked up. */
  unrecorded(): Promise<InForce>;
  /**
   * The standing as it was last read, if nothing must be looked up for it. Who uses it must compare its epoch with that of
   * the store in the same step.
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
  /** Read once for each epoch and version. Earlier texts are only in the store, because there may be many. */
  const withRecord = async (inForce: InForce): Promise<InForce> => {
    if (inForce.isRecorded) return inForce;
    const held = await store.read({ ask: "row", workspace, table: "policies", id: inForce.layers.version });
    if (held === undefined) return inForce;
    const recorded = { ...inForce, isRecorded: true };
    if (made?.inForce === inForce) made = { ...made, inForce: recorded };
    return recorded;
  };
  const unrecorded = async () => {
    const fresh = await store.read({
      ask: "standing",
      workspace,
      ...(rows === undefined ? {} : { knownEpoch: rows.epoch }),
    });
    // After a change of the epoch many callers read at once; they share the result of the first one.
    if (fresh !== undefined && fresh.epoch !== rows?.epoch) {
      rows = fresh;
      policies.accepted?.(rows.policies);
    }
    if (rows === undefined) throw new Error("the first reading of the standing was empty (this is a bug)");
    return assemble(rows);
  };
  return {
    current: async () => withRecord(await unrecorded()),
    unrecorded,
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

/** Most changes of the epoch do not change the policies, and parsing and indexing these takes most of the time. */
function layersView(policies: PolicyFiles): (rows: StandingRows, found: FoundPolicies) => Layers {
  let made: { key: string; found: FoundPolicies; layers: Layers } | undefined;
  return (rows, found) => {
    const accepted = rows.policies.map((row) => `${row.path}\n${row.version}\n${row.presetVersion}`).join("\n");
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
    channels: channelsView(layers),
    isRecorded: false,
    buckets: new Map(rows.buckets.map(({ id, hash }) => [id, hash])),
  };
}

/** A paused grant covers nothing until the pause ends. */
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

/** The owner that the outermost policy file names counts. */
function ownersOf(layers: Layers): ReadonlyMap<AgentName, PersonName> {
  const owners = new Map<AgentName, PersonName>();
  for (const { policy } of layers.layers) {
    for (const { name, owner } of policy.agents) if (owner !== undefined && !owners.has(name)) owners.set(name, owner);
  }
  return owners;
}

function layersOf(rows: StandingRows, found: FoundPolicies, policies: PolicyFiles): Layers {
  const [only] = found.files;
  const managed = found.managed === undefined ? undefined : fileOf(found.managed.loaded);
  if (found.named && only !== undefined) {
    const file = fileOf(only.loaded);
    return namedLayers(file.ok ? asNamed(file.policy, rows) : file, managed);
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
    managed,
  );
}

/**
 * The program itself chooses its named policy. If there is an admin with a passphrase, such a policy cannot make the word of
 * the program count as that of a person: `assurance: any` counts only if an admin accepted this text.
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
  // It could be parsed when it was accepted. If this version of Leeway cannot parse it, nothing may run.
  if (!parsed.ok) throw new Error(`the accepted policy ${path} no longer loads: ${faultText(parsed.faults)}`);
  return withPresetOf(row, parsed.policy);
}

/** A person accepted the text with what its preset said then. */
function withPresetOf({ presetVersion = 1 }: PolicyRow, policy: Policy): Policy {
  const { preset } = policy;
  if (preset === undefined || presetVersion >= PRESET_VERSIONS[preset.name]) return policy;
  return { ...policy, preset: { ...preset, version: presetVersion } };
}

/** All errors of a policy with their places, in one message. */
export function faultsMessage(faults: readonly Fault[]): Message {
  return inTurn(
    faults.map(({ file: where, line, column, message }) => say("policy.fault_at", { where, line, column, message })),
  );
}

export function faultText(faults: readonly Fault[]): string {
  return textOf(faultsMessage(faults), "en");
}

const compiled = new WeakMap<Policy, CompiledPolicy>();

/** Policies of `withPolicy` come with every call, so each is compiled once. */
export function scopesOf(scopes: readonly Policy[]): readonly CompiledPolicy[] {
  return scopes.map((scope) => {
    const known = compiled.get(scope);
    if (known !== undefined) return known;
    const made = compilePolicy(scope);
    compiled.set(scope, made);
    return made;
  });
}

/** Whose call it is, for those who answer for it and those who are told. */
type Asking = { agent?: AgentName; owner?: PersonName | undefined };

/** Who may answer for an agent with this owner and who is told, as of now. `given`: channels of the program itself. */
export function circleOf(inForce: InForce, { agent, owner }: Asking, given: Iterable<string>): Circle {
  return {
    people: inForce.rows.people,
    ...(owner === undefined ? {} : { owner }),
    pausedReviewers: inForce.pauses.flatMap((pause) => (pause.scope.of === "reviewer" ? [pause.scope.name] : [])),
    channels: [...inForce.channels(agent), ...Array.from(given, ownChannel)],
  };
}

/** A channel that the program gave to the gate finds everybody by itself. */
function ownChannel(name: string): ChannelInForce {
  return { ...INBOX, name };
}

/** Where people are told, by agent. Most agents have no settings of their own and share one list. */
function channelsView({ layers }: Layers): InForce["channels"] {
  const policies = layers.map(({ policy }) => policy);
  const everybody = [INBOX, ...channelsFor(policies)];
  const special = new Map<AgentName, readonly ChannelInForce[]>();
  for (const { agents } of policies) {
    for (const { name, channels } of agents) {
      if (channels !== undefined && !special.has(name)) special.set(name, [INBOX, ...channelsFor(policies, name)]);
    }
  }
  return (agent) => (agent === undefined ? undefined : special.get(agent)) ?? everybody;
}
