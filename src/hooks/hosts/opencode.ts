import { type HookAnswer, type HookReply, type Host, printed, SILENCE } from "../host.ts";
import { read } from "./claude-code.ts";
import { faulty } from "./fields.ts";

/**
 * opencode has no hooks but plugins. The plugin that `leeway init opencode` writes (`opencode-plugin.ts`) sends what Claude
 * Code sends, and reads `decision`. An answer that it cannot read stops the call.
 */
export const opencode: Host = {
  name: "opencode",
  hasPrompt: false,
  takesEdits: true,
  patienceMs: 600_000,
  read: (input) => faulty(() => read("opencode", input)),
  reply,
  refuse: (why) => printed({ decision: "deny", reason: why }),
};

function reply(answer: HookAnswer): HookReply {
  switch (answer.is) {
    case "run":
      return printed({
        decision: "run",
        ...(answer.args === undefined ? {} : { args: answer.args }),
        ...(answer.told === undefined ? {} : { told: answer.told }),
      });
    case "ask":
    case "deny":
      return printed({ decision: "deny", reason: answer.why });
    case "noted":
      return SILENCE;
  }
}
