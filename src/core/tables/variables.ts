import { patternOf } from "./facts.ts";

// Environment variables, by their effect on the programs that see them: data only.

/** What every program may see of the gate's own environment: its location, its user, its language. */
const PASSED_ON = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM NO_COLOR TZ TMPDIR TMP TEMP".split(" ");

/** Variables that everybody has, and by which programs find other programs and their settings. An approval depends on them. */
export const BOUND = ["PATH", "HOME", "SHELL", "XDG_CONFIG_HOME"] as const;

/** Variables that change which code a program runs, or what it works on. An approval depends on their values too. */
const RUN_CHANGING: ReadonlySet<string> = new Set(
  (
    "BASH_ENV ENV SHELLOPTS BASHOPTS POSIXLY_CORRECT BASH_COMPAT EXECIGNORE IFS PS4 PROMPT_COMMAND CDPATH GLOBIGNORE ZDOTDIR FPATH " +
    "TEXTDOMAIN TEXTDOMAINDIR " +
    "NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE npm_config_script_shell npm_config_node_options npm_config_registry " +
    "PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONUSERBASE PYTHONEXECUTABLE " +
    "PERL5OPT PERL5LIB PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE PHPRC PHP_INI_SCAN_DIR " +
    "LUA_PATH LUA_CPATH LUA_INIT R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER JULIA_LOAD_PATH " +
    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS ANT_OPTS " +
    "MAKEFLAGS MAKEFILES GNUMAKEFLAGS CC CXX AR LD RUSTC RUSTC_WRAPPER RUSTFLAGS GOFLAGS GOPROXY GOTOOLCHAIN " +
    "EDITOR VISUAL PAGER MANPAGER LESS LESSOPEN LESSCLOSE BROWSER SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH SVN_SSH " +
    "TAR_OPTIONS SIMPLE_BACKUP_SUFFIX RIPGREP_CONFIG_PATH CURL_HOME WGETRC PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE UV_INDEX_URL " +
    "GCONV_PATH LOCPATH NLSPATH TERMINFO KUBECONFIG DOCKER_HOST DOCKER_CONFIG LEEWAY_BOX"
  ).split(" "),
);
const RUN_CHANGING_STARTS = ["LD_", "DYLD_", "GIT_", "BASH_FUNC_", "npm_config_script", "NPM_CONFIG_", "CARGO_TARGET_"];
/** Exceptions: variables that begin like one of these, but only control how much is asked or shown. */
const QUIET: ReadonlySet<string> = new Set("GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_PROGRESS_DELAY".split(" "));

/** Pagers and editors, which most people set once. Any other value may be any program. */
const COMFORTS: ReadonlySet<string> = new Set(
  "EDITOR VISUAL PAGER MANPAGER LESS LESSOPEN LESSCLOSE GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER".split(" "),
);
const COMFORTABLE: ReadonlySet<string> = new Set([
  "",
  "true",
  ":",
  "cat",
  "less",
  "more",
  "vi",
  "vim",
  "nvim",
  "nano",
  "emacs",
  "hx",
  "micro",
  "code --wait",
  "code -w",
  "subl -w",
  "bat",
  "-R",
  "-FRX",
  "FRX",
  "R",
  // As the usual systems set them: a program of the machine, which reads archives.
  "| /usr/bin/lesspipe %s",
  "/usr/bin/lesspipe %s %s",
  "||/usr/bin/lesspipe.sh %s",
  "| /usr/bin/lesspipe.sh %s",
]);

