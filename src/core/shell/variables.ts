import { changesRuns } from "../tables/variables.ts";
import type { Assigned, Simple } from "./script.ts";

/** Where programs are found, where home is, through whom requests go: set in a command, they change all that follows. */
const PLACES = /^(PATH|HOME|PWD|OLDPWD|SHELL|TMPDIR|[a-z]+_proxy|[A-Z]+_PROXY)$/;

/** By these, programs of the table find settings, plugins, credentials or the machine they speak to. */
const SETTINGS = new RegExp(
  `^(${[
    "(XDG|CLOUDSDK|AZURE|OPENSSL|RUSTUP|GLAB|HELM|YARN|PNPM|POETRY|PDM|PIPX|CONDA|MAMBA|HATCH|SVN|REDISCLI|ANSIBLE|VAULT|CONSUL|NOMAD|HTTPIE|MAGICK|BUILDX|PODMAN|CONTAINERS?|BUNDLER?|GEM|COMPOSER|DENO|BUN|MVN|MAVEN|GRADLE|JAVA|JDK|RUBY|PHP|PULUMI|STRIPE|MYSQL|MONGO|ETCDCTL|CLICKHOUSE|WRANGLER|VERCEL|HEROKU|FLY)_\\w+",
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

/** What these begin or end with says that programs take orders from them: what to show with, to start, to write to. */
const ORDERS = new RegExp(
  `^(${[
    "\\w*(PAGER|EDITOR|BROWSER|ASKPASS)|\\w+_(OPTIONS|OPTS?|ARGS|FLAGS|CONFIG(_FILE|_DIR|_PATH)?|CONF|RSH|PROG|COMMAND|CMD|PLUGINS?|PRELOAD|HISTFILE|HISTORY)",
    "BASH_\\w+|PS[0-4]|INPUTRC|HISTFILE|MAIL(PATH)?|histchars|FCEDIT|TERMCAP|TERMINFO\\w*",
    "LESS\\w+|MAN(OPT|ROFFOPT|PATH)|BAT_\\w+|ACK\\w+|VIM\\w*|EXINIT|MYVIMRC|GZIP|ZIPOPT|UNZIP\\w*",
    "(MALLOC|SYSTEMD|CURL|RSYNC|SSH|COREPACK|DELTA|LEEWAY|CLAUDE|CODEX|JUPYTER|ESLINT|RCLONE|RESTIC|BORG)_\\w+",
    "SSLKEYLOGFILE|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|GOAUTH|GTK_MODULES|QT_PLUGIN_PATH",
  ].join("|")})$`,
);

/** They say how much is shown and how it looks, who asks, or which of several is meant. No program takes orders from them. */
const MILD = new RegExp(
  `^(${[
    "LANG|LANGUAGE|LC_\\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR\\w*|LS_COLORS|GREP_COLORS?|COLUMNS|LINES|TIME_STYLE|BLOCK_?SIZE|TIMEFORMAT",
    "[A-Za-z]|CI|DEBUG|VERBOSE|QUIET|PORT|NODE_(ENV|NO_WARNINGS|DEBUG)|(RAILS|RACK|APP|FLASK|MIX|GO)_ENV|RUST_(LOG|BACKTRACE)|DEBIAN_FRONTEND|HOMEBREW_NO_\\w+|SOURCE_DATE_EPOCH",
    "PG(PASSWORD|USER|DATABASE|PORT|HOST|APPNAME|CONNECT_TIMEOUT)|AWS_(PROFILE|REGION|DEFAULT_\\w+|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|GH_(TOKEN|NO_\\w+|PROMPT_DISABLED)|GITHUB_TOKEN",
    "GOOS|GOARCH|GO111MODULE|CGO_ENABLED|CARGO_(TERM_\\w+|INCREMENTAL|NET_OFFLINE)|TF_(IN_AUTOMATION|INPUT|LOG|VAR_\\w+)|COMPOSE_(PROJECT_NAME|PROFILES)|DOCKER_(BUILDKIT|CLI_HINTS)",
    "npm_config_(loglevel|color|fund|audit|yes)|UV_(NO_PROGRESS|OFFLINE)|PIP_(DISABLE_PIP_VERSION_CHECK|NO_INPUT|NO_CACHE_DIR|QUIET)|PYTHON(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|WARNINGS)",
    "GIT_(TERMINAL_PROMPT|OPTIONAL_LOCKS|PROGRESS_DELAY)",
  ].join("|")})$`,
);

/** Why setting these variables keeps a command from being understood: programs read their orders from many of them. */
export function doubtsOfSets(sets: readonly Assigned[]): readonly string[] {
  return sets.filter(changesPrograms).map(doubtOf);
}

/**
 * The same for variables that one command alone is given. Somebody who sets them there means that very program, so
 * only those that are known to be mild are.
 */
export function doubtsOfGiven({ words, sets }: Simple): readonly string[] {
  const reads = /^(read|mapfile|readarray)$/.test(words[0]?.text ?? "");
  return sets
    .filter((one) => !(reads && one.name === "IFS"))
    .filter((one) => changesPrograms(one) || !(MILD.test(one.name) || isComfort(one)))
    .map(doubtOf);
}

function doubtOf({ name }: Assigned): string {
  return `the variable ${name} may change what programs do`;
}

function changesPrograms(one: Assigned): boolean {
  const { name, value } = one;
  // A value that nobody knows is like none that would be harmless.
  const text = value.kind === "plain" ? value.text : "?";
  if (isComfort(one)) return false;
  // Old shells run what follows such a beginning, and a name that is put together may be any.
  if (text.startsWith("() {") || /[$`]/.test(name)) return true;
  return PLACES.test(name) || SETTINGS.test(name) || ORDERS.test(name) || changesRuns(name, text);
}

/** Nearly everybody looks and writes with one of these; a program of any other name may be anything. */
function isComfort({ name, value }: Assigned): boolean {
  const which = /^(LESS|(?:\w+_)?(PAGER|EDITOR)|VISUAL)$/.test(name) ? (name === "LESS" ? "LESS" : "PAGER") : undefined;
  return which !== undefined && value.kind === "plain" && !changesRuns(which, value.text);
}
