import { copilot } from "./copilot.ts";
import { hostSuite } from "./suite.ts";

hostSuite(copilot, {
  // Whether Copilot CLI uses changed arguments depends on its version, so a reviewer cannot change them.
  tiers: { "ask: arguments changed": "not run" },
  // It goes on without a hook that takes longer than its own limit. The hook answers before that limit.
  faults: { "host's limit passed": "runs" },
});
