import { cancel } from "../../gate/approvals/cancel.ts";
import { DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import { submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import { holdingOf } from "../../library/create-gate.ts";
import { orThrow } from "../../service/refusal.ts";
import { callOf } from "../calls.ts";
import type { CommandCalls } from "./command-gate.ts";

/** Calls that the gate of this machine decides, and executions that it allows. */
export function localCalls(deps: Deps): CommandCalls {
  return {
    ...holdingOf(deps),
    submit: async (given) => {
      const call = callOf(deps, given);
      return { call, receipt: await submit(deps, call, DEFAULT_CALLER) };
    },
    wait: (approvalId, how) => wait(deps, approvalId, how),
    unanswerable: async (receipt, agent) => {
      const { people } = (await deps.standing.current()).rows;
      if (people.some((person) => person.state === "active" && !person.auditor)) return undefined;
      // If nobody is set up, nobody could see the question; it would surprise the first person later.
      orThrow(await cancel(deps, receipt.approvalId ?? "", { agent }));
      const asked = receipt.decision.because.join("; ");
      const reason = `a person must approve this, but nobody is set up to answer: ${asked}`;
      return { ...receipt, outcome: "denied", code: "LEEWAY_NO_REVIEWER", reason };
    },
  };
}
