// Names of files that agents, editors, shells and git follow: data only. A pattern is as in `row.ts`.

/** Instructions, memories, skills and commands that agents read and follow. */
// biome-ignore format: many names a line
export const AGENTS: readonly string[] = [
  ".claude/rules/**", ".claude/memory/**", ".claude/prompts/**", ".claude/routines/**", "codex.md",
  ".openhands_instructions", ".openhands.md", ".devin/**", ".cognition/**", ".jules/**", "replit.md", ".bolt/**",
  ".lovable/**", ".v0/**", ".rules", ".aiassistant/**", "WARP.md", ".idx/airules.md", "QWEN.md", "CRUSH.md",
  "AGENT.md", ".agent.md", "AGENTS.local.md", ".amp/**", ".goose/**", "goosehints", ".roorules-*", ".clinerules-*",
  ".kilocoderules", ".kilocoderules-*", ".kilocodemodes", ".kilo/**", ".continuerules", ".continuerc.json",
  ".aider.model.settings.yml", ".aider.model.metadata.json", "CONVENTIONS.md", ".cody/**", ".sourcegraph/**",
  ".antigravity/**", ".agent/**", ".airules", ".ai-rules", ".ai-rules/**", ".prompts/**", "SKILL.md", ".skills/**",
  ".pi/**", ".mux/**", ".droid/**", ".gptme/**", "gptme.toml", ".plandex/**", ".plandex-v2/**", ".rovodev/**",
  ".forge/**", ".codebuff/**", "codebuff.json", ".bmad-core/**", ".specify/**", ".taskmaster/**", ".ruler/**",
  ".serena/**", ".claude-flow/**", ".letta/**", ".hermes/**", ".openclaw/**", "openclaw.json", ".clawith/**",
  ".clawdbot/**", "SOUL.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md", "USER.md", "BOOTSTRAP.md", "MEMORY.md",
  ".pr_agent.toml", ".coderabbit.yaml", ".coderabbit.yml", "sweep.yaml", "ellipsis.yaml", "greptile.json", ".qodo/**",
  ".qwen/**", ".github/chatmodes/**", ".github/skills/**", ".github/copilot/**", ".github/copilot-setup-steps.yml",
  ".devin.md", ".phoenix/rules/**", ".superdesign/**", ".iflow/**", "IFLOW.md", ".codebuddy/**", "CODEBUDDY.md",
  ".lingma/**", ".comate/**", ".marscode/**", ".trae-cn/**", ".qoder/**", ".zencoder/**", ".bito/**", ".void/**",
  ".pearai/**", ".melty/**", ".aide/**", ".refact/**", ".tabby/**", ".supermaven/**", ".sweep/**", ".mentat/**",
  ".mentat_config.json", ".autogpt/**", ".crewai/**", ".dspy/**", ".langgraph/**", "langgraph.json", ".mastra/**",
  ".eliza/**", ".superagi/**", ".swarm/**", ".mistral/**", "vibe.toml", ".grok/**", "GROK.md", ".deepagents/**",
  ".stakpak/**", ".kode/**", ".emdash/**", ".sculptor/**", ".conductor/**", "conductor.json", ".vibe-kanban/**",
  ".container-use/**", ".crystal/**", ".worktreeinclude", ".cursor-worktrees.json", "cursor-worktrees.json",
  ".factory-plugin/**",
  // Rarer ones.
  ".rulesync/**", "rulesync.jsonc", "firebender.json", ".firebender/**", ".vibe/**", ".gitlab/duo/**", ".emdash.json",
  ".swarm.yml", "claude-swarm.yml", "forge.yaml", ".cursorignore", ".cursorindexingignore", ".codeiumignore",
  ".clineignore", ".rooignore", ".kilocodeignore", ".aiderignore", ".aiignore", ".aiexclude", ".crushignore",
  ".augmentignore", ".geminiignore", ".claudeignore", ".copilotignore", ".continueignore", ".qwenignore",
  ".opencodeignore", ".gooseignore", ".traeignore", ".llmignore", ".ai-ignore",
];

