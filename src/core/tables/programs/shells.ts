export const SHELL_PROGRAMS = String.raw`
# Shells, shell builtins, and programs that run the words they get.

bash, sh, dash, zsh, ksh, ash, mksh, rbash
  class process.exec
  check shell
  try bash build.sh => fs.read process.exec
  try bash -c 'ls src' => fs.read
  try sh -ec 'rm a' => fs.delete
  try bash --version => none
  try bash -n a.sh => fs.read
  try bash -n -c x => process.exec
  try bash -s => process.exec ?
  try echo ls | bash => process.exec ?
  try bash --rcfile x => fs.read process.exec ?
  try bash <<< 'rm a' => fs.delete
  try bash -c "$X" => process.exec ?

fish, csh, tcsh, elvish, nu, xonsh, cmd, osh, ysh, rc
  class process.exec
  takes text...
  options --version<none
  free
  partly note.shell_grammar_not_examined
  try fish -c 'rm a' => process.exec ?
  try nu -c ls => process.exec ?

# Builtins that print or compute something.
echo
  class none
  takes text...
  free
  try echo hi
  try echo $HOME
  try echo "$USER $(date)"
  try echo *.ts
  try echo $AWS_SECRET_ACCESS_KEY => secrets.read
  try echo "key: ${"${"}API_KEY}" => secrets.read
  try echo ${"${"}#API_KEY}
  try echo hi > a => fs.write
  try echo $KEYBOARD $MONKEY
  try X=$GITHUB_TOKEN; echo $X => secrets.read
  try echo ${"${"}!NAME} => secrets.read ?

printf
  class none
  check names
  takes text...
  options -v=
  free
  try printf '%s\n' a
  try printf -v x %s a
  try printf -v 'x[$(rm a)]' b => none ?
  try printf %s "$DB_PASSWORD" => secrets.read

true, false, :, pwd, exit, return, break, continue, shift, times, dirs, wait, fg, bg, disown, suspend, logout, caller,
umask, ulimit, getopts
  class none
  check names
  takes text...
  free
  keeps
  try true
  try pwd
  try exit 1
  try wait
  try umask
  try umask 022 => none ?
  try : "${"${"}A:=b}"
  try wait -n -p 'x[$(rm a)]' => none ?
  try ulimit -n

jobs
  class none
  takes text...
  options -l -n -p -r -s -x=command
  try jobs -l
  try jobs -x rm a => fs.delete

test, [, [[
  class none
  check test
  takes text...
  free
  keeps
  try test -f a
  try [ -f a ]
  try [ "$A" = b ]
  try [ -n "$GITHUB_TOKEN" ]
  try test -v 'x[$(rm a)]' => none ?
  try [ -v A ]
  try test -f a && echo yes

cd, pushd, popd, chdir
  class none
  takes text...
  free
  keeps
  try cd src
  try cd -
  try cd "$X" && ls => fs.read ?

type
  class none
  takes text...
  free
  try type node
  try type -a ls

compgen
  class none
  takes text?
  options -a -b -c -d -e -f -g -j -k -s -u -v -A=
  try compgen -c
  try compgen -A function
  try compgen -W '$(rm a)' => none ?
  try compgen -C ./x => none ?

hash
  class none
  takes text...
  options -r -l -t -d
  try hash -r
  try hash node
  try hash -p ./x ls => none ?

history
  class secrets.read
  takes text?
  options -c<fs.delete -d=<fs.delete -w=write -a=write
  try history
  try history 20
  try history -c => fs.delete
  try history -w ~/.bashrc => permissions.change secrets.read
  try history -s a => secrets.read ?

fc, bind, complete, compopt
  class process.exec
  takes text...
  free
  try fc -s
  try bind -x '"a": rm b'

# Builtins that change the shell.
export, declare, typeset, local, readonly
  class none
  check declaring
  takes text...
  options -p -x -r -a -A -g -l -u -t -F -f -n -i +x +r +a +i -I
  keeps
  try export A=1
  try export PATH
  try export -n PATH => none ?
  try declare +x PATH => none ?
  try local PATH => none ?
  try declare -a x
  try local x=1
  try export PATH=/tmp:$PATH => none ?
  try export LD_PRELOAD=x => none ?
  try export => secrets.read
  try export -p => secrets.read
  try declare => secrets.read
  try declare -p => secrets.read
  try declare -F
  try declare -n x=y => none ?
  try declare -i x=y => none ?
  try declare 'x[$(rm a)]=1' => none ?
  try export GH_TOKEN=$GITHUB_TOKEN
  try readonly A
  try export "$X=/tmp" => none ?
  try export $(ls) => fs.read ?

unset
  class none
  check names
  takes text...
  options -f -v -n
  keeps
  try unset A
  try unset -f a
  try unset PATH => none ?
  try unset -f PATH
  try unset http_proxy
  try unset "$X" => none ?
  try unset HISTFILE => none ?
  try unset 'x[$(rm a)]' => none ?

read
  class none
  check names
  takes text...
  options -r -s -e -E -a= -d= -i= -n= -N= -p= -t= -u=
  try read -r x
  try read -p 'ok? ' x
  try read -ra x
  try read 'x[$(rm a)]' => none ?
  try read PATH => none ?

mapfile, readarray
  class none
  check names
  takes text...
  options -t -d= -n= -O= -s= -u= -c= -C=line
  try mapfile -t x
  try mapfile -C 'rm a' x => fs.delete
  try readarray -t LD_PRELOAD => none ?

set
  class none
  check setting
  takes text...
  free
  try set -e
  try set -euo pipefail
  try set -- a b
  try set +x
  try set => secrets.read
  try set -o

shopt, unalias
  class none
  takes text...
  free
  try shopt -s globstar
  try unalias -a

alias
  class none
  check names
  takes text...
  free
  try alias
  try alias ll
  try alias ll='ls -l' => none ?
  try alias ls='rm -rf a'; ls => fs.read ?

enable
  class none
  takes code...
  options -a -n>process.exec -p -s -d>process.exec -f=code
  try enable -a
  try enable -n echo => process.exec ?
  try enable -f ./x.so y => process.exec ?
  try enable ./x.so => process.exec ?

let
  class none
  check counting
  takes text...
  try let 1+1
  try let x=1+2
  try let PATH=1 => none ?
  try let 'x[$(rm a)]' => none ?
  try let i++ => none ?

trap
  class none
  check trap
  takes text...
  options -l -p -P
  try trap 'rm a' EXIT => fs.delete ?
  try trap - EXIT
  try trap '' INT
  try trap -p
  try trap cleanup EXIT => process.exec
  try trap "rm $X" EXIT => none ?
  try trap 2

# Builtins that run something.
eval
  class none
  check joined
  takes command
  try eval 'ls src' => fs.read
  try eval rm a => fs.delete
  try eval ls '> a' => fs.read fs.write
  try eval "$X" => none ?
  try eval "$(ssh-agent -s)" => process.exec ?

command
  class none
  check command
  takes command
  options -p -v -V
  try command -v node
  try command -V rm
  try command rm a => fs.delete
  try command ls => fs.read
  try command -p ls => fs.read ?

builtin
  class none
  takes command
  try builtin echo hi
  try builtin cd src

exec
  class none
  check exec
  takes command
  options -a= -c -l
  try exec ls => fs.read
  try exec > a => fs.write
  try exec -a x rm b => fs.delete ?
  try exec -c ls => fs.read ?
  try exec 3<&0

source, .
  class process.exec
  check source
  takes text...
  try source a.sh => fs.read process.exec
  try . ./a => fs.read process.exec
  try source .venv/bin/activate => fs.read process.exec
  try source <(ls) => fs.read process.exec ?
  try source /dev/stdin => process.exec ?

coproc
  class none
  takes command
  try coproc ls => fs.read ?

# Programs that run the words they get.
time, gtime
  class none
  takes command
  options -p,--portability -o,--output=write -f,--format= -a,--append -v,--verbose -q,--quiet -l -V,--version,--help
  try time ls => fs.read
  try time rm a => fs.delete
  try /usr/bin/time -v ls => fs.read
  try /usr/bin/time -o a ls => fs.read fs.write

timeout, gtimeout
  class none
  takes text command
  options -k,--kill-after= -s,--signal= --preserve-status -p --foreground -f -v,--verbose
  try timeout 5 ls => fs.read
  try timeout -s KILL 5 rm a => fs.delete
  try timeout 5 $X => process.exec ?

nohup, setsid
  class none
  takes command
  options -c,--ctty -f,--fork -w,--wait
  try nohup ls => fs.read
  try setsid -w rm a => fs.delete

nice, gnice
  class none
  takes command
  options -n,--adjustment= -#
  try nice ls => fs.read
  try nice -n 10 rm a => fs.delete
  try nice -10 ls => fs.read
  try nice

ionice
  class none
  takes command
  options -c,--class= -n,--classdata= -t,--ignore -p,--pid=>process.exec -P,--pgid=>process.exec -u,--uid=>process.exec
  try ionice -c 3 rm a => fs.delete
  try ionice -p 12 => process.exec

stdbuf, unbuffer
  class none
  takes command
  options -i,--input= -o,--output= -e,--error= -p
  try stdbuf -oL ls => fs.read
  try stdbuf -o L rm a => fs.delete
  try unbuffer ls => fs.read

chronic
  class none
  takes command
  options -v -e
  try chronic ls => fs.read
  try chronic rm a => fs.delete

numactl
  class permissions.change
  check alone
  takes text...
  options -H,--hardware<none -s,--show<none
  free
  try numactl -H => none
  try numactl --cpubind=0 ls
  try numactl -H ls

chroot, nsenter, unshare, setpriv, firejail, bwrap, proot, fakeroot, fakechroot, setarch, linux32, linux64, taskset,
chrt, choom, cgexec, daemonize
  class permissions.change
  takes text...
  free
  try chroot /mnt rm a
  try nsenter -t 1 -m ls
  try unshare -r sh
  try taskset 1 ls

env, genv
  class none
  check env
  takes env... command
  options -i,--ignore-environment -u,--unset= -C,--chdir=folder -S,--split-string=line -0,--null -v,--debug
  options --default-signal? --ignore-signal? --block-signal? --version,--help
  try env A=1 ls => fs.read
  try env => secrets.read
  try env | grep PATH => fs.read secrets.read
  try env -i rm a => fs.delete ?
  try env - ls => fs.read ?
  try env -u PATH ls => fs.read ?
  try env -u FOO ls => fs.read
  try env -S 'rm a' => fs.delete
  try env LD_PRELOAD=x ls => fs.read ?
  try env -C src rm a => fs.delete
  try env -P /tmp ls => process.exec ?
  try env -u A bash -c 'rm a' => fs.delete

sudo, doas
  class permissions.change
  takes env... command
  options -u,--user= -g,--group= -n,--non-interactive -E,--preserve-env? -H,--set-home -k,--reset-timestamp
  options -K,--remove-timestamp -b,--background -S,--stdin -A,--askpass -B,--bell -P,--preserve-groups -p,--prompt=
  options -C,--close-from= -D,--chdir=folder -T,--command-timeout= -h,--host= -l,--list -v,--validate -i,--login
  options -s,--shell -V,--version
  try sudo ls => fs.read permissions.change
  try sudo -u ana rm a => fs.delete permissions.change
  try sudo -n A=1 ls => fs.read permissions.change
  try sudo -i
  try sudo -R /x ls => process.exec permissions.change ?
  try sudo sh -c 'rm a' => fs.delete permissions.change

watch, gwatch
  class none
  check joined
  takes command
  options -n,--interval= -d,--differences? -t,--no-title -b,--beep -e,--errexit -g,--chgexit -c,--color -x,--exec
  options -p,--precise -w,--no-wrap -q,--equexit= -v,--version,-h,--help
  try watch ls => fs.read
  try watch -n 1 'ls | wc -l' => fs.read
  try watch -n 5 rm -rf a => fs.delete
  try watch "rm $X" => none ?

flock
  class none
  takes write command
  options -s,--shared -x,-e,--exclusive -u,--unlock -n,--nb,--nonblock -w,--wait,--timeout= -o,--close -c,--command=line
  options -E,--conflict-exit-code= -F,--no-fork --verbose -V,--version,-h,--help
  try flock a.lock ls => fs.read fs.write
  try flock -n a.lock rm b => fs.delete fs.write
  try flock a.lock -c 'rm b' => fs.delete fs.write
  try flock -n 9 => fs.write

script
  class process.exec
  check recorded
  takes write? text...
  options -c,--command=line<none -q,--quiet -a,--append -e,--return -f,--flush -t,--timing?write -T,--log-timing=write
  options -O,--log-out=write -I,--log-in=write -B,--log-io=write -E,--echo= -m,--logging-format= -o,--output-limit=
  options --force -V,--version,-h,--help<none
  try script -qec 'rm a' /dev/null => fs.delete
  try script -c ls out => fs.read fs.write
  try script -c ls => fs.read fs.write
  try script -qc ls -O a => fs.read fs.write
  try script --version => none
  try script out => fs.write process.exec
  try script -q /dev/null rm a => process.exec

xargs, gxargs
  class none
  check xargs
  takes command
  options -0,--null -n,--max-args= -P,--max-procs= -I= -i,--replace? -r,--no-run-if-empty -t,--verbose -d,--delimiter=
  options -L,--max-lines= -l? -a,--arg-file=list -s,--max-chars= -x,--exit -p,--interactive -E= -e,--eof?
  options --process-slot-var= -o,--open-tty -J= -R= -S= --show-limits
  try find . -name '*.ts' | xargs wc -l => fs.read
  try xargs => none
  try ls | xargs rm => fs.delete fs.read
  try ls | xargs -I{} rm {} => fs.delete fs.read
  try echo a | xargs rm => fs.delete ?
  try ls | xargs -n 1 sh -c 'rm $0' => fs.delete fs.read ?
  try echo .env | xargs -iX cat X => fs.read ?
  try echo .env | xargs --replace=X cat X => fs.read ?
  try xargs -a names rm => fs.delete fs.read ?
  try git ls-files | xargs -0 -n1 basename => fs.read
  try echo a | xargs

parallel
  class process.exec
  check parallel
  takes command
  options -j,--jobs= -I= --colsep= -a,--arg-file=list -n,--max-args= -N,--max-replace-args= --joblog=write
  options --results=write --tmpdir=write -S,--sshlogin=>network.write --sshloginfile=list --delay= --timeout= --retries=
  options -d,--delimiter= --halt= --tag-string= --version,--help<none
  free
  try parallel rm ::: a b => fs.delete process.exec ?
  try parallel -j 4 'rm {}' ::: a => fs.delete process.exec ?
  try ls | parallel => fs.read process.exec ?
  try parallel --version => none

busybox, toybox
  class none
  takes command
  options --list --list-full --help --long
  try busybox rm a => fs.delete
  try busybox ls => fs.read
  try busybox --list
  try busybox sh -c 'rm a' => fs.delete
  try busybox nc -l => network.write
  try busybox --install => none ?
  try toybox cat .env => secrets.read fs.read

caffeinate
  class none
  takes command
  options -d -i -m -s -u -t= -w=
  try caffeinate -i ls => fs.read
  try caffeinate rm a => fs.delete

systemd-run, systemd-inhibit, systemd-nspawn, systemd-cat
  class process.exec
  takes command
  options --user --scope -t,--pty -P,--pipe -q,--quiet --wait -G,--collect -u,--unit= --description= -d,--same-dir
  options --on-calendar=>schedule.write --on-active=>schedule.write --on-boot=>schedule.write
  options --on-startup=>schedule.write --on-unit-active=>schedule.write --timer-property=>schedule.write --what= --who=
  options --why= --mode= --version,-h,--help<none
  try systemd-run --user rm a => fs.delete process.exec
  try systemd-run --on-calendar=daily rm a => fs.delete schedule.write
  try systemd-run -p X=y ls => process.exec ?

entr, watchexec, chokidar, inotifywait
  class process.exec
  takes text...
  options --version,--help<none
  free
  try ls | entr rm a => fs.read process.exec
  try watchexec -e ts npm test

run-parts, autoexpect, dialog, whiptail, fzf, sk, dvtm, abduco, zellij, byobu
  class process.exec
  takes text...
  options --version,--help<none
  free
  try run-parts /etc/cron.daily
  try fzf --preview 'rm a'

tmux
  class process.exec
  takes text...
  options -V<none
  free
  try tmux new -d 'rm a'
  try tmux send-keys -t a 'rm b' Enter
  try tmux -V => none
  try tmux kill-server

tmux ls, tmux list-sessions, tmux list-windows, tmux list-panes, tmux list-clients, tmux lsw, tmux lsp, tmux lsc,
tmux has-session, tmux has, tmux list-commands, tmux list-keys
  class none
  options -a -s -t=
  try tmux ls
  try tmux list-panes -a
  try tmux has-session -t a
  try tmux ls -F '#(rm a)' => none ?

tmux capture-pane, tmux capturep
  class fs.read
  options -p -t= -S= -E= -e -J -N -q -a -C -P
  try tmux capture-pane -p -t a
  try tmux capture-pane -pt a -S -100

screen
  class process.exec
  check alone
  takes text...
  options -ls,-list,-v<none
  free
  words
  try screen -ls => none
  try screen -dm rm a
  try screen -S a -X stuff b
`;
