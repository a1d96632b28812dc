// What walls can bound and what they cannot, by the words of a command: data only. Each line is a program and its
// subcommands; a program alone stands for all of it. The patterns are those of rules.

/**
 * Programs whose code could run in a box, but whose purpose is outside of it: they install from a registry, reach other
 * machines, or control this one. In a box they would only fail, so they are asked about as if there were no box.
 */
export const OUTSIDE_PURPOSE = patterns(`
  npm: install i ci add update up upgrade remove uninstall publish login link create init exec audit outdated
  pnpm: install i ci add update up upgrade remove uninstall publish login link create init dlx audit outdated
  yarn: install add up upgrade remove publish login link create dlx npm
  bun: install i add update remove publish link create
  pip: install download wheel uninstall
  pip3: install download wheel uninstall
  python -m pip: install download wheel uninstall
  python3 -m pip: install download wheel uninstall
  uv: add sync lock remove pip tool publish
  poetry: add install update lock publish remove
  pipenv: install update lock sync uninstall
  conda: install create update remove env
  pipx: install run upgrade inject
  twine: upload
  python -m twine: upload
  python3 -m twine: upload
  cargo: add install update publish search login fetch vendor
  go: get install
  go mod: download tidy vendor
  gem: install update push uninstall
  bundle: install update add
  composer: install update require remove
  dotnet: restore add nuget
  prisma migrate: deploy
  npx prisma migrate: deploy
  terraform: init plan apply destroy import refresh
  tofu: init plan apply destroy import refresh
  apt
  apt-get
  aptitude
  dnf
  yum
  apk
  pacman
  zypper
  brew
  snap
  flatpak
  ssh
  scp
  sftp
  rsync
  telnet
  nc
  ncat
  socat
  ftp
  docker
  docker-compose
  podman
  nerdctl
  buildah
  kubectl
  helm
  minikube
  kind
  vagrant
  ansible
  ansible-playbook
  systemctl
  service
  mount
  umount
  modprobe
  crontab
  at
  sudo
  su
  doas
  xdg-open
  open
  code
  cursor
`);

/** Programs that install something. One of them may fail in a box if another one, which works there, is its alternative. */
export const INSTALLERS = patterns(`
  npm: install i
  pip: install
  pip3: install
  pipx: install
  uv tool: install
  cargo: install
  go: install
  gem: install
  brew: install
  apt: install
  apt-get: install
  dnf: install
  apk: add
  conda: install
`);

/** What the programs above do with files alone. */
const WITH_FILES = `
  helm: template lint show package
  kubectl: kustomize
  docker compose: config
  docker-compose: config
`;

/** What they do without reaching another machine: code of the project may run for it. */
export const INSIDE_PURPOSE = patterns(`
  ${WITH_FILES}
  npm init: -y --yes
  pnpm: init
  yarn init: -y --yes
  ansible: localhost
  ansible-playbook: --syntax-check --list-tasks --list-tags
  terraform plan: -refresh=false
  tofu plan: -refresh=false
`);

/** What deploys to this machine: in a box to the box. If settings lead it to another machine, it fails there. */
export const DEPLOYS_HERE = patterns(`
  ansible: localhost
`);

/** Programs that may load modules from elsewhere, but work with what is there: in a box they are offline. */
export const WORKS_OFFLINE = patterns(`
  go: vet list build run test generate
  cargo: metadata tree
  terraform: validate fmt version providers test
  tofu: validate fmt version providers test
  ${WITH_FILES}
`);

/** Programs that look at processes or end them. In a box they reach only what the same command has started there. */
export const ABOUT_PROCESSES = patterns(`
  kill
  pkill
  killall
  pgrep
  pidof
  ps
  top
  lsof
  ss
  fuser
`);

/** Databases in files: everything that their programs need is a file. */
export const FILE_DATABASES = patterns(`
  sqlite3
  duckdb
`);

/** Programs that remove files and do nothing else, so that what they removed can be put back. */
export const REMOVERS = patterns(`
  rm
  rmdir
  unlink
  git: rm
`);

/** Everyday git that stays in the repository and takes nothing away. */
export const EVERYDAY_GIT = [
  ...patterns(`
    git: add commit stage mv rm init
    git stash: push save apply -q -u -k
    git branch
    git tag
    git notes
    git switch: -c
    git checkout: -b
    git restore: --staged
    git reset: HEAD
  `),
  "git stash",
  "git reset",
];

/**
 * Git that moves or takes away something small. Whether anything is lost is known only afterwards, so it must be rehearsed: a
 * branch, tag or stash that is gone then is asked about, except a stash that was put back.
 */
export const REHEARSED_GIT = patterns(`
  git stash: pop
  git commit: --amend
  git bisect: start good bad old new skip reset log
  git branch: -m -d
  git tag: -d
  git update-index: --chmod=+x --chmod=-x
`);

/**
 * Git that joins commits, or stops doing so, and what only moves or removes a name of a commit. All of it is in the repository and in
 * files, so `leeway undo` puts it back. What it throws away of uncommitted work is known afterwards, and asked about.
 */
export const UNDOABLE_GIT: readonly { readonly line: string; readonly options: ReadonlySet<string> }[] = [
  ["git merge *", "--abort --continue --quit --no-ff --ff-only --ff --squash --no-commit --no-edit --no-stat"],
  ["git cherry-pick *", "--abort --continue --skip --quit --no-commit --no-edit -n -x"],
  ["git revert *", "--abort --continue --skip --quit --no-commit --no-edit -n"],
  ["git rebase --abort", "--abort"],
  ["git rebase --continue", "--continue"],
  ["git rebase --skip", "--skip"],
  ["git reset *", "--soft --mixed --quiet"],
  ["git stash drop *", ""],
  ["git branch -D *", "-D"],
].map(([line = "", options = ""]) => ({ line, options: new Set([...options.split(" "), "-q", "-m", "--"]) }));

/** Options that make one of them rewrite history, take something away, or reach further. */
export const NOT_EVERYDAY = patterns(`
  git commit: --amend --fixup --squash
  git branch: -d -D -m -M -f -c -C -u --unset-upstream --edit-description
  git tag: -d -f
  git mv: -f --force
  git rm: -f --force
  git stash: drop clear branch
  git notes: remove prune
  git switch: -C --discard-changes -f --force -m --merge
  git checkout: -B -f --force -m --merge
  git init: --template --separate-git-dir
  git restore: --worktree -W
  git reset: --hard --merge --keep HEAD~*
`);

/** Their long names: git understands every unambiguous beginning of one. */
export const GRAVER_OPTIONS: readonly string[] = (
  "amend copy delete discard-changes edit-description fixup force force-create hard keep merge move separate-git-dir " +
  "set-upstream-to squash template unset-upstream worktree"
)
  .split(" ")
  .map((name) => `--${name}`);

function patterns(table: string): readonly string[] {
  return table
    .trim()
    .split(/\s*\n\s*/)
    .flatMap((line) => {
      const [program = "", names] = line.split(": ");
      return names === undefined ? [`${program} *`] : names.split(" ").map((name) => `${program} ${name} *`);
    });
}