/** Settings of agents and of the machines they work on: servers, hooks, set-up scripts. */
// biome-ignore format: many names a line
export const AGENT_HOSTS: readonly string[] = [
  ".crush/**", "crush.json", ".config/zed/**", ".zed/**", ".claude/scripts/**", ".claude/mcp*.json",
  ".claude/statusline*", ".claude/launch.json", ".claude/workflows/**", ".claude/keybindings.json",
  ".claude-plugin/**", ".codex-plugin/**", ".cursor-plugin/**", "gemini-extension.json", "cline_mcp_settings.json",
  "mcp_settings.json", "mcp_config.json", "mcp-config.json", "mcp.config.json", "mcp_servers.json", "mcp-servers.json",
  "mcp-server.json", "mcp.yaml", "mcp.yml", "mcp.toml", "fastmcp.json", "smithery.yaml", ".mcp/**", ".mcp.local.json",
  ".lsp.json", "hooks/hooks.json", ".config/io.datasette.llm/**", ".aider.conf.yaml", ".aider/**", ".config/kilo/**",
  "kilo.json", "kilo.jsonc", ".config/opencode.json", ".idx/**", ".replit", "replit.nix", ".gitpod.yml",
  ".gitpod.Dockerfile", ".gitpod/**", "devfile.yaml", ".devfile.yaml", ".codesandbox/**", "sandbox.config.json",
  ".stackblitzrc", ".ona/**", ".daytona/**", ".coder/**", ".codeocean/**", ".codespaces/**", ".config/continue/**",
  ".amazonq.json", ".config/kiro/**", ".github/lsp.json", ".github/extensions/**",
];

/** Settings with which editors and debuggers start programs when a folder or a file is opened. */
// biome-ignore format: many names a line
export const EDITORS: readonly string[] = [
  ".vscode/**", ".vscode-test/**", ".vscode-insiders/**", ".vscode-server/**", ".config/VSCodium/User/**",
  ".config/Cursor/User/**", ".config/Windsurf/User/**", "Library/Application Support/Code/User/**",
  "Library/Application Support/Cursor/User/**", "Library/Application Support/Zed/**", ".idea/**", ".fleet/**",
  ".vs/**", ".nova/**", ".theia/**", ".helix/**", ".config/helix/**", ".kakrc", ".config/kak/**", ".micro/**",
  ".config/micro/**", "*.sublime-project", "*.sublime-build", "*.sublime-settings", "*.sublime-workspace",
  ".config/sublime-text/**", ".config/sublime-text-3/**", ".nvim/**", ".lazy.lua", ".neoconf.json",
  ".nlsp-settings/**", "coc-settings.json", ".vimspector.json", ".local.vimrc", ".vimrc.local", ".gvimrc",
  ".ideavimrc", ".vsvimrc", ".projections.json", ".ycm_extra_conf.py", ".clangd", ".ccls", ".pyre_configuration",
  "pyrightconfig.json", ".metals/**", ".bsp/**", ".bloop/**", ".project", ".cproject", ".externalToolBuilders/**",
  "*.launch", "nbproject/**", "*.iml", "*.ipr", ".projectile", ".dir-locals-2.el", ".emacs.el", "early-init.el",
  ".spacemacs", ".spacemacs.d/**", ".doom.d/**", ".config/doom/**", ".config/emacs/**", ".nanorc", ".joerc",
  ".lesskey", ".lessfilter", ".config/lesskey", "gdbinit", ".gdbearlyinit", ".config/gdb/**", ".lldbinit-*",
  ".cgdb/**", ".radare2rc", ".config/radare2/**", ".r2rc", ".ghidra/**", "omnisharp.json", ".jupyter_config/**",
  "tasks.vs.json", "launch.vs.json", ".run.json", ".eclipse/**", ".codelite/**", ".kdev4/**", "*.kdev4",
  ".kateproject", ".kateconfig", ".geany", "*.geany", ".lite/**", ".lapce/**", ".pulsar/**", ".atom/**",
  ".brackets.json", ".config/Code - OSS/**", ".lvimrc.lua", ".exrc.lua", ".elpaca/**",
  // Rarer ones.
  ".less", "_exrc", "_vimrc", "_gvimrc", ".vimlocal", ".tern-project", "Eldev", "Eask", "Cask", ".factorypath",
  "CMakeSettings.json", ".luarc.json", ".luarc.jsonc", ".merlin", "radare2rc", ".gef.rc", "*-gdb.py", "*-gdb.gdb",
  "*-gdb.scm", ".quokka", "wallaby.*",
  // Language servers start programs that these name, or evaluate them, as soon as a file of the project is open.
  ".ropeproject/**", ".jedi/**", ".lsp/config.edn", "buildServer.json", ".sourcekit-lsp/**",
  "rust-analyzer.toml", ".rust-analyzer.toml", "rust-project.json", "hie.yaml", "Session.vim",
];

