// More of the same files, by the rarer names that programs give them: data only, in the lists of `protected-more.ts`.

/** Files in which programs keep what they sign in with. */
// biome-ignore format: many names a line
export const OTHER_CREDENTIALS: readonly string[] = [
  // In a home.
  ".azd/**", ".linodecli/**", ".config/ovhcloud/**", ".config/civo.json", ".config/shopify-cli-kit-nodejs/**",
  ".smbcred*", ".smbcredentials*", ".mailrc", ".nullmailer/**", ".acme.sh/**", ".lego/**", ".config/chezmoi/key.txt",
  ".config/rage/**", ".gnome2/keyrings/**", ".cache/rbw/**", ".config/lpass/**", ".w3m/cookie", ".lynx_cookies",
  ".config/berg-cli/**", ".local/share/forgejo-cli/**", ".config/forgejo-cli/**", ".git-credential-cache/**", ".hgrc",
  ".bazaar/authentication.conf", ".config/breezy/authentication.conf", ".fossil", ".reviewboardrc", ".src-config.json", ".yarnrc", ".bunfig.toml", ".gradle/init.gradle",
  ".gradle/init.d/**", ".sbt/**", ".lein/**", ".cabal/config", ".hackage/**", ".opam/plugins/**",
  ".julia/servers/**", ".Renviron", ".config/rsconnect/**", ".config/R/rsconnect/**", ".databricks/**", ".bigqueryrc",
  ".mongorc.js", ".config/mongodb-atlas-cli/**", ".config/atlascli/**", ".rediscli_auth", ".copilot/config.json",
  ".gemini/google_accounts.json", ".local/share/opencode/*.json", ".cursor/cli-config.json",
  ".codeium/windsurf/mcp_config.json", ".sourcery/**", ".factory/auth.*", ".local/share/kiro-cli/**",
  ".config/vastai/**", ".rclone.conf", ".dropbox_uploader", ".gdrive/**", ".config/gdrive3/**", ".config/onedrive/**",
  ".megarc", ".lftprc", ".config/tigervnc/**", ".Xauthority", ".ICEauthority", ".pulse-cookie", ".config/pulse/cookie",
  ".rhosts", ".shosts", ".config/vdirsyncer/**", ".config/davmail.properties", ".davmail.properties",
  ".gcalcli_oauth", ".local/share/gcalcli/**", ".config/tut/**", ".config/youtube-dl/**", ".config/yt-dlp/**",
  ".config/streamlink/**", ".config/Insomnia/**", ".config/Bruno/**", ".config/xh/**", ".evans.toml",
  ".vagrant.d/insecure_private_key", ".buildkite/config.json", ".semgrep/settings.yml", ".local/state/nvim/shada/**",
  ".local/share/mcfly/**", ".starknet_accounts/**", ".ipfs/config", ".config/deluge/**",
  ".config/transmission-daemon/**", ".config/qBittorrent/**", ".config/nzbget.conf", ".nzbget",
  ".homeassistant/.storage/**", ".platformio/appstate.json", ".arduino15/arduino-cli.yaml", ".particle/**",
  ".config/authenticator/**", ".2fa", ".totp", ".fastlane/**", ".1password/**", ".config/cf/**",
  ".elasticbeanstalk/config", ".serverlessrc", ".apollo/config.toml", ".config/rover/**", ".hasura/**", ".ghost/config",
  ".magento-cloud/**", ".platformsh/**", ".upsun-cli/**", ".terminus/**", ".acquia/**", ".wp-cli/config.yml",
  ".config/coderv2/**", ".coder/session", ".config/code-server/**", ".ipython/profile_default/security/**",
  ".config/google-drive-ocamlfuse/**", ".gdfuse/**", ".config/earthengine/**", ".cdsapirc", ".ecmwfapirc",
  ".urs_cookies", ".edlrc", ".planet.json", ".sentinelhub/**", ".config/sentinelhub/**", ".config/dvc/**",
  ".synapseConfig", ".ncbi/**", ".globus/**", ".irods/**", ".osfcli.config", ".tugboat", ".appcenter/**",
  ".config/atuin/**", ".remmina/**",
  // On a machine.
  "etc/credstore/**", "etc/credstore.encrypted/**", "var/mail/**", "var/spool/mail/**", "var/spool/cron/**",
  "etc/passwd-s3fs", "var/lib/sss/**", "var/lib/samba/private/**", "etc/samba/smbpasswd", "etc/cifs*",
  "etc/strongswan.d/**", "etc/nullmailer/**", "etc/dovecot/**", "etc/pip.conf", "etc/odbc.ini", "etc/hosts.equiv",
  "run/credentials/**", "etc/gitlab/**", "run/cloud-init/**", "var/lib/waagent/**", "var/backups/shadow*", "var/backups/gshadow*",
  "etc/aws/**", "etc/apt/auth.conf", "etc/apt/auth.conf.d/**", "etc/rhsm/**", "etc/freeradius/**", "etc/raddb/**",
  "etc/asterisk/**", "etc/libnss-ldap.secret", "etc/nslcd.conf", "etc/dnssec/**", "etc/zerotier/**",
  "etc/cups/printers.conf", "etc/netplan/**", "etc/vault.d/**", "etc/consul.d/**", "etc/nomad.d/**",
  "etc/teleport.yaml", "x509up_*",
];

