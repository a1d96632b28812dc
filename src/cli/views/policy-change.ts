import { policyChange } from "../../core/show/changes/policy-change.ts";
import { visible } from "../../core/values/text.ts";

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

/** What a person accepts, as lines of a terminal. */
export function policyChangeLines(before: string | undefined, after: string): readonly string[] {
  const lines = policyChange(before, after);
  if (lines.length === 0) return ["  nothing has changed since it was accepted"];
  return lines.map((line) => (line.is === "gap" ? "  …" : `${SIGNS[line.is]} ${visible(line.text)}`));
}
