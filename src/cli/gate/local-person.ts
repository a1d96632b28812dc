import { executionText } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { inEnglish } from "../../core/messages/text.ts";
import type { Deps } from "../../gate/deps.ts";
import { checkPassphrase } from "../../gate/people/people.ts";
import { orThrow } from "../../service/refusal.ts";
import type { Io } from "../terminal/io.ts";
import type { Keyring, PersonActs } from "./command-gate.ts";

/** At a terminal, with the passphrase. */
const assurance = "tty";

/** The acts of a person who gave their passphrase at the terminal of this machine. Each verb is loaded on first use. */
export function actsOf(deps: Deps, by: string, io: Pick<Io, "env">): PersonActs {
  const sure = { assurance } as const;
  return {
    name: by,
    review: async (approvalId, answer) => {
      const { review } = await import("../../gate/approvals/review.ts");
      return orThrow(await review(deps, approvalId, { ...answer, by, assurance, bulk: false }));
    },
    ...triageActs(deps, by),
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
    testChannel: async (kind) => (await import("./local-channels.ts")).testHere(io, deps, kind, by),
    retryNotice: async (id) => (await import("./local-channels.ts")).retryHere(deps, id, by),
  };
}

function triageActs(deps: Deps, by: string): Pick<PersonActs, "reply" | "handOver" | "snooze"> {
  return {
    reply: async (approvalId, text) => {
      const { reply } = await import("../../gate/approvals/triage.ts");
      return orThrow(await reply(deps, approvalId, { by, assurance, text }));
    },
    handOver: async (approvalId, to) => {
      const { handOver } = await import("../../gate/approvals/triage.ts");
      return orThrow(await handOver(deps, approvalId, { by, assurance, ...to }));
    },
    snooze: async (approvalId, until) => {
      const { snooze } = await import("../../gate/approvals/triage.ts");
      return orThrow(await snooze(deps, approvalId, { by, assurance, until }));
    },
  };
}

const OPEN_MS = 5 * 60_000;

/** Unlocked by the passphrase for a few minutes. */
export function keyringOf(deps: Deps, person: string, io: Pick<Io, "env">): Keyring {
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
      return actsOf(deps, person, io);
    },
  };
}
