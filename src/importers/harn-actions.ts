import type { EffectClass } from "../core/effect.ts";

type Action = { class: string; ours?: EffectClass; builtins: readonly string[]; wide?: true };

/**
 * Harn's complete action table: what is not in it was not controlled. `wide`: in Leeway a call of the builtin is
 * classified by what it touches (a file with secrets, each program of a command), so a row for the class alone would
 * not cover all of it.
 */
export const ACTIONS: readonly Action[] = [
  { class: "fs.write", ours: "fs.write", builtins: ["write_file", "write_file_bytes", "append_file"], wide: true },
  { class: "fs.mkdir", ours: "fs.mkdir", builtins: ["mkdir"], wide: true },
  { class: "fs.mkdtemp", builtins: ["mkdtemp"], wide: true },
  { class: "fs.copy", ours: "fs.copy", builtins: ["copy_file"], wide: true },
  { class: "fs.move", ours: "fs.move", builtins: ["move_file"], wide: true },
  { class: "fs.delete", ours: "fs.delete", builtins: ["delete_file"], wide: true },
  { class: "process.exec", ours: "process.exec", builtins: ["exec", "exec_at", "shell", "shell_at"], wide: true },
  { class: "host.call", ours: "host.call", builtins: ["host_call"], wide: true },
  { class: "store.write", ours: "store.write", builtins: ["store_set", "store_delete", "store_save", "store_clear"] },
  {
    class: "metadata.write",
    ours: "metadata.write",
    builtins: [
      ...["metadata_set", "metadata_save", "metadata_refresh_hashes", "invalidate_facts", "path_metadata_set"],
      ...["verification_profiles_set", "verification_profile_record_run"],
    ],
  },
  {
    class: "checkpoint.write",
    ours: "checkpoint.write",
    builtins: ["checkpoint", "checkpoint_delete", "checkpoint_clear"],
  },
  {
    class: "network.sse.write",
    ours: "network.sse.write",
    builtins: ["response", "send", "heartbeat", "flush", "close", "cancel", "mock_receive", "mock_disconnect"].map(
      (name) => `sse_server_${name}`,
    ),
  },
  {
    class: "agent_state.write",
    ours: "agent_state.write",
    builtins: ["__agent_state_write", "__agent_state_delete", "__agent_state_handoff"],
  },
  { class: "mcp.release", ours: "mcp.release", builtins: ["mcp_release"] },
  {
    class: "git.write",
    ours: "git.write",
    builtins: ["git.worktree.create", "git.worktree.remove", "git.fetch", "git.rebase", "git.push"],
    wide: true,
  },
];
/** Harn's classes of file actions. */
export const FILES: ReadonlySet<string> = new Set(
  ACTIONS.map((action) => action.class).filter((name) => name.startsWith("fs.")),
);
export const COMMANDS = "process.exec";
/** The commands that correspond to a builtin of git. */
export const GIT: Readonly<Record<string, string>> = {
  "git.worktree.create": "git worktree add *",
  "git.worktree.remove": "git worktree remove *",
  "git.fetch": "git fetch *",
  "git.rebase": "git rebase *",
  "git.push": "git push *",
};
export const NAMES = ACTIONS.flatMap((action) => [action.class, ...action.builtins]);
