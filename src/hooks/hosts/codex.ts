import { blocked, type HookAnswer, type HookReply, type Host, printed, SILENCE } from "../host.ts";
import { read } from "./claude-code.ts";
import { faulty } from "./fields.ts";

/**
 * Codex sends what Claude Code sends, but takes other answers: it accepts a denial with a reason, and `allow` only with
 * changed arguments. Any other answer counts as a hook that failed, and then the call runs. So a call that may run is answered with silence.
 */
export const codex: Host = {
  name: "codex",
  hasPrompt: false,
  takesEdits: true,
  patienceMs: 600_000,
  read: (input) => faulty(() => read("codex", input)),
  reply,
  refuse: blocked,
};

function reply(answer: HookAnswer): HookReply {
  switch (answer.is) {
    case "run":
      return answer.args === undefined
        ? SILENCE
        : printed({
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "allow",
              updatedInput: answer.args,
            },
          });
    case "ask":
    case "deny":
      return printed({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: answer.why,
        },
      });
    case "noted":
      return SILENCE;
  }
}
