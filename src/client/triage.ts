import type { Gate } from "../library/gate.ts";
import { parse, textOf } from "../service/shape.ts";
import { HANDOVER, REPLY, SNOOZE } from "../service/shapes/triage.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { Vouching } from "./vouching.ts";

/** What somebody who may answer can do instead of answering, over HTTP. */
export function triageAt({ ask }: ServerConnection, { as }: Vouching): Pick<Gate, "reply" | "handOver" | "snooze"> {
  const named = (approvalId: string) => ({ id: textOf(approvalId, "approvalId") });
  return {
    reply: async (approvalId, { by, ...given }) => {
      const params = named(approvalId);
      const body = parse(REPLY, given);
      await as({ by });
      return ask("POST /v1/approvals/:id/replies", { params, body });
    },
    handOver: async (approvalId, { by, ...given }) => {
      const params = named(approvalId);
      const body = parse(HANDOVER, given);
      await as({ by });
      return ask("POST /v1/approvals/:id/handover", { params, body });
    },
    snooze: async (approvalId, { by, ...given }) => {
      const params = named(approvalId);
      const body = parse(SNOOZE, given);
      await as({ by });
      return ask("POST /v1/approvals/:id/snooze", { params, body });
    },
  };
}
