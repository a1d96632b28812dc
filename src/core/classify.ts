import type { ToolCall } from "./call.ts";
import type { Effect } from "./effect.ts";
import type { ToolDeclaration } from "./policy.ts";

/** Where paths really lead, told by the door on the agent's machine. Without an entry a path is lexical. */
export type PathFacts = {
  /** Absolute lexical path to where it really is: links followed, missing parents resolved as far as they exist. */
  real: { readonly [path: string]: string };
  home?: string;
  /** True where the file system ignores case. */
  foldsCase: boolean;
};

/** What the classifier may know besides the call. */
export type Knowledge = {
  declared: ReadonlyMap<string, ToolDeclaration>;
  project?: string;
  facts?: PathFacts;
};

export const UNKNOWN_EFFECT: Effect = {
  parts: [
    { class: "unknown", capability: "unknown", level: "admin", targets: [], reversible: false, reach: "outside" },
  ],
  understood: "not",
  notes: ["the tool is not known"],
};

export function classify(call: ToolCall, knowledge: Knowledge): Effect {
  const declared = knowledge.declared.get(call.tool);
  if (declared === undefined) return UNKNOWN_EFFECT;
  return {
    parts: [
      {
        class: declared.class,
        capability: declared.class,
        level: "write",
        targets: [],
        reversible: declared.reversible ?? true,
        reach: "project",
      },
    ],
    understood: "fully",
    notes: [],
  };
}
