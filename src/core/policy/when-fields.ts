/**
 * What a `when` expression may name, with CEL's types. `effect` is the part and the target being judged; what a call
 * does not have is empty text, so that an expression which type-checks can only fail over the call's arguments.
 */
export const WHEN_FIELDS = {
  call: {
    agent: "string",
    tool: "string",
    args: "map<string, dyn>",
    cwd: "string",
    session: "string",
    run: "string",
    chain: "list<string>",
    claims: "map<string, dyn>",
    requestedBy: "string",
  },
  effect: {
    class: "string",
    capability: "string",
    level: "string",
    reversible: "bool",
    reach: "string",
    method: "string",
    understood: "string",
    path: "string",
    command: "list<string>",
    domain: "string",
  },
  context: {
    workspace: "string",
    nowMs: "double",
  },
} as const;
