import { patternOf } from "./facts.ts";
// Settings that programs look for in their folder and follow: data only.

import { NAMING, type Naming } from "./naming.ts";

/**
 * Who follows the settings. `content` is not a program: it stands for a folder that is copied or moved as a whole, with all
 * that is in it. `linter` stands for all programs that check or format code, `sqlite` for the files beside a database.
 */
export const OBEYING = [
  "git",
  "rust",
  "cargo",
  "go",
  "npm",
  "pnpm",
  "yarn",
  "terraform",
  "typescript",
  "dotnet",
  "hg",
  "jj",
  "ansible",
  "pdm",
  "serverless",
  "linter",
  "sqlite",
  "content",
  ...NAMING,
] as const;
export type Obeying = (typeof OBEYING)[number];

/** Every line of such a file, as `section.name=value`, either matches `mild` or may start a program. */
export type SettingsRow = {
  by: Exclude<Obeying, "git" | "content" | "typescript" | "sqlite" | Naming>;
  /** Searched in the folder and in every folder above it, separated by spaces. */
  files?: string;
  mild?: RegExp;
  /** Files and folders whose existence is enough: they contain programs. */
  present?: string;
  /** Files that the program opens, and whose lines it shows if it cannot parse them: none may be a link that leads elsewhere. */
  opens?: string;
  /** What names further files in those that it opens. If the pattern captures the name, a plain one inside the project is harmless. */
  names?: RegExp;
};

/** Programs that also follow the settings of others. */
export const OBEYS_TOO: { readonly [by in Obeying]?: readonly Obeying[] } = {
  cargo: ["rust"],
  go: ["git"],
  terraform: ["hcl"],
  pnpm: ["npm"],
  yarn: ["npm"],
};

