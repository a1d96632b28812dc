import { existsSync, readdirSync, readFileSync } from "node:fs";

// How bubblewrap is started: by a few lines of the system's shell, which set limits, close descriptors and pass signals on.

/** What a program in a box may use at most. Files are measured in blocks of 512 bytes. */
export const LIMITS = { coreBlocks: 0, fileBlocks: 33_554_432 } as const;

/** The one descriptor besides 0, 1 and 2 that a program in a box can be given, and the variable that says that it is. */
export const EXTRA = 8;
export const KEEPS_EXTRA = "LEEWAY_BOX_KEEPS_8";

/**
 * A socket of another program, or a hidden file, may be gone since the walls were made. There is nothing to cover any more, and
 * bubblewrap would fail. All arguments are gone through once, and put at the end in their order; only walls are left out.
 */
const LOOK_AGAIN = `
isGone=no cover=
for one in "$@"; do
  case $cover in
    '') [ "$one" = --ro-bind ] && cover=from ;;
    from) if [ "$one" = "$empty" ]; then cover=at; else cover=; fi ;;
    at) cover=; [ -e "$one" ] || isGone=yes ;;
  esac
done
left=$#
while [ $isGone = yes ] && [ "$left" -gt 0 ]; do
  if [ "$walls" -ge 3 ] && [ "$1" = --ro-bind ] && [ "$2" = "$empty" ] && ! [ -e "$3" ]; then
    shift 3; left=$((left - 3)) walls=$((walls - 3))
  else
    set -- "$@" "$1"; shift; left=$((left - 1)) walls=$((walls - 1))
  fi
done
`;

const SETUP = `
bwrap=$0 filter=$1 processes=$2 walls=$3 status=$4 after=$5 empty=\${1%filter}empty; shift 5
exec 3<&- 4<&- 5<&- 6<&- 7<&- 9<&-
if [ "\${${KEEPS_EXTRA}:-}" = 1 ]; then unset ${KEEPS_EXTRA}; else exec 8<&-; fi
for one in /proc/self/fd/*; do
  one=\${one##*/}
  [ "$one" -gt 9 ] || continue
  if [ -z "\${BASH_VERSION:-}" ]; then echo "the box is not started: descriptor $one is open, and only bash can close it; install bash, or close the descriptor before you start Leeway" >&2; exit 125; fi
  eval "exec $one<&-"
done
ulimit -c ${LIMITS.coreBlocks} 2>/dev/null
ulimit -f ${LIMITS.fileBlocks} 2>/dev/null
ulimit -u "$processes" 2>/dev/null || ulimit -p "$processes" 2>/dev/null
typing=1
[ -r /proc/sys/dev/tty/legacy_tiocsti ] && read typing </proc/sys/dev/tty/legacy_tiocsti
session=own
[ -t 0 ] && [ "$typing" = 0 ] && session=shared
${LOOK_AGAIN}
[ $session = own ] && set -- --new-session "$@"
`;

/**
 * Bubblewrap itself ends at the first signal, and everything in the box with it. So it ignores signals, and this shell
 * passes them on to the program, which then ends in its own way. `env` undoes the ignoring for the program.
 * In a session of its own the program does not hear the terminal; then interrupts are passed on too.
 * Without a program the box is not made yet, and is ended. If a signal was passed on before, the program is gone because of it: the
 * same signal often comes twice, from the terminal and from the process that started this shell.
 * If the box ends in the moment in which \`wait\` begins, bash loses its code and gives -1; bubblewrap has written it down.
 * dash gives a program in the background an empty input, also if it is told \`<&0\`, and its \`kill\` takes \`--\` for a number.
 */
