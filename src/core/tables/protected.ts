import type { EffectClass } from "../effect.ts";

/**
 * Paths that are more than files: data only, one line each. A pattern is a run of names found anywhere in a path; a last
 * `**` takes everything below, a `*` stands for any part of one name. Names are compared without case.
 */
export type ProtectedRow = {
  path: string;
  write?: Extract<EffectClass, "permissions.change" | "deploy.write" | "schedule.write">;
  read?: Extract<EffectClass, "secrets.read">;
  /** Last names that the pattern takes and does not mean. */
  not?: string;
  /** Names right below the first folder whose content the pattern does not mean. */
  except?: string;
  /** False where the folder that leads to it is an ordinary one that may be moved or deleted. */
  leads?: false;
  what: string;
  example: string;
};

const permissions = "permissions.change";
const secrets = "secrets.read";
const deploy = "deploy.write";

/** Git runs these from any repository, a bare one too, whose folder may have any name. */
const GIT_HOOKS =
  "applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update".split(
    " ",
  );

// biome-ignore format: one line each
export const PROTECTED_ROWS: readonly ProtectedRow[] = [
  // The gate itself.
  { path: "leeway.yaml", write: permissions, what: "a policy of the gate", example: "/project/leeway.yaml" },
  { path: "leeway.yml", write: permissions, what: "a policy of the gate", example: "/project/leeway.yml" },
  { path: "leeway.json", write: permissions, what: "a policy of the gate", example: "/project/leeway.json" },
  { path: ".config/leeway/**", write: permissions, what: "the gate's settings", example: "/home/ana/.config/leeway/leeway.yaml" },
  { path: ".local/state/leeway/**", write: permissions, read: secrets, what: "the gate's ledger and state", example: "/home/ana/.local/state/leeway/leeway.db" },
  { path: "leeway.db*", write: permissions, read: secrets, what: "the gate's ledger and state", example: "/data/leeway.db-wal" },
  { path: "leeway.key", write: permissions, read: secrets, what: "the gate's key", example: "/data/leeway.key" },
  { path: "leeway.sign", write: permissions, read: secrets, what: "the gate's key", example: "/data/leeway.sign" },

  // Agent hosts: what they may do, which hooks and servers they run.
  { path: ".claude/settings*.json", write: permissions, what: "settings of an agent host", example: "/project/.claude/settings.local.json" },
  { path: ".claude/hooks/**", write: permissions, what: "hooks of an agent host", example: "/project/.claude/hooks/pre.sh" },
  { path: ".claude/agents/**", write: permissions, what: "agents of an agent host", example: "/project/.claude/agents/a.md" },
  { path: ".claude/commands/**", write: permissions, what: "commands of an agent host", example: "/project/.claude/commands/a.md" },
  { path: ".claude/plugins/**", write: permissions, what: "plugins of an agent host", example: "/home/ana/.claude/plugins/a.json" },
  { path: ".claude/.credentials.json", write: permissions, read: secrets, what: "credentials of an agent host", example: "/home/ana/.claude/.credentials.json" },
  { path: ".claude.json", write: permissions, what: "settings of an agent host", example: "/home/ana/.claude.json" },
  { path: "claude_desktop_config.json", write: permissions, what: "settings of an agent host", example: "/home/ana/claude_desktop_config.json" },
  { path: ".mcp.json", write: permissions, what: "the servers of an agent host", example: "/project/.mcp.json" },
  { path: "mcp.json", write: permissions, what: "the servers of an agent host", example: "/project/.vscode/mcp.json" },
  { path: ".codex/**", write: permissions, what: "settings of an agent host", example: "/home/ana/.codex/config.toml" },
  { path: ".codex/auth.json", write: permissions, read: secrets, what: "credentials of an agent host", example: "/home/ana/.codex/auth.json" },
  { path: ".gemini/**", write: permissions, what: "settings of an agent host", example: "/project/.gemini/settings.json" },
  { path: ".gemini/oauth_creds.json", write: permissions, read: secrets, what: "credentials of an agent host", example: "/home/ana/.gemini/oauth_creds.json" },
  { path: "opencode.json*", write: permissions, what: "settings of an agent host", example: "/project/opencode.jsonc" },
  { path: ".opencode/**", write: permissions, what: "settings of an agent host", example: "/project/.opencode/plugin/a.ts" },
  { path: ".config/opencode/**", write: permissions, what: "settings of an agent host", example: "/home/ana/.config/opencode/opencode.json" },
  { path: ".local/share/opencode/auth.json", write: permissions, read: secrets, what: "credentials of an agent host", example: "/home/ana/.local/share/opencode/auth.json" },
  { path: ".cursor/**", write: permissions, what: "settings of an agent host", example: "/project/.cursor/hooks.json" },
  { path: ".cursorrules", write: permissions, what: "settings of an agent host", example: "/project/.cursorrules" },
  { path: ".copilot/**", write: permissions, what: "settings of an agent host", example: "/home/ana/.copilot/hooks/a.json" },
  { path: ".github/hooks/**", write: permissions, what: "hooks of an agent host", example: "/project/.github/hooks/a.json" },
  { path: ".agents/plugins/**", write: permissions, what: "plugins of an agent host", example: "/home/ana/.agents/plugins/a/hooks/hooks.json" },
  { path: ".clinerules/**", write: permissions, what: "settings of an agent host", example: "/project/.clinerules/hooks/PreToolUse" },
  { path: ".vscode/settings.json", write: permissions, what: "settings of the editor", example: "/project/.vscode/settings.json" },
  { path: ".vscode/tasks.json", write: permissions, what: "settings of the editor", example: "/project/.vscode/tasks.json" },
  { path: ".vscode/launch.json", write: permissions, what: "settings of the editor", example: "/project/.vscode/launch.json" },
  { path: "*.code-workspace", write: permissions, what: "settings of the editor", example: "/project/a.code-workspace" },
  { path: "Code/User/**", write: permissions, what: "settings of the editor", example: "/home/ana/.config/Code/User/settings.json" },
  { path: ".devcontainer/**", write: permissions, what: "settings of the editor", example: "/project/.devcontainer/devcontainer.json" },
  { path: ".idea/workspace.xml", write: permissions, what: "settings of the editor", example: "/project/.idea/workspace.xml" },

  // What runs by itself: hooks of git, start-up files, services, timers.
  { path: ".git/**", write: permissions, except: "objects", what: "hooks and settings of git", example: "/project/.git/hooks/pre-commit" },
  ...GIT_HOOKS.map((name) => ({ path: `hooks/${name}`, write: permissions, leads: false, what: "hooks of git", example: `/data/a.git/hooks/${name}` }) as const),
  { path: ".gitconfig", write: permissions, what: "settings of git", example: "/home/ana/.gitconfig" },
  { path: ".config/git/**", write: permissions, what: "settings of git", example: "/home/ana/.config/git/config" },
  { path: ".husky/**", write: permissions, what: "hooks of git", example: "/project/.husky/pre-commit" },
  { path: ".pre-commit-config.yaml", write: permissions, what: "hooks of git", example: "/project/.pre-commit-config.yaml" },
  { path: "lefthook.yml", write: permissions, what: "hooks of git", example: "/project/lefthook.yml" },
  { path: "lefthook.yaml", write: permissions, what: "hooks of git", example: "/project/lefthook.yaml" },
  { path: ".envrc", write: permissions, read: secrets, what: "a shell start-up file", example: "/project/.envrc" },
  { path: ".bashrc", write: permissions, what: "a shell start-up file", example: "/home/ana/.bashrc" },
  { path: ".bash_*", write: permissions, what: "a shell start-up file", example: "/home/ana/.bash_profile" },
  { path: ".profile", write: permissions, what: "a shell start-up file", example: "/home/ana/.profile" },
  { path: ".cshrc", write: permissions, what: "a shell start-up file", example: "/home/ana/.cshrc" },
  { path: ".tcshrc", write: permissions, what: "a shell start-up file", example: "/home/ana/.tcshrc" },
  { path: ".zshrc", write: permissions, what: "a shell start-up file", example: "/home/ana/.zshrc" },
  { path: ".zshenv", write: permissions, what: "a shell start-up file", example: "/home/ana/.zshenv" },
  { path: ".zprofile", write: permissions, what: "a shell start-up file", example: "/home/ana/.zprofile" },
  { path: ".zlog*", write: permissions, what: "a shell start-up file", example: "/home/ana/.zlogin" },
  { path: ".config/fish/**", write: permissions, what: "a shell start-up file", example: "/home/ana/.config/fish/config.fish" },
  { path: ".inputrc", write: permissions, what: "a shell start-up file", example: "/home/ana/.inputrc" },
  { path: ".vimrc", write: permissions, what: "an editor start-up file", example: "/home/ana/.vimrc" },
  { path: ".tmux.conf", write: permissions, what: "a shell start-up file", example: "/home/ana/.tmux.conf" },
  { path: "*_profile.ps1", write: permissions, what: "a shell start-up file", example: "/home/ana/.config/powershell/Microsoft.PowerShell_profile.ps1" },
  { path: "etc/profile.d/**", write: permissions, what: "a shell start-up file", example: "/etc/profile.d/a.sh" },
  { path: "etc/profile", write: permissions, what: "a shell start-up file", example: "/etc/profile" },
  { path: "etc/ld.so.preload", write: permissions, what: "what every program loads", example: "/etc/ld.so.preload" },
  { path: "etc/environment", write: permissions, what: "what every program inherits", example: "/etc/environment" },
  { path: "etc/sudoers", write: permissions, what: "who may act as root", example: "/etc/sudoers" },
  { path: "etc/sudoers.d/**", write: permissions, what: "who may act as root", example: "/etc/sudoers.d/ana" },
  { path: "etc/passwd", write: permissions, what: "who may sign in", example: "/etc/passwd" },
  { path: "etc/group", write: permissions, what: "who may sign in", example: "/etc/group" },
  { path: "etc/shadow*", write: permissions, read: secrets, what: "who may sign in", example: "/etc/shadow" },
  { path: "etc/pam.d/**", write: permissions, what: "who may sign in", example: "/etc/pam.d/sshd" },
  { path: "etc/ssh/**", write: permissions, what: "who may sign in", example: "/etc/ssh/sshd_config" },
  { path: "etc/hosts", write: permissions, what: "where names lead", example: "/etc/hosts" },
  { path: "etc/systemd/**", write: permissions, what: "a service", example: "/etc/systemd/system/a.service" },
  { path: ".config/systemd/**", write: permissions, what: "a service", example: "/home/ana/.config/systemd/user/a.service" },
  { path: ".config/autostart/**", write: permissions, what: "a service", example: "/home/ana/.config/autostart/a.desktop" },
  { path: "Library/LaunchAgents/**", write: permissions, what: "a service", example: "/Users/ana/Library/LaunchAgents/a.plist" },
  { path: "Library/LaunchDaemons/**", write: permissions, what: "a service", example: "/Library/LaunchDaemons/a.plist" },
  { path: "etc/cron*/**", write: permissions, what: "a timer", example: "/etc/cron.d/a" },
  { path: "etc/crontab", write: permissions, what: "a timer", example: "/etc/crontab" },
  { path: "var/spool/cron/**", write: permissions, what: "a timer", example: "/var/spool/cron/crontabs/ana" },

  // Keys and credentials.
  { path: ".ssh/**", write: permissions, read: secrets, not: "known_hosts", what: "keys", example: "/home/ana/.ssh/id_ed25519" },
  { path: ".ssh/known_hosts", write: permissions, what: "keys", example: "/home/ana/.ssh/known_hosts" },
  { path: ".gnupg/**", write: permissions, read: secrets, what: "keys", example: "/home/ana/.gnupg/secring.gpg" },
  { path: "*.pem", write: permissions, read: secrets, what: "a key", example: "/project/server.pem" },
  { path: "*.p12", write: permissions, read: secrets, what: "a key", example: "/project/server.p12" },
  { path: "*.pfx", write: permissions, read: secrets, what: "a key", example: "/project/server.pfx" },
  { path: "*.key", write: permissions, read: secrets, what: "a key", example: "/project/server.key" },
  { path: "*.keystore", write: permissions, read: secrets, what: "a key", example: "/project/app.keystore" },
  { path: "*.jks", write: permissions, read: secrets, what: "a key", example: "/project/app.jks" },
  { path: "*.kdbx", write: permissions, read: secrets, what: "credentials", example: "/home/ana/a.kdbx" },
  { path: "id_rsa", write: permissions, read: secrets, what: "a key", example: "/backup/id_rsa" },
  { path: "id_ed25519", write: permissions, read: secrets, what: "a key", example: "/backup/id_ed25519" },
  { path: "id_ecdsa", write: permissions, read: secrets, what: "a key", example: "/backup/id_ecdsa" },
  { path: ".env", read: secrets, what: "credentials", example: "/project/.env" },
  { path: ".env.*", read: secrets, not: ".env.example .env.sample .env.template .env.dist", what: "credentials", example: "/project/.env.production" },
  { path: ".netrc", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.netrc" },
  { path: ".npmrc", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.npmrc" },
  { path: ".pypirc", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.pypirc" },
  { path: ".git-credentials", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.git-credentials" },
  { path: ".pgpass", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.pgpass" },
  { path: ".my.cnf", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.my.cnf" },
  { path: ".aws/**", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.aws/credentials" },
  { path: ".azure/**", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.azure/accessTokens.json" },
  { path: ".config/gcloud/**", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.config/gcloud/credentials.db" },
  { path: ".config/gh/**", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.config/gh/hosts.yml" },
  { path: ".kube/**", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.kube/config" },
  { path: ".docker/config.json", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.docker/config.json" },
  { path: ".terraform.d/credentials*", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.terraform.d/credentials.tfrc.json" },
  { path: ".vault-token", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.vault-token" },
  { path: ".cargo/credentials*", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.cargo/credentials.toml" },
  { path: ".password-store/**", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.password-store/a.gpg" },
  { path: "Library/Keychains/**", write: permissions, read: secrets, what: "credentials", example: "/Users/ana/Library/Keychains/login.keychain-db" },
  { path: ".local/share/keyrings/**", write: permissions, read: secrets, what: "credentials", example: "/home/ana/.local/share/keyrings/login.keyring" },
  { path: "credentials.json", write: permissions, read: secrets, what: "credentials", example: "/project/credentials.json" },
  { path: "service-account*.json", write: permissions, read: secrets, what: "credentials", example: "/project/service-account-prod.json" },
  { path: "Cookies", read: secrets, what: "credentials of a browser", example: "/home/ana/.config/chromium/Default/Cookies" },
  { path: "Login Data", read: secrets, what: "credentials of a browser", example: "/home/ana/.config/chromium/Default/Login Data" },
  { path: "logins.json", read: secrets, what: "credentials of a browser", example: "/home/ana/.mozilla/firefox/a/logins.json" },
  { path: "proc/*/environ", read: secrets, what: "the variables of a process", example: "/proc/self/environ" },
  { path: "proc/*/task/*/environ", read: secrets, what: "the variables of a process", example: "/proc/self/task/1/environ" },
  { path: "run/secrets/**", read: secrets, what: "credentials", example: "/run/secrets/db" },
  { path: "docker.sock", write: permissions, read: secrets, what: "command over the machine", example: "/var/run/docker.sock" },

  // What builds and ships.
  { path: ".github/workflows/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.github/workflows/ci.yml" },
  { path: ".github/actions/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.github/actions/a/action.yml" },
  { path: ".gitea/workflows/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.gitea/workflows/ci.yml" },
  { path: ".forgejo/workflows/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.forgejo/workflows/ci.yml" },
  { path: ".gitlab-ci.yml", write: deploy, what: "a build that runs elsewhere", example: "/project/.gitlab-ci.yml" },
  { path: ".gitlab/ci/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.gitlab/ci/a.yml" },
  { path: ".circleci/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.circleci/config.yml" },
  { path: ".buildkite/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.buildkite/pipeline.yml" },
  { path: ".woodpecker/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.woodpecker/a.yml" },
  { path: ".drone.yml", write: deploy, what: "a build that runs elsewhere", example: "/project/.drone.yml" },
  { path: ".travis.yml", write: deploy, what: "a build that runs elsewhere", example: "/project/.travis.yml" },
  { path: ".ci/**", write: deploy, what: "a build that runs elsewhere", example: "/project/.ci/run" },
  { path: "Jenkinsfile", write: deploy, what: "a build that runs elsewhere", example: "/project/Jenkinsfile" },
  { path: "azure-pipelines.yml", write: deploy, what: "a build that runs elsewhere", example: "/project/azure-pipelines.yml" },
  { path: "bitbucket-pipelines.yml", write: deploy, what: "a build that runs elsewhere", example: "/project/bitbucket-pipelines.yml" },
  { path: "cloudbuild.yaml", write: deploy, what: "a build that runs elsewhere", example: "/project/cloudbuild.yaml" },
  { path: "appveyor.yml", write: deploy, what: "a build that runs elsewhere", example: "/project/appveyor.yml" },
];