/** Named alike wherever they lie; writing them is ordinary work. */
// biome-ignore format: many names a line
export const OTHER_CREDENTIAL_NAMES: readonly string[] = [
  "*.tfvars", "keystore.properties", "key.properties", "profiles.yml", "http-client.private.env.json", ".kamal/secrets*",
  ".*.vars", ".act.secrets", "LocalSettings.php", "settings.local.php", "local_settings.py", "app/etc/env.php",
  "connectionStrings.config", "application-prod.*", ".ftp-deploy.json", "deployment-config.json", "robomongo.json",
  ".rsyncd.secrets", "proftpdpasswd", "filezilla.xml", "sitemanager.xml", "recentservers.xml", "WebServers.xml",
  "dbeaver-data-sources.xml", ".idea/dataSources*.xml", "otr.private_key", "*.private_key", "BapSshPublisherPlugin.xml",
  "*.BapSshPublisherPlugin.xml", "hudson.util.Secret", "knife.rb", "secret_token.rb", "*.1pux", "private.asc",
  "*_private.asc", "*.secret", "*.credentials", "*_credentials", "initial_root_password", "initialAdminPassword",
  ".secrets.*", ".git/credentials", "gha-creds-*.json", "rclone.conf", "*credentials.csv", "*accessKeys.csv", "*_token.txt",
  "app_local.php", "settings-security.xml", ".encore/secrets*", ".env_*", ".dev.vars.*",
];

/** Instructions that agents read and follow, and what limits what they see. */
// biome-ignore format: many names a line
export const OTHER_AGENTS: readonly string[] = [
  ".rulesync/**", "rulesync.jsonc", "firebender.json", ".firebender/**", ".vibe/**", ".gitlab/duo/**", ".emdash.json",
  ".swarm.yml", "claude-swarm.yml", "forge.yaml", ".cursorignore", ".cursorindexingignore", ".codeiumignore",
  ".clineignore", ".rooignore", ".kilocodeignore", ".aiderignore", ".aiignore", ".aiexclude", ".crushignore",
  ".augmentignore", ".geminiignore", ".claudeignore", ".copilotignore", ".continueignore", ".qwenignore",
  ".opencodeignore", ".gooseignore", ".traeignore", ".llmignore", ".ai-ignore",
];

/** What editors start when a folder is opened. */
// biome-ignore format: many names a line
export const OTHER_EDITORS: readonly string[] = [
  "_exrc", "_vimrc", "_gvimrc", ".vimlocal", ".tern-project", "Eldev", "Eask", "Cask", ".factorypath",
  "CMakeSettings.json", ".luarc.json", ".luarc.jsonc", ".merlin", "radare2rc", ".gef.rc", "*-gdb.py", "*-gdb.gdb",
  "*-gdb.scm", ".quokka", "wallaby.*",
];

/** What shells and programs on a terminal obey. */
// biome-ignore format: many names a line
export const OTHER_SHELLS: readonly string[] = [
  ".login", ".autoenv*", ".shadowenv.d/**", ".config/mpv/**", ".config/bat/**", ".hammerspoon/**", ".perfconfig",
  "ripgreprc", ".ctags", ".ctags.d/**", "ctags.d/**", ".gutctags", "gtags.conf", ".tmuxinator.*", ".tmuxp.*",
  ".teamocil.yml", ".sesh.toml", ".smug.yml", ".vault", ".erlang", ".sage/**", ".luacov", ".teller.yml",
  ".sops.yaml", ".chezmoi*", ".chezmoiscripts/**", "run_once_*", "run_onchange_*", "install.conf.yaml",
];