/** What shells, terminals, window managers and interpreters read when they start, and programs found by name. */
// biome-ignore format: many names a line
export const SHELLS: readonly string[] = [
  ".kshrc", ".mkshrc", ".yashrc", ".zshrc.local", ".zshrc.d/**", ".bashrc.d/**", ".bashrc.local", ".profile.d/**",
  ".zsh/**", ".config/zsh/**", ".oh-my-zsh/**", ".oh-my-bash/**", ".bash_it/**", ".zinit/**", ".antigen/**",
  ".zplug/**", ".prezto/**", ".zpreztorc", ".p10k.zsh", ".config/bash/**", ".config/nushell/**", ".config/elvish/**",
  ".elvish/**", ".xonshrc", ".config/xonsh/**", ".xonsh/**", ".config/powershell/**", "profile.ps1",
  ".config/starship.toml", ".config/kitty/**", ".config/alacritty/**", ".alacritty.toml", ".alacritty.yml",
  ".wezterm.lua", ".config/wezterm/**", ".config/ghostty/**", ".config/foot/**", ".config/tmux/**", ".tmux.conf.local",
  ".tmux/**", ".byobu/**", ".tmuxinator/**", ".tmuxp/**", ".tmuxp.yaml", ".tmuxinator.yml", ".config/zellij/**",
  ".xinitrc", ".xserverrc", ".xsession", ".xsessionrc", ".xprofile", ".Xresources", ".Xdefaults", ".config/i3/**",
  ".i3/**", ".config/sway/**", ".config/hypr/**", ".config/awesome/**", ".config/bspwm/**", ".config/sxhkd/**",
  ".xbindkeysrc", ".config/openbox/**", ".config/qtile/**", ".config/polybar/**", ".config/waybar/**", ".forward",
  ".qmail", ".procmailrc", ".mailcap", ".maildroprc", ".config/environment.d/**", ".pam_environment",
  ".local/share/applications/**", ".local/share/systemd/**", ".local/share/dbus-1/**", ".local/bin/**",
  ".cargo/bin/**", ".cargo/env", ".deno/bin/**", ".bun/bin/**", ".volta/bin/**", ".nvm/**", ".asdf/**", ".asdfrc",
  ".rbenv/**", ".pyenv/**", ".nodenv/**", ".goenv/**", ".jenv/**", ".tfenv/**", ".sdkman/**", ".rustup/**",
  ".local/share/mise/**", ".local/share/uv/**", ".local/share/pipx/**", ".local/share/fnm/**",
  ".local/share/virtualenvs/**", ".npm-global/**", "go/bin/**", ".cshrc.local", ".envrc.*", ".direnvrc",
  ".config/direnv/**", ".shellrc", ".bash.d/**", ".config/user-dirs.dirs", ".selected_editor", ".perldb", ".pythonrc",
  ".pythonrc.py", ".pystartup", ".ipython/**", ".config/ipython/**", ".ptpython/**", ".config/ptpython/**", ".bpython",
  ".config/bpython/**", ".noderc", ".replrc", ".jline.rc", ".inputrc.d/**", ".haskeline", ".dbxrc", ".mysqlrc",
  ".duckdbrc", ".utoprc", ".sbclrc", ".clisprc", ".lisprc", ".guile", ".racketrc", ".config/racket/**", ".ammonite/**",
  ".jshellrc", ".scalarc", ".julia/config/**", ".octaverc", ".gnuplot", ".gnuplotrc", ".maxima/**", ".sagerc",
  ".matplotlib/**", ".ackrc", ".gitconfig.*", ".gitconfig.local", ".gitattributes_global", ".config/lazygit/**",
  ".tigrc", ".config/tig/**", ".config/delta/**", ".sshrc", ".config/sshrc", ".ansible.cfg", ".config/yazi/**",
  ".config/ranger/**", ".config/lf/**", ".config/vifm/**", ".config/mc/**", ".config/nnn/**", ".config/aria2/**",
  ".aria2/**", ".config/curlrc", ".ExifTool_config", ".manpath", ".magick/**", ".config/ImageMagick/**",
  ".config/sqlite3/**", ".config/neofetch/**", ".config/jj/**", "clickhouse-client.xml", ".clickhouse-client/**",
  ".corepack.env",
  // Rarer ones.
  ".logout", ".juliarc.jl", ".local/share/bash-completion/**", ".bash_completion.d/**", ".local/share/zsh/**",
  ".login", ".autoenv*", ".shadowenv.d/**", ".config/mpv/**", ".config/bat/**", ".hammerspoon/**", ".perfconfig",
  "ripgreprc", ".ctags", ".ctags.d/**", "ctags.d/**", ".gutctags", "gtags.conf", ".tmuxinator.*", ".tmuxp.*",
  ".teamocil.yml", ".sesh.toml", ".smug.yml", ".vault", ".erlang", ".sage/**", ".luacov", ".teller.yml",
  ".docker/cli-plugins/**", ".local/share/nvim/**", ".local/share/fish/**", ".zfunc/**", ".config/plasma-workspace/**",
  ".xsession.d/**", ".terraform.d/**", ".config/pulse/**", ".config/containers/**",
  ".direnv/*.rc", ".direnv/bin/**", ".RData", "bin/activate-hermit",
  ".sops.yaml", ".chezmoi*", ".chezmoiscripts/**", "run_once_*", "run_onchange_*", "install.conf.yaml",
];

