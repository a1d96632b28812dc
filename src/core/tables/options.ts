/** How a program spells its options: enough to recognise the same option under another name. */
export type ProgramOptions = {
  /** Options whose value is the next word, in every place. */
  readonly valued: readonly string[];
  /** Spellings of one option, for the whole program or under one subcommand. */
  readonly same: { readonly [subcommand: string]: readonly (readonly string[])[] };
  /** `-rf` is `-r -f`. */
  readonly clusters: boolean;
  /** `--har` is `--hard`. */
  readonly abbreviates: boolean;
};

const FORCE = ["-f", "--force"];
const RECURSIVE = ["-r", "-R", "--recursive"];
const ALL = ["-a", "--all"];
const GLOBAL = ["-g", "--global"];
const gnu = (groups: readonly (readonly string[])[], valued: readonly string[] = []): ProgramOptions => ({
  valued,
  same: { "": groups },
  clusters: true,
  abbreviates: true,
});

const MYSQL = [
  ["-e", "--execute"],
  ["-h", "--host"],
  ["-u", "--user"],
  ["-D", "--database"],
];
const MYSQL_VALUED = ["-e", "--execute", "-h", "--host", "-u", "--user", "-D", "--database", "-P", "--port", "-S"];
const PYTHON: ProgramOptions = { valued: ["-c", "-m", "-W", "-X"], same: {}, clusters: true, abbreviates: false };

const DOCKER: ProgramOptions = {
  valued: [
    "-H",
    "--host",
    "-c",
    "--context",
    "--config",
    "-l",
    "--log-level",
    "-v",
    "--volume",
    "-e",
    "--env",
    "-w",
    "-u",
  ],
  same: {
    compose: [["-v", "--volumes"]],
    rm: [FORCE, ["-v", "--volumes"]],
    rmi: [FORCE],
    prune: [FORCE, ALL],
    run: [
      ["-d", "--detach"],
      ["-e", "--env"],
      ["-v", "--volume"],
      ["-u", "--user"],
      ["-w", "--workdir"],
    ],
  },
  clusters: true,
  abbreviates: false,
};