const PASSING = `${SETUP}
trap '' INT QUIT TERM HUP
exec 7<&0
"$bwrap" "$@" <&7 7<&- 6>"$status" 9<"$filter" &
box=$! passed=no told=no
pass() {
  passed=yes first= program=
  read first rest 2>/dev/null </proc/$box/task/$box/children
  [ -n "$first" ] && read program rest 2>/dev/null </proc/$first/task/$first/children
  if [ -z "$program" ]; then [ $told = yes ] || kill -KILL $box 2>/dev/null
  elif [ $session = own ]; then told=yes; kill -$1 -$first 2>/dev/null
  else told=yes; kill -$1 $program 2>/dev/null
  fi
}
trap 'pass TERM' TERM
trap 'pass HUP' HUP
if [ $session = own ]; then trap 'pass INT' INT; trap 'pass QUIT' QUIT; trap 'pass WINCH' WINCH; fi
wait $box; code=$?
while [ $passed = yes ]; do passed=no; wait $box; code=$?; done
if [ $code = -1 ]; then
  while read -r said; do
    case $said in *'"exit-code": '*) said=\${said##*: } code=\${said%% *} ;; esac
  done <"$status"
fi
trap '' INT QUIT TERM HUP WINCH
eval "$after"
exit $code
`;

const PLAIN = `${SETUP}
[ -n "$after" ] || exec "$bwrap" "$@" 6>"$status" 9<"$filter"
"$bwrap" "$@" 6>"$status" 9<"$filter"; code=$?
eval "$after"
exit $code
`;

/** What the machine's programs can do, found out when the walls are tried. */
export type Launching = {
  bwrap: string;
  env: string | undefined;
  argv0: boolean;
  setpriv: string | undefined;
  /** Whether a box that runs can be given mounts. */
  shares: boolean;
};

/**
 * The shell ends when the process that started it does, however that happened, and the box with it. Otherwise a program in a box
 * would go on without anybody who watches it.
 */
export function tiedToParent({ setpriv }: Launching, shell: string, args: readonly string[]) {
  if (setpriv === undefined) return { program: shell, name: shell, args };
  return { program: setpriv, name: "setpriv", args: ["--pdeathsig", "KILL", "--", shell, ...args] };
}

/**
 * The shell that starts a box. Descriptors above 9 that this process inherited and passes on can be closed by bash only, which
 * takes longer to start.
 */
export function launchingShell(): string {
  const isPassedOn = (descriptor: string) => {
    const flags = /^flags:\s+(\d+)/m.exec(infoOf(descriptor))?.[1] ?? "0";
    return Number(descriptor) > 9 && (Number.parseInt(flags, 8) & CLOSED_ON_START) === 0;
  };
  const needsBash = readdirSync("/proc/self/fd").some(isPassedOn);
  // Where bash is missing, the other shell says what the trouble is.
  return needsBash && existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
}

const CLOSED_ON_START = 0o2000000;

/** A descriptor may have been closed since the list was read; then nobody inherits it. */
function infoOf(descriptor: string): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return `flags: 0${CLOSED_ON_START.toString(8)}`;
    throw error;
  }
}

type Inside = { program: string; name: string; args: readonly string[] };

/** A rehearsal runs in a namespace where the user is called root. In the box it is again who it is outside. */
function asUser(): readonly string[] {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  return user === undefined || group === undefined ? [] : ["--uid", String(user), "--gid", String(group)];
}

type How = { filter: string; processes: number; cwd: string; status: string; after: string };

/**
 * The arguments of that shell. `filter`: the file with the filter of system calls. `status`: the file in which bubblewrap says how it
 * went. `after`: lines for the shell, which it runs when everything in the box has ended.
 */
export function shellArgs(
  { bwrap, env, argv0 }: Launching,
  box: readonly string[],
  inside: Inside,
  { filter, processes, cwd, status, after }: How,
): string[] {
  const named = argv0 && inside.program.split("/").at(-1) !== inside.name ? ["--argv0", inside.name] : [];
  const reset = env === undefined ? [] : [env, "--default-signal=INT,QUIT,TERM,HUP"];
  // With `env` in between, bubblewrap would name that and not the program; and `env` takes a path with `=` for a variable.
  const program = named.length > 0 || inside.program.includes("=") ? [] : reset;
  const script = program.length > 0 ? PASSING : PLAIN;
  const options = [...asUser(), "--seccomp", "9", "--json-status-fd", "6", "--chdir", cwd, ...named];
  return [
    "-c",
    script,
    bwrap,
    filter,
    String(processes),
    String(box.length),
    status,
    after,
    ...box,
    ...options,
    "--",
    ...program,
    inside.program,
    ...inside.args,
  ];
}
