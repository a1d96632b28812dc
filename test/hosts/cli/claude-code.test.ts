import { claudeCode } from "./claude-code.ts";
import { hostSuite } from "./suite.ts";

hostSuite(claudeCode, {});