/** Variables of one kind, read by the same programs. A variable in no family counts for every program. */
const FAMILIES = {
  pager: /^(PAGER|MANPAGER|LESS\w*|MAN(OPT|ROFFOPT|PATH)|BAT_\w+)$/,
  editor: /^(EDITOR|VISUAL|VIM\w*|EXINIT|MYVIMRC)$/,
  browser: /^BROWSER$/,
  git: /^(GIT_\w+|GH_\w+|GLAB_\w+|HUB_\w+|DELTA_\w+)$/,
  ssh: /^(SSH_\w+|SUDO_ASKPASS|RSYNC_RSH|SVN_SSH)$/,
  kinds: /^MAGIC$/,
  backups: /^SIMPLE_BACKUP_SUFFIX$/,
  search: /^(RIPGREP_CONFIG_PATH|ACK\w+|GREP_\w+)$/,
  fetch: /^(CURL_\w+|WGETRC)$/,
  tar: /^(TAR_OPTIONS|GZIP|ZIPOPT|UNZIP\w*)$/,
  containers: /^(DOCKER_\w+|COMPOSE_\w+|BUILDX_\w+|PODMAN_\w+|CONTAINERS?_\w+)$/,
  clusters: /^(KUBE\w+|HELM_\w+)$/,
  clouds: /^(AWS|CLOUDSDK|AZURE)_\w+$/,
  plans: /^TF_\w+$/,
  node: /^(NODE_\w+|npm_config_\w+|NPM_CONFIG_\w+|YARN_\w+|PNPM_\w+|COREPACK_\w+|DENO_\w+|BUN_\w+)$/,
  python: /^(PYTHON\w+|PIP_\w+|PIPX_\w+|UV_\w+|POETRY_\w+|PDM_\w+|CONDA_\w+|JUPYTER_\w+)$/,
  ruby: /^(RUBY\w+|GEM_\w+|BUNDLER?_\w+)$/,
  perl: /^(PERL\w+)$/,
  php: /^(PHPRC|PHP_\w+|COMPOSER_\w+)$/,
  others: /^(LUA_\w+|R_(PROFILE|ENVIRON)\w*|JULIA_\w+)$/,
  jvm: /^(JAVA_\w+|_JAVA_OPTIONS|JDK_\w+|CLASSPATH|MAVEN_\w+|MVN_\w+|GRADLE_\w+|ANT_OPTS)$/,
  builds: /^(MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|CC|CXX|AR|LD|RUST\w+|CARGO_\w+|GO[A-Z]+)$/,
  shells:
    /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_COMPAT|EXECIGNORE|IFS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|ZDOTDIR|FPATH|TEXTDOMAIN(DIR)?)$/,
} as const satisfies { readonly [family: string]: RegExp };
type Family = keyof typeof FAMILIES;

/**
 * Programs that start only what their words say, by the families that they read; the first line reads none. Every other
 * program, and every program that runs others, reads all variables.
 */
const READERS: readonly [families: readonly Family[], programs: string][] = [
  [
    [],
    "ls cat tac head tail wc nl cut tr uniq comm paste join fold expand seq stat du df pwd echo printf date uname whoami " +
      "id groups hostname uptime basename dirname realpath readlink md5sum sha1sum sha256sum sha512sum cksum sum true false " +
      "mkdir rmdir touch rm chmod sleep cmp tree which ps free nproc arch printenv xxd od hexdump strings base64 jq diff",
  ],
  [["backups"], "cp mv ln"],
  [["search"], "grep egrep fgrep rg"],
  [["kinds"], "file"],
  [["pager", "editor"], "less more"],
  [["fetch", "ssh"], "curl wget"],
  [["pager", "editor", "browser", "git", "ssh", "search"], "git"],
  [["containers", "clouds", "ssh"], "docker"],
  [["clusters", "clouds", "editor", "python"], "kubectl helm"],
];
const HEARD: ReadonlyMap<string, readonly Family[]> = new Map(
  READERS.flatMap(([families, programs]) => programs.split(" ").map((program) => [program, families] as const)),
);

/** Programs that run files of the project when they change something, but not when they only read. */
export const HOOKED: ReadonlySet<string> = new Set(["git"]);

/** Programs that no variable of the environment controls. */
export const DEAF: ReadonlySet<string> = new Set(
  READERS.filter(([families]) => families.length === 0).flatMap(([, programs]) => programs.split(" ")),
);

