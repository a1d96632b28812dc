// Variables of the environment, by what they do to the programs that see them: data only.

/** What every program may see of the gate's own environment: where it is, who runs it, how it speaks. */
const PASSED_ON = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM NO_COLOR TZ TMPDIR TMP TEMP".split(" ");

/** Everybody has them, and programs find other programs and their settings by them: an approval is bound to what they are. */
export const BOUND = ["PATH", "HOME", "SHELL", "XDG_CONFIG_HOME"] as const;

/** Change which code a program runs, or what it works on: an approval is for their values too. */
const RUN_CHANGING: ReadonlySet<string> = new Set(
  (
    "BASH_ENV ENV SHELLOPTS BASHOPTS IFS PS4 PROMPT_COMMAND CDPATH GLOBIGNORE ZDOTDIR FPATH " +
    "NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE npm_config_script_shell npm_config_node_options npm_config_registry " +
    "PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONUSERBASE PYTHONEXECUTABLE " +
    "PERL5OPT PERL5LIB PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE PHPRC PHP_INI_SCAN_DIR " +
    "LUA_PATH LUA_CPATH LUA_INIT R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER JULIA_LOAD_PATH " +
    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS ANT_OPTS " +
    "MAKEFLAGS MAKEFILES GNUMAKEFLAGS CC CXX AR LD RUSTC RUSTC_WRAPPER RUSTFLAGS GOFLAGS GOPROXY GOTOOLCHAIN " +
    "EDITOR VISUAL PAGER MANPAGER LESS LESSOPEN LESSCLOSE BROWSER SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH SVN_SSH " +
    "TAR_OPTIONS RIPGREP_CONFIG_PATH CURL_HOME WGETRC PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE UV_INDEX_URL " +
    "GCONV_PATH LOCPATH NLSPATH TERMINFO KUBECONFIG DOCKER_HOST DOCKER_CONFIG"
  ).split(" "),
);
const RUN_CHANGING_STARTS = ["LD_", "DYLD_", "GIT_", "BASH_FUNC_", "npm_config_script", "NPM_CONFIG_", "CARGO_TARGET_"];
/** They begin like one of those, and only say how much is asked or shown. */
const QUIET: ReadonlySet<string> = new Set("GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_PROGRESS_DELAY".split(" "));

/** Programs to look or write with, which most people name once for all. Any other value may be a program of its own. */
const COMFORTS: ReadonlySet<string> = new Set(
  "EDITOR VISUAL PAGER MANPAGER LESS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER".split(" "),
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
  "-R",
  "-FRX",
  "FRX",
  "R",
]);

export type Environment = { readonly [name: string]: string | undefined };

/** The few that a program started by the gate is given. */
export function passedOn(environment: Environment): Record<string, string> {
  return kept(environment, (name) => PASSED_ON.includes(name) || name.startsWith("LC_"));
}

/** Those of an environment that have to stand in the call itself, for whoever approves it to see. */
export function runChanging(environment: Environment): Record<string, string> {
  return kept(environment, changesRuns);
}

/** Whether setting a variable to this changes which code a program runs, or what it works on. */
export function changesRuns(name: string, value: string): boolean {
  if (QUIET.has(name) || (COMFORTS.has(name) && COMFORTABLE.has(value))) return false;
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
