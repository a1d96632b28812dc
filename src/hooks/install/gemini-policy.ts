// The policy file that Gemini CLI needs beside the hook. Gemini CLI asks its own rules after the hook, and a hook that
// allows a call does not skip a question of those rules: without this file people would be asked twice. The file
// belongs to the user's rules, because Gemini CLI does not read rules of a project.

/** The first words of the file: only a file that begins so is replaced or deleted. */
const MARK = "# Written by `leeway init gemini`";

/** Tools whose calls the hook decides about. Tools of MCP servers are not among them: Gemini CLI still asks about those. */
const GATED = ["run_shell_command", "write_file", "replace", "web_fetch", "save_memory", "activate_skill"];

/**
 * Words that still ask in Gemini CLI wherever they stand in a command: if the hook were ever missing, such a command
 * must not run unseen. They delete, reach other machines, change who may do what, or run another program. They are
 * looked for anywhere, because `/bin/rm`, `time rm` and `A=1 rm` begin with something else.
 */
const FLOOR: readonly (readonly string[])[] = [
  ["rm", "rmdir", "shred", "unlink", "truncate", "dd", "mkfs", "wipefs", "find", "xargs", "delete", "prune"],
  ["sudo", "su", "doas", "chmod", "chown", "chattr", "setfacl", "crontab", "systemctl", "launchctl"],
  ["kill", "pkill", "killall", "shutdown", "reboot", "halt", "poweroff"],
  ["bash", "sh", "zsh", "fish", "dash", "eval", "exec", "source", "env", "nohup", "setsid", "pwsh", "powershell"],
  ["python", "python3", "node", "deno", "bun", "perl", "ruby", "php", "lua", "osascript", "awk", "tclsh"],
  ["push", "reset", "clean", "checkout", "restore", "rebase", "filter-branch", "drop", "config", "remote"],
  ["curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "telnet", "ftp"],
  ["docker", "podman", "kubectl", "helm", "terraform", "tofu", "pulumi", "ansible-playbook"],
  ["aws", "gcloud", "az", "gh", "glab", "heroku", "flyctl", "vercel", "netlify", "doctl"],
  ["publish", "unpublish", "twine", "npx", "bunx", "uvx"],
  ["psql", "mysql", "mariadb", "sqlite3", "mongosh", "redis-cli", "dropdb", "createdb"],
];

/** Higher numbers come first in Gemini CLI. Both are below the 950 of what a person allows in its own prompt. */
const ALLOW_PRIORITY = 500;
const FLOOR_PRIORITY = 900;

export function geminiPolicy(): string {
  return [
    `${MARK}; \`leeway init gemini --undo\` removes it.`,
    "# Leeway's hook decides about these tools, so Gemini CLI does not ask about them again.",
    "[[rule]]",
    `toolName = ${listOf(GATED)}`,
    'decision = "allow"',
    `priority = ${ALLOW_PRIORITY}`,
    MODES,
    "",
    "# Commands with one of these words always ask in Gemini CLI too, so that none of them runs unseen if the hook is ever missing.",
    "[[rule]]",
    'toolName = "run_shell_command"',
    // Gemini CLI begins to compare at the start of the command.
    `commandRegex = '.*\\b(${FLOOR.flat().join("|")})\\b'`,
    'decision = "ask_user"',
    `priority = ${FLOOR_PRIORITY}`,
    MODES,
    "",
  ].join("\n");
}

/** Not in `plan`, where nothing may be changed, and not needed in `yolo`, where nothing asks. */
const MODES = 'modes = ["default", "autoEdit"]';

function listOf(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
}

export function isGeminiPolicy(text: string): boolean {
  return text.startsWith(MARK);
}
