import { gemini } from "./gemini.ts";
import { hostSuite } from "./suite.ts";

hostSuite(gemini, {
  // Gemini CLI merges changed arguments into those of the model, so a reviewer cannot change them.
  tiers: { "ask: arguments changed": "not run" },
  // It does not say which sub-agent makes a call.
  tools: { "sub-agent": "gated, as the agent itself" },
  // It goes on without a hook that takes longer than its own limit. The hook answers before that limit.
  faults: { "host's limit passed": "runs" },
});
