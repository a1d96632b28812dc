import { isUnder } from "./path.ts";

// Hundreds of programs store their credentials in a hidden folder of a home, and new ones appear every month: files that
// are not in the table are recognised by their names.

/** Words in the names of files with credentials. */
const SECRET_WORDS =
  /(^|[._-])(creds?|secrets?|pass|passphrase|tokens?|oauth2?|auth|api[_-]?keys?|cookies?|cookiejar|session|private[_-]?keys?|keyrings?|keystores?|keychain|wallet)([._-]|$)|credential|passwd|password|(access|refresh|auth|id)[_-]?token|authkey/;
/** In system folders some of these words name files that are not secret: how somebody signs in, and who did. */
const SYSTEM_WORDS =
  /(^|[._-])(creds?|secrets?|tokens?|private[_-]?keys?|api[_-]?keys?)([._-]|$)|credential|password|(?<=.)passwd$/;
/** Folders that contain only credentials. */
const SECRET_FOLDERS = /^\.?(credentials?|secrets?|tokens?|passwords?|auth|session|keyrings?|accounts)$/;
/** Endings of source text, manuals, pictures and programs, which are no credentials whatever their name is. */
const ABOUT =
  /\.(c|cc|cpp|h|hpp|m|mm|rs|go|py|pyi|pyc|js|mjs|cjs|jsx|ts|mts|cts|tsx|map|java|kt|kts|scala|clj|rb|rbi|php|lua|pl|pm|pod|ex|exs|hs|ml|swift|dart|sh|bash|zsh|fish|ps1|el|vim|md|mdx|rst|adoc|html?|css|scss|vue|svelte|svg|png|jpe?g|gif|so|a|o|class|jar|whl|[1-8]|gz|crate|lock|log|tmpl|example|sample)$/;

const IN_HOME = /^\/(?:root|(?:home|users)\/[^/]+)\/(\..*)$/i;
const IN_SYSTEM = /^\/(?:private\/)?(?:etc|var|run)\/(?!pam\.d\/|log\/|cache\/|lib\/(?:dpkg|apt|rpm)\/)(.*)$/i;

/** Folders of a home in which any program may keep its data, and the exceptions, which contain programs, texts and caches. */
const KEEPING = /^(\.config|\.local\/(share|state))\/[^/]+$|^\.[^/]+$/;
const NO_KEEPING =
  /^\.(cache|npm|nvm|rustup|vim|vimrc|fonts|icons|themes|pyenv|rbenv|rvm|nodenv|goenv|asdf|sdkman|deno|nix-profile|nix-defexpr|ghcup|stack|opam|linuxbrew|emacs\.d|oh-my-zsh|oh-my-bash|tmux|zsh|terminfo|trash|dart-tool|pub-cache|elan|arduino15|swiftpm|local\/share\/(nvim|fonts|icons|themes|applications|man|zsh|fish|bash-completion|mise|fnm|pnpm|virtualenvs|uv)|config\/(nvim|fish|tmux|kitty|alacritty|wezterm|ghostty|zellij|starship\.toml|i3|sway|hypr|fontconfig|gtk-[34]\.0|systemd|yazi|helix|lazygit|bat|htop|btop))$/;

type Around = { home?: string | undefined; project?: string | undefined };

/** Whether a file outside of the project has the name of a file with credentials. */
export function isNamedSecret(path: string, around: Around): boolean {
  if (around.project !== undefined && isUnder(path, around.project)) return false;
  const own = inHome(path, around);
  const names = (own ?? IN_SYSTEM.exec(path)?.[1])?.toLowerCase().split("/");
  if (names === undefined) return false;
  const last = names.at(-1) ?? "";
  if (ABOUT.test(last)) return false;
  if (own === undefined) return SYSTEM_WORDS.test(last);
  return SECRET_WORDS.test(last) || SECRET_FOLDERS.test(names.at(-2) ?? "");
}

/** Whether a call would show everything that a program keeps in a home, including its credentials. */
export function mayHoldSecrets(path: string, deep: boolean, around: Around): boolean {
  const end = path.lastIndexOf("/");
  const isAnyFile = /[*?[]/.test(path.slice(end)) && !ABOUT.test(path.toLowerCase());
  if (!deep && !isAnyFile) return false;
  const folder = isAnyFile ? path.slice(0, end) : path;
  if (around.project !== undefined && isUnder(folder, around.project)) return false;
  const own = inHome(folder, around)?.toLowerCase();
  return own !== undefined && KEEPING.test(own) && !NO_KEEPING.test(own);
}

/** A path below a home whose first name is hidden, from there on. */
function inHome(path: string, { home }: Around): string | undefined {
  if (home !== undefined && path.startsWith(`${home}/.`)) return path.slice(home.length + 1);
  return IN_HOME.exec(path)?.[1];
}
