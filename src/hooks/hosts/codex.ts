import { blocked, type HookAnswer, type HookInput, type HookReply, type Host, printed, SILENCE } from "../host.ts";
import { ALLOWED_PROMPT, read } from "./claude-code.ts";
import { faulty } from "./fields.ts";

/**
 * Codex sends what Claude Code sends, but takes other answers: `allow` only with changed arguments, and silence with exit
 * code 0 for a call that may run. So a denial is exit code 2 with the reason on stderr: an answer on stdout that does not
 * arrive would be silence.
 */
export const codex: Host = {
  name: "codex",
  startsInProject: true,
  hasPrompt: false,
  takesEdits: true,
  shell: { tools: ["Bash"], text: "command", others: [], keepsFolder: false },
  patienceMs: 600_000,
  read: (input) => faulty(() => read("codex", input)),
  reply,
  refuse: blocked,
};

function reply(answer: HookAnswer, input: HookInput): HookReply {
  if (input.on === "prompt") return answer.is === "run" ? ALLOWED_PROMPT : SILENCE;
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
      return blocked(answer.why);
    case "noted":
      return SILENCE;
  }
}
