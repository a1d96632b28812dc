import { opencode } from "./opencode.ts";
import { hostSuite } from "./suite.ts";

hostSuite(opencode, {
  // opencode tells only of sessions that somebody deletes.
  tools: { "session end": "not recorded" },
  faults: { "host's limit passed": "no limit" },
});
