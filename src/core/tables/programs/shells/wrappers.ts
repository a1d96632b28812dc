export const WRAPPER_PROGRAMS = String.raw`
# Programs that run the words they get as a command.

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