/** Whether a program reads a variable. If in doubt, yes: for an unknown program, and for a variable in no family. */
export function reads(program: string, variable: string): boolean {
  const heard = HEARD.get(program);
  if (heard === undefined || HEARD_BY_ALL.test(variable)) return true;
  const of = FAMILY_NAMES.filter((family) => FAMILIES[family].test(variable));
  return heard.length > 0 && (of.length === 0 || of.some((family) => heard.includes(family)));
}
const FAMILY_NAMES = Object.keys(FAMILIES) as Family[];

/** What the loader, the C library, the shell and the search for programs or policies read from the environment: it affects all programs. */
export const HEARD_BY_ALL = patternOf(
  String.raw`^(PATH|HOME|PWD|TMPDIR|POSIXLY_CORRECT|LD_.*|DYLD_.*|GLIBC_.*|MALLOC_.*|GCONV_PATH|LOCPATH|NLSPATH|TZDIR
    |GLOBIGNORE|LEEWAY_.*|BASH_FUNC_.*|.*[^A-Za-z0-9_].*)$`,
  "s",
);

export type Environment = { readonly [name: string]: string | undefined };

/** The few variables that a program started by the gate gets. */
export function passedOn(environment: Environment): Record<string, string> {
  return kept(environment, (name) => PASSED_ON.includes(name) || name.startsWith("LC_"));
}

/**
 * Which certificates a program trusts, which proxy it uses, and in whose name it commits: an ordinary environment has
 * them, and no program starts another because of them. If a command sets one itself, it still counts.
 */
const ORDINARY = new RegExp(
  `^(${[
    "GIT_SSL_(CAINFO|CAPATH|CERT|KEY|VERSION|CIPHER_LIST)|GIT_PROXY_SSL_(CAINFO|CERT|KEY)",
    "GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_(REFLOG_ACTION|MERGE_AUTOEDIT|ADVICE|HTTP_USER_AGENT|HTTP_LOW_SPEED_(LIMIT|TIME))|GIT_PS1_\\w+",
    "TERMINFO(_DIRS)?",
    "NPM_CONFIG_(CAFILE|CA|PROXY|HTTP_PROXY|HTTPS_PROXY|NOPROXY|LOGLEVEL|COLOR|PROGRESS|FUND|AUDIT|UPDATE_NOTIFIER)",
  ].join("|")})$`,
);

/** Variables of an environment that must be part of the call, so that reviewers see them. */
export function runChanging(environment: Environment): Record<string, string> {
  return kept(environment, (name, value) => changesRuns(name, value) && !ORDINARY.test(name));
}

/** Whether bash would read a text differently, or run something before it, if this variable is set. */
export function changesShell(name: string, value: string): boolean {
  return SHELL_CHANGING.test(name) || value.startsWith("() {");
}

const SHELL_CHANGING =
  /^(BASH_.*|ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|EXECIGNORE|GLOBIGNORE|CDPATH|IFS|PS4|PROMPT_COMMAND|FUNCNEST|TEXTDOMAIN(DIR)?)$/s;

/** Memory limits, warnings and certificates: none of these loads anything. */
const MILD_NODE_OPTIONS = patternOf(
  String.raw`^\s*(--(max-(old|semi)-space-size=\d+|(no-|trace-)?(warnings|deprecation)|enable-source-maps|use-(system|openssl
    |bundled)-ca|openssl-legacy-provider|experimental-vm-modules|unhandled-rejections=[a-z-]+
    |dns-result-order=[a-z0-9]+)(\s+|$))*$`,
);

/** With any other value of `LEEWAY_BOX` a command gets no box. */
const KEEPS_BOX = /^(on|1|true|yes)?$/i;