/** Hooks of git outside of `.git`, and settings of other version control systems. */
// biome-ignore format: many names a line
export const HOOKS: readonly string[] = [
  ".githooks/**", "githooks/**", ".git-hooks/**", "git-hooks/**", ".hooks/**", "scripts/hooks/**",
  "scripts/git-hooks/**", "tools/hooks/**", "tools/git-hooks/**", ".config/hooks/**", "dev/hooks/**",
  "hack/git-hooks/**", ".lefthook/**", ".lefthook-local/**", "lefthook-local.yaml", "lefthook-local.toml",
  "lefthook-local.json", "lefthook.json", ".lefthook.yaml", ".lefthook.toml", ".lefthook.json", ".lefthook-local.yml",
  ".lefthookrc", ".pre-commit-config.yml", ".pre-commit-hooks.yaml", "prek.toml", ".rusty-hook.toml", ".huskyrc.*",
  "husky.config.js", ".husky.js", ".simple-git-hooks.*", "simple-git-hooks.cjs", "captainhook.json", ".captainhook/**",
  "grumphp.yml", "grumphp.yml.dist", ".overcommit.local.yml", ".git-hooks.json", ".cargo-husky/**", "hk.pkl",
  "hk.local.pkl", ".hk/**", "lefthook.jsonc", ".lefthook.jsonc",
  ".yorkie/**", ".ghooks.js", ".git-format-staged", ".pre-push", ".pre-commit", ".commit-msg", ".gitconfig.project",
  ".gitconfig.shared", ".lfsconfig", ".commitlintrc", ".commitlintrc.*", ".czrc", ".cz.json", ".cz.toml", ".cz.yaml",
  ".versionrc", ".versionrc.*", ".bzr/**", ".fslckout", "_darcs/**", ".pijul/**", ".breezy/**", ".hgsub",
  ".hgsubstate",
  // Rarer ones.
  ".nano-staged.*", "nano-staged.*", ".svn/**", ".fossil-settings/**", "CVS/Root", "CVS/Entries", "CVS/Repository", ".p4config", ".arcconfig", ".arclint",
  ".gclient", ".gn", ".repo/**", ".gitreview", ".sl/**", ".mrconfig", ".west/**", "west.yml", ".lazygit.yml",
  ".gitchangelog.*", "cliff.toml", ".cliff.toml", "cog.toml",
];