// biome-ignore format: one line each
export const SETTINGS_ROWS: readonly SettingsRow[] = [
  // A name is a toolchain of the machine; `path` is a folder with programs.
  {
    by: "rust", files: "rust-toolchain rust-toolchain.toml",
    mild: /^(\[toolchain\]|[\w.-]+|toolchain\.(channel="[\w.-]+"|profile="\w+"|(components|targets)=\[[\w", -]*\]))$/,
  },
  {
    by: "cargo", files: ".cargo/config .cargo/config.toml",
    mild: patternOf(
      String.raw`^(\[[\w.'"-]+\]|(term\.(verbose|quiet|color|hyperlinks|unicode|progress\.\w+)|net\.(retry|offline)
      |http\.(timeout|multiplexing|check-revoke)|build\.(jobs|target|target-dir|incremental|dep-info-basedir)
      |profile\.[\w.-]+\.(opt-level|debug|lto|strip|panic|codegen-units|incremental|overflow-checks|debug-assertions
      |split-debuginfo|inherits|rpath)|future-incompat-report\.frequency|cache\.[\w-]+)=[\w."-]+)$`,
    ),
  },
  { by: "go", files: "go.mod go.work", mild: /^(?!.*toolchain).*$|^toolchain (default|go1[\d.]*(rc\d+|beta\d+)?)$/s },
  {
    by: "npm", files: ".npmrc",
    mild: patternOf(
      String.raw`^((@[\w.-]+:)?registry=https:\/\/[\w./:@-]+|\/\/[\w./:-]+:(_authToken|_auth|username|_password|email
      |always-auth)=.*|(save|save-exact|save-prefix|save-dev|engine-strict|legacy-peer-deps|strict-peer-deps
      |strict-peer-dependencies|auto-install-peers|dedupe-peer-dependents|fund|audit|audit-level|loglevel|package-lock
      |progress|color|update-notifier|shamefully-hoist|hoist|(public-)?hoist-pattern\[\]|node-linker
      |prefer-frozen-lockfile|prefer-workspace-packages|link-workspace-packages|save-workspace-protocol
      |shared-workspace-lockfile|resolution-mode|side-effects-cache|lockfile|enable-pre-post-scripts|provenance|access
      |tag-version-prefix|sign-git-tag|message|init-author-(name|email|url)|init-license|init-version|init-type
      |fetch-retries|fetch-timeout|fetch-retry-\w+|maxsockets|prefer-offline|prefer-dedupe|install-links|include|omit
      |production|ignore-scripts|always-auth|email|min-release-age|minimum-release-age|use-node-version)=[^$]*)$`,
    ),
  },
  // It may name another registry, from which corepack fetches the pnpm and yarn that it starts.
  { by: "npm", present: ".corepack.env" },
  // Before anything else pnpm runs the pnpmfile, and everything in `configDependencies`.
  {
    by: "pnpm", files: "pnpm-workspace.yaml", present: ".pnpmfile.cjs .pnpmfile.mjs pnpmfile.js",
    mild: patternOf(
      String.raw`^((packages|onlyBuiltDependencies|ignoredBuiltDependencies|publicHoistPattern):|- *['"]?[\w@./*!{},-]+['"]?
      |(shamefullyHoist|autoInstallPeers|strictPeerDependencies|linkWorkspacePackages|preferWorkspacePackages
      |nodeLinker|saveExact|savePrefix|engineStrict|minimumReleaseAge): *['"]?[\w.^~-]*['"]?)$`,
    ),
  },
  { by: "pnpm", files: "package.json", mild: /^(?!.*(configDependencies|pnpmfile|\\u)).*$/is },
  // `yarnPath` and plugins are programs of the project.
  {
    by: "yarn", files: ".yarnrc", present: ".pnp.cjs .pnp.js .pnp.loader.mjs",
    mild: patternOf(
      String.raw`^(lastUpdateCheck \d+|(save-prefix|save-exact|network-timeout|version-tag-prefix
      |ignore-engines) +['"]?[\w.^~]*['"]?)$`,
    ),
  },
  {
    by: "yarn", files: ".yarnrc.yml",
    mild: patternOf(
      String.raw`^(nodeLinker|enableTelemetry|enableGlobalCache|enableImmutableInstalls|enableScripts|enableProgressBars
      |compressionLevel|nmMode|nmHoistingLimits|checksumBehavior|defaultSemverRangePrefix|httpTimeout
      |npmMinimalAgeGate): *['"]?[\w.^~-]*['"]?$`,
    ),
  },
  { by: "terraform", present: ".terraform/providers .terraform/plugins terraform.d/plugins .terraformrc terraform.rc" },
  { by: "dotnet", files: "global.json", mild: /^(?!.*(paths|\\)).*$/is },
  { by: "hg", files: ".hg/hgrc .hg/hgrc-not-shared", mild: /^(\[(paths|ui)\]|paths\.[\w-]+=[\w./:@~-]+|ui\.username=.*)$/, present: ".hg/sharedpath" },
  {
    by: "jj", files: ".jj/repo/config.toml .jj/config.toml .jj/workspace-config.toml .jj/repo/workspace-config.toml",
    mild: /^(\[(user|revsets|revset-aliases)\]|user\.(name|email)="[^"\\]*")$/,
  },
  // Even `--version` starts the program that shows its banners.
  {
    by: "ansible", files: "ansible.cfg",
    mild: patternOf(
      String.raw`^(\[[\w-]+\]|defaults\.(inventory|remote_user|host_key_checking|retry_files_enabled|retry_files_save_path
      |roles_path|collections_paths?|interpreter_python|timeout|forks|gathering|fact_caching\w*|nocows
      |private_key_file|\w*warnings|force_color|nocolor|ansible_managed|stdout_callback|callbacks_enabled
      |callback_whitelist|display_\w+|any_errors_fatal|hash_behaviou?r|log_path|transport|jinja2_extensions|become\w*
      |ask_\w+|verbosity|poll_interval|internal_poll_interval|localhost_warning|result_format
      |bin_ansible_callbacks)=.*|(privilege_escalation|ssh_connection|persistent_connection|paramiko_connection
      |connection|diff|colors|galaxy|inventory|callback_\w+|selinux|tags)\.[\w-]+=.*)$`,
    ),
  },
  { by: "rust", opens: "rustfmt.toml .rustfmt.toml clippy.toml .clippy.toml" },
  { by: "cargo", opens: "Cargo.toml Cargo.lock" },
  { by: "go", opens: "go.mod go.work go.sum go.work.sum" },
  { by: "npm", opens: "package.json package-lock.json npm-shrinkwrap.json" },
  { by: "pnpm", opens: "pnpm-lock.yaml" },
  { by: "yarn", opens: "yarn.lock" },
  { by: "terraform", opens: ".terraform.lock.hcl terraform.tfvars", present: ".terraform/modules" },
  {
    by: "linter",
    opens:
      ".clang-format _clang-format .clang-format-ignore .isort.cfg setup.cfg tox.ini .bandit .editorconfig " +
      "deno.json deno.jsonc .yamllint .yamllint.yml .yamllint.yaml .hadolint.yaml .hadolint.yml .shellcheckrc " +
      ".ls-lint.yml typos.toml _typos.toml .typos.toml",
  },
  { by: "linter", opens: "ruff.toml .ruff.toml pyproject.toml", names: /\bextend["']?\s*=\s*(?:"([^"\\\n]*)"|'([^'\n]*)')?|\\u00/gi },
  { by: "linter", opens: "biome.json biome.jsonc", names: /"extends"\s*:\s*\[?\s*(?:"([^"\\\n]*)"\s*\]?(?!\s*,\s*"[./]))?|\\u00/gi },
  { by: "pdm", present: ".pdm-plugins" },
  { by: "serverless", present: "serverless.yml serverless.yaml serverless.json serverless.js serverless.cjs serverless.mjs serverless.ts" },
];

/** Settings that only change the appearance, or the recorded author. */
export const HARMLESS_GIT = patternOf(
  String.raw`^(color\.[\w.]+|advice\.\w+|column\.\w+|status\.\w+|log\.(?!showsignature)\w+|grep\.(?!.*pager)\w+|user\.(name
    |email)|i18n\.\w+|init\.defaultbranch|versionsort\.\w+|protocol\.version|gc\.auto|maintenance\.auto
    |commit\.(gpgsign|verbose|cleanup)|tag\.(gpgsign|sort)|(fetch|pull|push|rebase|branch)\.(prune|rebase|ff|default
    |autosetupremote|autosetuprebase|autostash|autosquash|updaterefs|sort|parallel|showforcedupdates)
    |merge\.(conflictstyle|ff|renames|renamelimit|stat|log|verbosity|directoryrenames)|diff\.(renames|renamelimit
    |noprefix|mnemonicprefix|algorithm|context|colormoved|colormovedws|wserrorhighlight|ignoresubmodules|submodule
    |interhunkcontext|relative|indentheuristic|statgraphwidth|suppressblankempty)|core\.(quotepath|autocrlf|eol
    |safecrlf|filemode|ignorecase|abbrev|longpaths|precomposeunicode|preloadindex|untrackedcache|commentchar
    |whitespace)|http\.(postbuffer|lowspeedlimit|lowspeedtime|version))$`,
  "i",
);

/** In addition: what git itself, its hosts and editors write into the settings of one repository. */
export const HARMLESS_LOCALLY = new RegExp(
  `^(${[
    "core\\.(repositoryformatversion|bare|logallrefupdates|symlinks|sharedrepository|sparsecheckout" +
      "|sparsecheckoutcone|compression|loosecompression|bigfilethreshold|packed\\w+|delta\\w+|multipackindex" +
      "|commitgraph|usereplacerefs|trustctime|checkstat|protecthfs|protectntfs|checkroundtripencoding|splitindex" +
      "|warnambiguousrefs|fscache|maxtreedepth|disambiguate|notesref|fsync\\w*|autocrlf|hidedotfiles|createobject" +
      "|prefersymlinkrefs)",
    "extensions\\.(worktreeconfig|objectformat|compatobjectformat|partialclone|preciousobjects|refstorage|relativeworktrees|noop)",
    "branch\\..+\\.(?!mergeoptions$)[\\w-]+",
    "remote\\..+\\.(push|tagopt|prune|prunetags|promisor|partialclonefilter|mirror|skipdefaultupdate|skipfetchall" +
      "|followremotehead|gh-resolved|glab-resolved)|remote\\.pushdefault",
    "submodule\\..+\\.(active|branch|ignore|fetchrecursesubmodules|shallow)|submodule\\.(active|recurse|fetchjobs|propagatebranches)",
    "(gc|pack|repack|index|feature|rerere|fsck|receive|transfer|uploadarchive|commitgraph|sparse|stash|notes|blame" +
      "|format|checkout|clean|apply|am|add|fetch|pull|push|rebase|merge|tag|revert|reset|show|worktree|bitmap" +
      "|lockfile)\\.(?!.*(hook|driver|tool|program|command|cmd|editor|gpg|fsmonitor|bundleuri|pager|textconv|external" +
      "|verifysignatures|skiplist|revsfile|signaturefile|outputdirectory|suffix))\\w+",
    "maintenance\\.(auto|strategy)|user\\.\\w+|author\\.\\w+|committer\\.\\w+|gpg\\.format|gpg\\.ssh\\.allowedsignersfile|commit\\.(?!template$)\\w+",
    "diff\\..+\\.(xfuncname|funcname|binary|wordregex|cachetextconv|algorithm)|filter\\..+\\.required|merge\\..+\\.(name|recursive)",
    "lfs\\.(repositoryformatversion|locksverify|allowincompletepush|concurrenttransfers|fetchrecentrefsdays)|lfs\\..+\\.(access|locksverify)",
    "alias\\.(?!whatchanged$|pack-redundant$).+|credential\\.(.+\\.)?(username|usehttppath)|http\\..+\\.extraheader|http\\.(extraheader|sslverify)",
    "(gitflow|hub|cola|gk|gitkraken|github|vscode|sourcetree|codespaces|gui|jj)\\..+",
  ].join("|")})$`,
  "is",
);

/** Settings that are harmless only with these values. */
// biome-ignore format: one line each
export const HARMLESS_VALUES: readonly { name: RegExp; value: RegExp }[] = [
  { name: /^(core\.(pager|editor)|pager\.\w+|sequence\.editor)$/i, value: /^(|cat|less|more|true|false|:|less -[A-Za-z]+)$/ },
  { name: /^core\.fsmonitor$/i, value: /^(|true|false|yes|no|on|off|0|1)$/i },
  { name: /^(remote\..+\.(url|pushurl)|submodule\..+\.url)$/is, value: /^(?!-)(?![\w+.-]+::)((https?|ssh|git|file):\/\/)?(?!-)[^\s"\\:]+(:[^:"\\\s]*){0,2}$/i },
  // With another right side a plain fetch would overwrite local branches.
  { name: /^remote\..+\.fetch$/is, value: /^(\^.*|[^:]*|\+?[^:]*:refs\/(?!heads\/)[\w.-]+\/[^:]*)$/i },
  { name: /^format\.suffix$/i, value: /^[^/\\]*$/ },
  { name: /^submodule\..+\.update$/is, value: /^(checkout|rebase|merge|none)$/ },
  { name: /^filter\.lfs\.(clean|smudge|process)$/i, value: /^git-lfs (clean -- %f|smudge( --skip)? -- %f|filter-process( --skip)?)$/ },
  { name: /^diff\.lfs\.textconv$/i, value: /^cat$/ },
];

/** Settings that name a file of which git shows lines, or a folder to which it writes. */
export const FILES_OF_GIT =
  /^(core\.(excludesfile|attributesfile)|commit\.template|fsck\.skiplist|blame\.ignorerevsfile|format\.(signaturefile|outputdirectory))$/i;