/** Whether setting a variable to this value changes which code a program runs, or what it works on. */
export function changesRuns(name: string, value: string): boolean {
  if (QUIET.has(name) || (COMFORTS.has(name) && COMFORTABLE.has(value))) return false;
  // Bash also finds translations by this variable, below any folder that it names, and runs the commands in them.
  if (name === "LANGUAGE" && /[/?]/.test(value)) return true;
  if (name === "LEEWAY_BOX" && KEEPS_BOX.test(value)) return false;
  if (name === "NODE_OPTIONS" && MILD_NODE_OPTIONS.test(value)) return false;
  return RUN_CHANGING.has(name) || RUN_CHANGING_STARTS.some((start) => name.startsWith(start));
}

function kept(environment: Environment, wanted: (name: string, value: string) => boolean): Record<string, string> {
  const found: [string, string][] = [];
  for (const name of Object.keys(environment).sort()) {
    const value = environment[name];
    if (value !== undefined && wanted(name, value)) found.push([name, value]);
  }
  return Object.fromEntries(found);
}

/** Search paths, home and proxies: set in a command, they change everything that follows. */
export const PLACES = /^(PATH|HOME|PWD|OLDPWD|SHELL|TMPDIR|[a-z]+_proxy|[A-Z]+_PROXY)$/;

/** Variables that may be removed: without them a program runs less code or uses no proxy. Removing others may change much. */
export const MILD_UNSET = patternOf(
  String.raw`^(LD_\w+|DYLD_\w+|NODE_OPTIONS|NODE_PATH|PYTHON\w+|PERL5\w+|RUBY(OPT|LIB)|BASH_ENV|ENV|PS\d|PROMPT_COMMAND|CDPATH
    |\w*(PAGER|EDITOR|BROWSER|ASKPASS)|\w+_(proxy|PROXY)|VIRTUAL_ENV)$`,
);

/** Variables by which programs of the table find settings, plugins, credentials or the machine they connect to. */
export const SETTINGS = new RegExp(
  `^(${[
    "(XDG|CLOUDSDK|AZURE|OPENSSL|RUSTUP|GLAB|HELM|YARN|PNPM|POETRY|PDM|PIPX|CONDA|MAMBA|HATCH|SVN|REDISCLI|ANSIBLE" +
      "|VAULT|CONSUL|NOMAD|HTTPIE|MAGICK|BUILDX|PODMAN|CONTAINERS?|BUNDLER?|GEM|COMPOSER|DENO|BUN|MVN|MAVEN|GRADLE" +
      "|JAVA|JDK|RUBY|PHP|PULUMI|STRIPE|MYSQL|MONGO|ETCDCTL|CLICKHOUSE|WRANGLER|VERCEL|HEROKU|FLY)_\\w+",
    "AWS_(CONFIG|SHARED|CA|ENDPOINT|WEB|CONTAINER|EC2|DATA)\\w*",
    "TF_(?!IN_AUTOMATION$|INPUT$|LOG$|VAR_)\\w+",
    "PG(SERVICE\\w*|SYSCONFDIR|PASSFILE|OPTIONS|SSL\\w+)|PSQL\\w*|SSL_\\w+|KUBE\\w+|HG\\w*",
    "CARGO_(?!TERM_|INCREMENTAL$|NET_OFFLINE$)\\w+|RUST(C|DOC|FLAGS)\\w*",
    "GH_(CONFIG|HOST|PAGER|BROWSER|EDITOR|PATH|FORCE|REPO)\\w*",
    "COMPOSE_(?!PROJECT_NAME$|PROFILES$)\\w+|DOCKER_(?!BUILDKIT$|CLI_HINTS$)\\w+",
    "npm_config_(?!loglevel$|color$|fund$|audit$|yes$)\\w+|UV_(?!NO_PROGRESS$|OFFLINE$)\\w+",
    "PIP_(?!DISABLE_PIP_VERSION_CHECK$|NO_INPUT$|NO_CACHE_DIR$|QUIET$)\\w+",
    "GO(ENV|ROOT|PATH|WORK|CACHE\\w*|TOOL\\w*|FLAGS|PROXY|NOSUMDB|SUMDB|INSECURE|PRIVATE|MODCACHE|BIN|VCS|NOPROXY)",
    "NODE_(?!ENV$|NO_WARNINGS$|DEBUG$)\\w+|PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|IOENCODING$|UTF8$|HASHSEED$|WARNINGS$)\\w+",
  ].join("|")})$`,
);

