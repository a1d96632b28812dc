import { executionText } from "../../core/execution.ts";
import { inEnglish } from "../../core/messages/in-english.ts";
import { say } from "../../core/messages/message.ts";
import type { Deps } from "../../gate/deps.ts";
import { checkPassphrase } from "../../gate/people/people.ts";
import { orThrow } from "../../service/refusal.ts";
import type { Keyring, PersonActs } from "./command-gate.ts";

/** At a terminal, with the passphrase. */
const assurance = "tty";

/** The acts of somebody who gave their passphrase at this machine's terminal. Each verb is loaded when it is needed. */
export function actsOf(deps: Deps, by: string): PersonActs {
  const sure = { assurance } as const;
  return {
    name: by,
    review: async (approvalId, answer) => {
      const { review } = await import("../../gate/approvals/review.ts");
      return orThrow(await review(deps, approvalId, { ...answer, by, assurance, bulk: false }));
    },
    reveal: async (approvalId) => {
      const { reveal } = await import("../../gate/approvals/reveal.ts");
      return orThrow(await reveal(deps, approvalId, { by, assurance }));
    },
    reconcile: async (executionId, said) => {
      const { reconcile } = await import("../../gate/calls/reconcile.ts");
      return executionText(orThrow(await reconcile(deps, executionId, { ...said, by, assurance })));
    },
    pause: async (scope, because) => {
      const { setPause } = await import("../../gate/standing/pause.ts");
      return inEnglish(orThrow(await setPause(deps, { scope, because, by, assurance })));
    },
    promote: async (move) => {
      const { promote } = await import("../../gate/standing/agents.ts");
      return orThrow(await promote(deps, { ...move, ...sure, by }));
    },
    demote: async (move) => {
      const { demote } = await import("../../gate/standing/agents.ts");
      return orThrow(await demote(deps, { ...move, by }));
    },
    revokeGrant: async (id) => {
      const { revokeGrant } = await import("../../gate/standing/grants.ts");
      return orThrow(await revokeGrant(deps, id, { by }));
    },
    forgetTool: async (id) => {
      const { forgetDeclaration } = await import("../../gate/standing/declarations.ts");
      return orThrow(await forgetDeclaration(deps, id, { by }));
    },
    revokeToken: async (id) => {
      const { revokeToken } = await import("../../gate/people/tokens.ts");
      const { lock: _, ...token } = orThrow(await revokeToken(deps, id, { by }));
      return token;
    },
  };
}

const OPEN_MS = 5 * 60_000;

/** Opened by the passphrase, for a few minutes. */
export function keyringOf(deps: Deps, person: string): Keyring {
  let untilMs = 0;
  const isOpen = () => deps.clock.nowMs() < untilMs;
  return {
    person,
    isOpen,
    open: async (passphrase) => {
      const checked = await checkPassphrase(deps, person, passphrase, { to: say("act.answer_in_inbox") });
      if (checked.ok) untilMs = deps.clock.nowMs() + OPEN_MS;
      return checked;
    },
    acts: () => {
      if (!isOpen()) throw new Error("somebody acted who has not proved who they are (this is a bug)");
      return actsOf(deps, person);
    },
  };
}