export const PROGRAM_OPTIONS: { readonly [program: string]: ProgramOptions } = {
  chmod: gnu(
    [
      ["-R", "--recursive"],
      ["-f", "--silent", "--quiet"],
    ],
    ["--reference"],
  ),
  chgrp: gnu([["-R", "--recursive"]], ["--reference"]),
  chown: gnu([["-R", "--recursive"]], ["--reference", "--from"]),
  cp: gnu([["-a", "--archive"], FORCE, RECURSIVE], ["-t", "--target-directory", "-S", "--suffix"]),
  curl: {
    valued: [
      "-X",
      "--request",
      "-d",
      "--data",
      "-H",
      "--header",
      "-o",
      "--output",
      "-u",
      "--user",
      "-T",
      "--upload-file",
    ],
    same: {
      "": [
        ["-X", "--request"],
        ["-d", "--data"],
        ["-o", "--output"],
        ["-T", "--upload-file"],
        ["-k", "--insecure"],
      ],
    },
    clusters: true,
    abbreviates: true,
  },
  crontab: gnu([], ["-u"]),
  docker: DOCKER,
  gh: {
    valued: ["-R", "--repo"],
    same: {
      "": [
        ["-R", "--repo"],
        ["-y", "--yes"],
      ],
    },
    clusters: false,
    abbreviates: false,
  },
  git: {
    valued: [
      "-C",
      "-c",
      "--git-dir",
      "--work-tree",
      "--namespace",
      "--exec-path",
      "--config-env",
      "-o",
      "--push-option",
      "-m",
    ],
    same: {
      add: [FORCE, ["-A", "--all"]],
      branch: [["-d", "--delete"], FORCE, ["-m", "--move"]],
      checkout: [FORCE, ["-B"]],
      clean: [FORCE, ["-d"], ["-x"]],
      commit: [["-n", "--no-verify"], ALL, ["-m", "--message"]],
      push: [FORCE, ["-d", "--delete"], ["-n", "--dry-run"], ["-u", "--set-upstream"]],
      rebase: [["-i", "--interactive"], FORCE],
      reset: [["--hard"]],
      rm: [FORCE, ["-r"]],
      tag: [FORCE, ["-d", "--delete"]],
    },
    clusters: true,
    abbreviates: true,
  },
  gpg: gnu([["-d", "--decrypt"]], ["--homedir", "-u", "--local-user", "-r", "--recipient", "-o", "--output"]),
  helm: {
    valued: ["-n", "--namespace", "--kube-context", "--kubeconfig", "-f", "--values"],
    same: {
      "": [
        ["-n", "--namespace"],
        ["-f", "--values"],
        ["-i", "--install"],
      ],
    },
    clusters: false,
    abbreviates: false,
  },
  iptables: gnu(
    [
      ["-F", "--flush"],
      ["-A", "--append"],
      ["-D", "--delete"],
      ["-I", "--insert"],
      ["-P", "--policy"],
      ["-X", "--delete-chain"],
    ],
    ["-t", "--table", "-j", "--jump", "-p", "-s", "-d"],
  ),
  kubectl: {
    valued: [
      "-n",
      "--namespace",
      "--context",
      "--cluster",
      "--kubeconfig",
      "-s",
      "--server",
      "-f",
      "--filename",
      "-l",
      "--selector",
    ],
    same: {
      "": [
        ["-n", "--namespace"],
        ["-f", "--filename"],
        ["-A", "--all-namespaces"],
        ["-l", "--selector"],
      ],
    },
    clusters: false,
    abbreviates: false,
  },
  ln: gnu([["-s", "--symbolic"], FORCE, ["-n", "--no-dereference"]], ["-t", "--target-directory", "-S", "--suffix"]),
  mariadb: gnu(MYSQL, MYSQL_VALUED),
  mkdir: gnu([["-p", "--parents"]], ["-m", "--mode"]),
  mv: gnu([FORCE], ["-t", "--target-directory", "-S", "--suffix"]),
  mysql: gnu(MYSQL, MYSQL_VALUED),
  nerdctl: DOCKER,
  npm: {
    valued: ["--prefix", "-C", "--registry", "-w", "--workspace", "--userconfig", "--loglevel"],
    same: { "": [GLOBAL, FORCE, ["-D", "--save-dev"], ["-w", "--workspace"], ["-y", "--yes"]] },
    clusters: false,
    abbreviates: false,
  },
  pnpm: {
    valued: ["-C", "--dir", "-F", "--filter"],
    same: { "": [GLOBAL, FORCE, ["-D", "--save-dev"], ["-r", "--recursive"], ["-F", "--filter"]] },
    clusters: false,
    abbreviates: false,
  },
  podman: DOCKER,
  psql: gnu(
    [
      ["-c", "--command"],
      ["-f", "--file"],
      ["-d", "--dbname"],
      ["-h", "--host"],
      ["-U", "--username"],
      ["-o", "--output"],
      ["-l", "--list"],
    ],
    ["-c", "-d", "-f", "-h", "-p", "-U", "-v", "-o", "-L", "-F", "-P", "-R", "-T"].concat([
      "--command",
      "--dbname",
      "--file",
      "--host",
      "--port",
      "--username",
      "--set",
      "--variable",
      "--output",
    ]),
  ),
  python: PYTHON,
  python3: PYTHON,
  rm: gnu([FORCE, RECURSIVE, ["-d", "--dir"], ["-i"], ["-v", "--verbose"]]),
  rsync: gnu([["-a", "--archive"], ["-n", "--dry-run"], RECURSIVE], ["-e", "--rsh"]),
  sed: gnu(
    [
      ["-i", "--in-place"],
      ["-n", "--quiet", "--silent"],
      ["-E", "-r", "--regexp-extended"],
    ],
    ["-e", "--expression"],
  ),
  scp: gnu([], ["-i", "-P", "-o", "-F", "-J", "-l", "-S"]),
  "ssh-keygen": gnu([], ["-f", "-t", "-b", "-C", "-N", "-P"]),
  systemctl: {
    valued: ["-H", "--host", "-M", "--machine", "-t", "--type"],
    same: { "": [FORCE, ["-q", "--quiet"], ["-H", "--host"]] },
    clusters: true,
    abbreviates: true,
  },
  tar: gnu(
    [
      ["-x", "--extract", "--get"],
      ["-c", "--create"],
      ["-t", "--list"],
      ["-r", "--append"],
      ["-u", "--update"],
      ["-f", "--file"],
      ["-C", "--directory"],
    ],
    ["-f", "--file", "-C", "--directory", "-T", "--files-from", "-X", "--exclude-from", "-I", "--exclude"],
  ),
  terraform: {
    valued: [],
    same: {
      "": [
        ["-auto-approve", "--auto-approve"],
        ["-destroy", "--destroy"],
        ["-chdir", "--chdir"],
      ],
    },
    clusters: false,
    abbreviates: false,
  },
  wget: gnu(
    [["-O", "--output-document"], ["-i", "--input-file"], ["-P", "--directory-prefix"], RECURSIVE],
    ["-O", "--output-document", "-o", "-a", "-P", "--directory-prefix", "-i", "--input-file", "-e", "-U", "-T", "-t"],
  ),
  yarn: { valued: ["--cwd"], same: { "": [GLOBAL, FORCE, ["-D", "--dev"]] }, clusters: false, abbreviates: false },
};

/** Folders of the system's programs: a program there is the same as its bare name. */
export const PROGRAM_FOLDERS = ["/bin/", "/sbin/", "/usr/bin/", "/usr/local/bin/", "/usr/sbin/"] as const;