/** Names with these beginnings or endings control programs: what to show with, to start, to write to. */
export const ORDERS = new RegExp(
  `^(${[
    "\\w*(PAGER|EDITOR|BROWSER|ASKPASS)|\\w+_(OPTIONS|OPTS?|ARGS|FLAGS|CONFIG(_FILE|_DIR|_PATH)?|CONF|RSH|PROG|COMMAND|CMD|PLUGINS?|PRELOAD|HISTFILE|HISTORY)",
    "BASH_\\w+|PS[0-4]|INPUTRC|HISTFILE|MAIL(PATH)?|histchars|FCEDIT|TERMCAP|TERMINFO\\w*",
    "LESS\\w+|MAN(OPT|ROFFOPT|PATH)|BAT_\\w+|ACK\\w+|VIM\\w*|EXINIT|MYVIMRC|GZIP|ZIPOPT|UNZIP\\w*",
    "(MALLOC|SYSTEMD|CURL|RSYNC|SSH|COREPACK|DELTA|LEEWAY|CLAUDE|CODEX|JUPYTER|ESLINT|RCLONE|RESTIC|BORG)_\\w+",
    "SSLKEYLOGFILE|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|GOAUTH|GTK_MODULES|QT_PLUGIN_PATH",
  ].join("|")})$`,
);

/** Variables that name a machine, or that a program sends to one: what is known only at run time may be the content of a file. */
export const SENT =
  /^(PG(HOST|HOSTADDR|PORT|USER|DATABASE|APPNAME)|AWS_(REGION|DEFAULT_REGION)|MYSQL_HOST|GIT_HTTP_USER_AGENT)$/;

/** Variables that control only how much is shown and how it looks, who asks, or which of several things is selected. */
export const MILD = new RegExp(
  `^(${[
    "LANG|LANGUAGE|LC_\\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR\\w*|LS_COLORS|GREP_COLORS?|COLUMNS|LINES|TIME_STYLE|BLOCK_?SIZE|TIMEFORMAT",
    "[A-Za-z]|CI|DEBUG|VERBOSE|QUIET|PORT|NODE_(ENV|NO_WARNINGS|DEBUG)|(RAILS|RACK|APP|FLASK|MIX|GO)_ENV|RUST_(LOG" +
      "|BACKTRACE)|DEBIAN_FRONTEND|HOMEBREW_NO_\\w+|SOURCE_DATE_EPOCH",
    "PG(PASSWORD|USER|DATABASE|APPNAME|CONNECT_TIMEOUT)|AWS_(PROFILE|REGION|DEFAULT_\\w+|ACCESS_KEY_ID" +
      "|SECRET_ACCESS_KEY|SESSION_TOKEN)|GH_(TOKEN|NO_\\w+|PROMPT_DISABLED)|GITHUB_TOKEN",
    "GOOS|GOARCH|GO111MODULE|CGO_ENABLED|CARGO_(TERM_\\w+|INCREMENTAL|NET_OFFLINE)|TF_(IN_AUTOMATION|INPUT|LOG" +
      "|VAR_\\w+)|COMPOSE_(PROJECT_NAME|PROFILES)|DOCKER_(BUILDKIT|CLI_HINTS)",
    "npm_config_(loglevel|color|fund|audit|yes)|UV_(NO_PROGRESS|OFFLINE)|PIP_(DISABLE_PIP_VERSION_CHECK|NO_INPUT" +
      "|NO_CACHE_DIR|QUIET)|PYTHON(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|WARNINGS)",
    "GIT_(TERMINAL_PROMPT|OPTIONAL_LOCKS|PROGRESS_DELAY)",
  ].join("|")})$`,
);
