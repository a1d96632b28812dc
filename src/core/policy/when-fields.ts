/**
 * What a `when` expression can use, with CEL types. `effect` is the part and target that is judged. Missing values
 * are empty texts, so that an expression with correct types can fail only because of the call's arguments.
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
