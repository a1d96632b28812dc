import type { BaselineRow } from "../decision.ts";
import { type Message, say } from "../messages/message.ts";

const ROWS = {
  "agent+tool": "part.row_agent_tool",
  "agent+class": "part.row_agent_class",
  agent: "part.row_agent",
  tool: "part.row_tool",
  class: "part.row_class",
  promotion: "part.row_promotion",
  preset: "part.preset",
} as const;

/** A row of a policy by its name. */
export function rowMessage({ of, name }: Exclude<BaselineRow, { of: "policy" }>): Message {
  return say(ROWS[of], { name });
}
