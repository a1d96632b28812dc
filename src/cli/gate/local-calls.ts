import { cancel } from "../../gate/approvals/cancel.ts";
import { MANNER, submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import { holdingOf } from "../../library/calls.ts";
import { orThrow } from "../../service/refusal.ts";
import { callOf } from "../calls.ts";
import type { CommandCalls } from "./command-gate.ts";

/** Calls that the gate of this machine decides, and rights that it gives. */
export function localCalls(deps: Deps): CommandCalls {
  return {
    ...holdingOf(deps),
    submit: async (given) => {
      const call = callOf(deps, given);
      return { call, receipt: await submit(deps, call, MANNER) };
    },
    wait: (approvalId, how) => wait(deps, approvalId, how),
    unanswerable: async (receipt, agent) => {
      const { people } = (await deps.standing.current()).rows;
      if (people.some((person) => person.state === "active" && !person.auditor)) return undefined;
      // A question that nobody can see would only be found by surprise once somebody is set up.
      orThrow(await cancel(deps, receipt.approvalId ?? "", { agent }));
      const asked = receipt.decision.because.join("; ");
      const reason = `nobody is set up to answer, and it has to be asked: ${asked}`;
      return { ...receipt, outcome: "denied", code: "LEEWAY_NO_REVIEWER", reason };
    },
  };
}
