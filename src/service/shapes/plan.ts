import type { ToolDefinition } from "../../core/classify/definition.ts";
import { say } from "../../core/messages/message.ts";
import { PLAN_CALLS_MAX, PLAN_TITLE_MAX, PLAN_WIDTHS } from "../../core/standing/plan.ts";
import { badInput } from "../refusal.ts";
import { listOf, maybe, note, object, oneOf, type Shape, shapeOf, type TypeOf, text, textOf } from "../shape.ts";
import { CALL, IDENTITY } from "./call.ts";

const { tool, args, cwd, definition } = CALL.keys;

/** One call of a plan. */
export const PLAN_CALL = object({
  tool,
  args,
  cwd,
  definition,
  /** Allow more than exactly this call, as one of the grants that a card would offer for it. If left out: exactly this call. */
  width: maybe(oneOf(PLAN_WIDTHS)),
});

const someCalls = listOf(PLAN_CALL, 1);
const calls: Shape<TypeOf<typeof someCalls>> = shapeOf(
  { type: "array", items: PLAN_CALL.schema, minItems: 1, maxItems: PLAN_CALLS_MAX },
  (value, path, source) => {
    if (Array.isArray(value) && value.length > PLAN_CALLS_MAX) {
      const hint = say("hint.send_at_most", { max: PLAN_CALLS_MAX });
      throw badInput(path, say("refusal.there_are", { count: value.length }), hint);
    }
    return someCalls.read(value, path, source);
  },
);

const title: Shape<string> = shapeOf({ type: "string", minLength: 1, maxLength: PLAN_TITLE_MAX }, (value, path) =>
  textOf(value, path, PLAN_TITLE_MAX),
);

/** A plan as programs and agents write it. What is left out is taken from the current scope, or has a default. */
export const PLAN = object({
  ...IDENTITY.keys,
  title,
  /** In the order in which the agent intends to make them; at most 50. */
  calls,
  /** Identifies the plan: sent again with the same id, it is the same plan. If left out, it is a new one. */
  callId: maybe(text),
  /** The agent's explanation for the reviewer, at most 2,000 characters. Nothing is decided by it. */
  says: maybe(note),
});

/** A plan that was checked. */
export type ReadPlan = TypeOf<typeof PLAN>;

/** A plan as a program writes it. */
export type PlanInput = Omit<ReadPlan, "calls"> & {
  /** In the order in which the agent intends to make them; at most 50. */
  calls: readonly PlanCallInput[];
};

export type PlanCallInput = Omit<TypeOf<typeof PLAN_CALL>, "args" | "definition"> & {
  /** Plain JSON; empty if left out. Values that JSON would drop or change are refused. */
  args?: unknown;
  /** The tool's definition as its server gives it, or its hash, `sha256:…`. */
  definition?: string | ToolDefinition;
};
