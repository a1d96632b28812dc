import type { EffectClass } from "../core/effect.ts";
import type { PresetName } from "../core/policy.ts";
import type { Tier } from "../core/tier.ts";

type OneOrMany<T> = T | readonly T[];

/** What a rule or a limit is about; see "Rules" in docs/policy.md. */
export type MatchInput = {
  readonly agent?: OneOrMany<string>;
  readonly tool?: OneOrMany<string>;
  readonly class?: OneOrMany<EffectClass>;
  readonly capability?: OneOrMany<string>;
  readonly method?: OneOrMany<string>;
  readonly mcp?: OneOrMany<string>;
  readonly args?: { readonly [pointer: string]: unknown };
  readonly reversible?: boolean;
  readonly reach?: OneOrMany<"local" | "project" | "host" | "outside">;
  readonly understood?: OneOrMany<"fully" | "partly" | "not">;
  readonly path?: OneOrMany<string>;
  readonly command?: OneOrMany<string>;
  readonly domain?: OneOrMany<string>;
  readonly when?: string;
};

/** A policy as an object: the same keys and words as `leeway.yaml`, checked just as strictly. */
export type PolicyLayer = {
  readonly version?: number;
  readonly preset?: PresetName;
  readonly tier?: Tier;
  readonly tiers?: { readonly [classOrTool: string]: Tier };
  readonly tools?: {
    readonly [tool: string]: {
      readonly class: EffectClass;
      readonly domain?: string;
      readonly reversible?: boolean;
      readonly idempotent?: boolean;
    };
  };
  readonly agents?: {
    readonly [agent: string]: {
      readonly tier?: Tier;
      readonly tiers?: { readonly [classOrTool: string]: Tier };
      readonly owner?: string;
      readonly reviewers?: readonly string[];
      readonly channels?: object;
    };
  };
  readonly human?:
    | boolean
    | {
        readonly tools?: readonly string[];
        readonly classes?: readonly EffectClass[];
        readonly agents?: readonly string[];
        readonly not?: readonly EffectClass[];
      };
  readonly reviewers?: readonly string[];
  readonly rules?: readonly {
    readonly name: string;
    readonly match: MatchInput;
    readonly tier: Tier;
    readonly because: string;
    readonly examples?: { readonly match?: readonly unknown[]; readonly miss?: readonly unknown[] };
    readonly human?: boolean;
    readonly firm?: boolean;
    readonly reviewers?: readonly string[];
    readonly quorum?: number;
    readonly expires?: string;
  }[];
  readonly approvals?: {
    readonly quorum?: number;
    readonly expires?: string;
    readonly permit?: string;
    readonly escalate?: { readonly after: string; readonly to: readonly string[] };
    readonly selfReview?: boolean;
    readonly assurance?: "person" | "any";
  };
  readonly headless?: "deny" | "suggest";
  readonly limits?: readonly {
    readonly name: string;
    readonly match: MatchInput;
    readonly sum?: string;
    readonly max: number;
    readonly per: string;
    readonly by: "agent" | "session" | "tool" | "workspace";
    readonly then: Tier;
  }[];
  readonly channels?: object;
  readonly box?: {
    readonly for?: readonly ("process.exec" | "git.write" | "fs.write" | "fs.delete" | "deploy.write")[];
    readonly enforce?: boolean;
    readonly write?: readonly string[];
    readonly network?: readonly string[];
    readonly rehearse?: "auto" | "never";
  };
  readonly root?: string;
};
