import type { PresetName } from "../core/policy.ts";

/** The first line says where the file comes from and how to make a change count. */
const WRITTEN_BY = "# Written by `leeway init`. Yours to change; `leeway policy accept` makes a change count.";

/** A policy to start from: a preset, who answers, and the one rule everybody wants. */
export function starterPolicy(preset: PresetName): string {
  return `${WRITTEN_BY}
version: 1

# conservative asks before it writes, standard before it deletes or leaves the project,
# autonomous only before what cannot be taken back.
preset: ${preset}

rules:
  - name: never-force-push
    match: { command: "git push --force *" }
    tier: deny
    because: the server's history is shared
    examples:
      match: ["git push --force origin main"]
      miss: ["git push origin main"]

# You are alone so far, so you may answer for what you asked yourself. With more people, set this to false.
approvals: { selfReview: true }
`;
}
