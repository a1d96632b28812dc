import type { BoxLimits, PackageSource } from "./box.ts";
import type { AgentChannel, ChannelSettings } from "./channel.ts";
import type { EffectClass, Reach, Understood } from "./effect.ts";
import type { AgentName } from "./ids.ts";
import type { Tier } from "./tier.ts";
import type { Hash } from "./values/hash.ts";
import type { Json, JsonObject } from "./values/json.ts";

/** Where in a file a thing was written, for messages and for `why`. */
export type Position = { file: string; line: number; column: number };

export const PRESETS = ["conservative", "standard", "autonomous"] as const;
export type PresetName = (typeof PRESETS)[number];

/** What a preset says may change with a version of Leeway. Whoever accepted an older version of it keeps that one. */
export const PRESET_VERSIONS: { readonly [name in PresetName]: number } = {
  conservative: 1,
  standard: 1,
  autonomous: 2,
};

/** A row of `tiers`: a class, an exact tool name or a glob of tool names. `tool:x` forces a tool. */
export type TierRow = { for: "class" | "tool" | "glob"; name: string; tier: Tier; at: Position };

export type ToolDeclaration = {
  name: string;
  class: EffectClass;
  domain?: string;
  reversible?: boolean;
  idempotent?: boolean;
  at: Position;
};

export type AgentRow = {
  name: AgentName;
  tier?: { tier: Tier; at: Position };
  tiers: readonly TierRow[];
  owner?: string;
  reviewers: readonly string[];
  channels?: readonly AgentChannel[];
  at: Position;
};

/** needs-human marks; `not` removes a mark of a preset, and counts only in the outermost layer. */
export type HumanMarks = {
  all: boolean;
  tools: readonly string[];
  classes: readonly EffectClass[];
  agents: readonly AgentName[];
  not: readonly EffectClass[];
  at?: Position;
};

export type ArgTest =
  | { is: "value"; value: Json }
  | { is: "glob"; glob: string }
  | { is: "range"; min?: number; max?: number }
  | { is: "any"; of: readonly ArgTest[] };

/** A call must match all keys; a list means any of its values. At most one of path, command and domain is set. */
export type Match = {
  agent?: readonly string[];
  tool?: readonly string[];
  class?: readonly EffectClass[];
  capability?: readonly string[];
  method?: readonly string[];
  mcp?: readonly string[];
  args?: readonly { pointer: string; test: ArgTest }[];
  reversible?: boolean;
  reach?: readonly Reach[];
  understood?: readonly Understood[];
  when?: When;
  path?: readonly string[];
  command?: readonly string[];
  domain?: readonly string[];
};

/** What a `when` expression can use: the fields of `policy/when-fields.ts`. */
export type WhenInput = { call: JsonObject; effect: JsonObject; context: JsonObject };
/**
 * A CEL expression, compiled outside core. If it fails, it returns `undefined`, and then both results are considered.
 */
export type When = { text: string; readsClaims: boolean; holds: (input: WhenInput) => boolean | undefined };

export type RuleExample = string | { tool: string; args: JsonObject; agent?: AgentName };

export type Rule = {
  name: string;
  match: Match;
  tier: Tier;
  because: string;
  examples: { match: readonly RuleExample[]; miss: readonly RuleExample[] };
  human: boolean;
  firm: boolean;
  reviewers: readonly string[];
  quorum?: number;
  expiresMs?: number;
  at: Position;
};

export const ASSURANCES = ["process", "token", "tty", "channel", "password", "oidc", "passkey"] as const;
export type Assurance = (typeof ASSURANCES)[number];

export type ApprovalSettings = {
  quorum: number;
  expiresMs: number;
  permitMs: number;
  escalate?: { afterMs: number; to: readonly string[] };
  selfReview: boolean;
  assurance: "person" | "any";
};

export const APPROVAL_DEFAULTS: ApprovalSettings = {
  quorum: 1,
  expiresMs: 24 * 60 * 60 * 1000,
  permitMs: 60 * 60 * 1000,
  selfReview: false,
  assurance: "person",
};

export type LimitRule = {
  name: string;
  match: Match;
  /** JSON pointer to the amount, or what the host reports about its model; absent counts calls. */
  sum?: string;
  max: number;
  perMs: number;
  by: "agent" | "session" | "tool" | "workspace";
  then: Tier;
  at: Position;
};

/** The key `box`: when a box is enough, and what its walls leave open besides the project. */
export type BoxSettings = {
  /** The classes that need no question if the call runs in a box; undefined: what the preset says. */
  for?: readonly BoxedClass[];
  /** Whether calls that would run anyway get walls exactly as wide as what was decided. */
  enforce?: boolean;
  /** Folders that can be changed besides the project. */
  write: readonly string[];
  /** Domains that can be reached through the proxy of the gate. */
  network: readonly string[];
  /** Registries whose packages can be read; undefined: the public ones. */
  packages?: readonly PackageSource[];
  rehearse?: "auto" | "never";
  /** What a program in a box may use at most. The smallest of all layers counts. */
  limits?: BoxLimits;
  at: Position;
};

/**
 * What walls can bound: code that nobody reads, everyday git (its hooks are such code), temporary files, files that are
 * removed and can be put back, and the build files of the project, which start such code.
 */
export const BOXED_CLASSES = ["process.exec", "git.write", "fs.write", "fs.delete", "deploy.write"] as const;
export type BoxedClass = (typeof BOXED_CLASSES)[number];

/** One layer, parsed. Plain data except `when`; `compile` makes the indexes that `decide` uses. */
export type Policy = {
  source: string;
  version: Hash;
  /** `version`: an older one, which a person accepted; without it the newest. */
  preset?: { name: PresetName; version?: number; at: Position };
  tier?: { tier: Tier; at: Position };
  tiers: readonly TierRow[];
  tools: readonly ToolDeclaration[];
  agents: readonly AgentRow[];
  human: HumanMarks;
  reviewers: readonly string[];
  rules: readonly Rule[];
  approvals: Partial<ApprovalSettings>;
  headless?: "deny" | "suggest";
  limits: readonly LimitRule[];
  channels?: readonly ChannelSettings[];
  box?: BoxSettings;
  /**
   * Not accepted: it is used in addition to the accepted file and can only make decisions stricter, so it does not
   * count as a file.
   */
  beside?: true;
  /**
   * The organisation's: what others on the machine declare about tools cannot make its layer looser, so each call is
   * judged by it with these declarations and without them.
   */
  organisation?: true;
  /** The home folder for `~` in path patterns; without it any home. */
  home?: string;
  /** Folder that relative path patterns start from. */
  root?: string;
};

/** The source name of the preset that is in force if no file is. */
export const BUILT_IN = "preset standard";
/** The source name of a policy that a program gives as an object. */
export const POLICY_OBJECT = "the policy option";

export const NO_MARKS: HumanMarks = { all: false, tools: [], classes: [], agents: [], not: [] };

export function emptyPolicy(source: string, version: Hash): Policy {
  return {
    source,
    version,
    tiers: [],
    tools: [],
    agents: [],
    human: NO_MARKS,
    reviewers: [],
    rules: [],
    approvals: {},
    limits: [],
  };
}