/** Settings of other systems of versions, and what they run. */
// biome-ignore format: many names a line
export const OTHER_HOOKS: readonly string[] = [
  ".nano-staged.*", "nano-staged.*", ".svn/**", ".fossil-settings/**", "CVS/Root", "CVS/Entries", "CVS/Repository", ".p4config", ".arcconfig", ".arclint",
  ".gclient", ".gn", ".repo/**", ".gitreview", ".sl/**", ".mrconfig", ".west/**", "west.yml", ".lazygit.yml",
  ".gitchangelog.*", "cliff.toml", ".cliff.toml", "cog.toml",
];

/** What builds, tests and the tools of a project run or load. */
// biome-ignore format: many names a line
export const OTHER_BUILDS: readonly string[] = [
  // Which programs a folder works with.
  "mise-tasks/**", ".mise-tasks/**", "devshell.toml", "treefmt.toml", ".treefmt.toml", "dprint.json", "dprint.jsonc",
  ".dprint.json", ".dvmrc", ".fvm/**", "aqua.yaml", "aqua.yml", ".aqua.yaml", ".aqua/**", "spack.yaml", "manifest.scm",
  ".guix-channel", "hermit.hcl", "bin/activate-hermit", ".env.schema", "node.config.json", "lean-toolchain",
  // C and the tools around make.
  "BSDmakefile", "Makevars", "Makevars.*", "configure.in", "configure.win", "configure.ucrt", "acinclude.m4",
  "aclocal.m4", "config.status", ".qmake.conf", ".qmake.stash", "default.do", "all.do", "Config.in", "Android.bp",
  "genie.lua", "conf/local.conf", "conf/bblayers.conf", "conf/layer.conf", "site_scons/**", "waf", "Doxyfile",
  "Doxyfile.*", "doxygen.cfg",
  // The virtual machine of Java, .NET and their kin.
  ".pants.rc", ".pants.bootstrap", "local.properties", ".mavenrc", ".antrc", ".sbtrc", ".mill-opts", ".mill-jvm-opts",
  "millw", ".nrepl.edn", "user.clj", "data_readers.clj", "*proj.user", "packages.lock.json", "launchSettings.json",
  ".nuke/**", "psakefile.ps1", "PSScriptAnalyzerSettings.psd1",
  // JavaScript.
  "Tauri.toml", "constraints.pro", ".pnp.*", "webpack.mix.*", "mocha.opts", "jasmine.json", "codecept.conf.*",
  "cucumber.js", "cucumber.cjs", "cucumber.mjs", "cucumber.json", "cucumber.yml", "cucumber.yaml", "Brocfile.*",
  "quasar.conf.*", "gulpfile.js/**", ".markdownlint-cli2.*", "cspell.*", ".cspell.*", "lighthouserc.*", "codegen.*", "*.config.tsx", "*.config.jsx", "_plugins/**", "config/_default/**", "antora-playbook.*",
  "typedoc.json", "jsdoc.json", "jsdoc.conf.json", "esdoc.json", ".esdoc.json", "adonisrc.*", "nest-cli.json",
  ".meteor/**", "tslint.json", "stryker.*", "backstop.json", "sanity.cli.*", "medusa-config.*", "dangerfile.*",
  // Python.
  "toxfile.py", "pyvenv.cfg", "*._pth", "*.pyc", "pip.conf", "pip.ini", ".pdm-plugins/**", "conda-lock.yml",
  "anaconda-project.*", "recipe/meta.yaml", "recipe/recipe.yaml", "airflow.cfg", "alembic.ini", "alembic/env.py",
  "migrations/env.py", "packages.yml", "myst.yml", "jupyter_config.*", "jupyter_notebook_config.*",
  "jupyter_server_config.*", "jupyter_lab_config.*", "jupyterhub_config.*", "jupyter_nbconvert_config.*", "ipython_config.py", "ipython_kernel_config.py",
  "kernel.json", "locustfile.py", "locust.conf", "gunicorn.conf.py", "uwsgi.ini", "circus.ini", "celeryconfig.py",
  "scrapy.cfg", "bumpversion.cfg", ".bumpversion.*", "hooks/pre_gen_project.*", "hooks/post_gen_project.*",
  "hooks/pre_prompt.*", "copier.yml", "copier.yaml", "cibuildwheel.toml", "zappa_settings.*", ".tox/**", ".nox/**",
  "_config.yml", "_bookdown.yml",
  // Ruby and PHP.
  ".bundle/**", ".rubocop_todo.yml", ".rubocop", ".erb_lint.yml", ".slim-lint.yml", ".yardopts", ".mutant.yml",
  ".autotest", ".watchr", "config/deploy.rb", "*.thor", ".fixtures.yml", "tapioca/require.rb", "phpstan.*",
  "phpstan-*", ".phan/**", "phpcs.xml", "phpcs.xml.dist", ".phpcs.xml", ".phpcs.xml.dist", "Envoy.blade.php",
  "behat.yml", "behat.yaml", "behat.php", "behat.yml.dist", "behat.yaml.dist", "codeception.yml",
  "codeception.dist.yml", "Pest.php", "phpbench.json", "phpbench.json.dist", "deptrac.*", "monorepo-builder.php",
  "scoper.inc.php", "vendor/bin/**",
  // Other languages.
  "Setup.lhs", "esy.json", "bsconfig.json", "rescript.json", "Emakefile", "relx.config", "config.ld", "_targets.yaml",
  "_drake.R", ".lintr", "Project.toml", "Manifest.toml", ".packages", ".dart_tool/**", "Tuist.swift", "nimble.lock",
  "dub.selections.json", "info.rkt", "*_rkt.zo", "*.asd", "pkgIndex.tcl", "tclIndex", "startup.m", "_CoqProject",
  "lakefile.*", "lake-manifest.json", "LatexMk", "texmf.cnf", "araraconfig.yaml", "Tectonic.toml", "project.godot",
  "Assets/Editor/**", "Packages/manifest.json", "*.uproject", "game.project",
  // What watches, lints and starts.
  "prototool.yaml", ".protolint.yaml", "reflex.conf", ".trunk/**", ".mega-linter.yml", ".qlty/**", ".codeclimate.yml",
  ".restyled.yaml", "podman-compose.*", "helmfile.*", "terragrunt.*", ".terraformrc", "terraform.rc",
  "filter_plugins/**", "callback_plugins/**", "action_plugins/**", "vars_plugins/**", "lookup_plugins/**",
  "connection_plugins/**", "inventory_plugins/**", "strategy_plugins/**",
];

/** What builds elsewhere, releases and packs. */
// biome-ignore format: many names a line
export const OTHER_SHIPPED: readonly string[] = [
  ".cloudbuild/**", ".tangled/**", ".onedev-buildspec.yml", ".shippable.yml", ".cds/**", "bamboo-specs/**",
  ".lgtm.yml", ".krew.yaml", ".evergreen.yml", "evergreen.yml", ".evergreen/**", "taskcluster/**", ".taskcluster.yml",
  "ci/*.yml", "ci/*.yaml", "ci/*.sh", ".werft/**", ".ado/**", "railpack.json", ".binder/**", "binder/postBuild",
  "binder/start", "goreleaser.*", "debian/**", "*.spec", "AppImageBuilder.*", "Formula/*.rb", "Casks/*.rb", "Portfile",
  "melange.yaml", "chocolateyInstall.ps1", "chocolateyUninstall.ps1", "*.nuspec",
];

/** A hidden script, and a hidden file by the name of a program: tools run the one and obey the other. */
// biome-ignore format: many names a line
export const HIDDEN_SETTINGS: readonly string[] = [
  ".*.js", ".*.cjs", ".*.mjs", ".*.ts", ".*.cts", ".*.mts", ".*.py", ".*.rb", ".*.php", ".*.lua", ".*.exs", ".*.R",
  ".*.pl", ".*.el", ".*.vim", ".*.star", ".*.kts", ".*.jsonnet", ".*.sh", ".*.bash", ".*.zsh", ".*.fish", ".*rc",
  ".*rc.json", ".*rc.json5", ".*rc.jsonc", ".*rc.yml", ".*rc.yaml", ".*rc.toml",
];

/** Of those, what only says how to read or to write text. */
export const HIDDEN_PLAIN =
  ".browserslistrc .jshintrc .htmlhintrc .markdownlintrc .markdownlintrc.json .csslintrc .jscpdrc .madgerc .dircolorsrc .d.ts .d.mts .d.cts";
