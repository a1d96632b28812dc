export const PROCESS_PROGRAMS = String.raw`
# Processes, and timers that start them later.

kill
  class process.exec
  takes text...
  options -l,-L,--list,--table<none
  free
  reversible no
  try kill 12
  try kill -9 12
  try kill -KILL 12
  try kill -l => none

killall, pkill, skill, xkill, killall5, taskkill
  class process.exec
  takes text...
  free
  reversible no
  try pkill -f node
  try killall node

fuser
  class none
  takes text...
  options -v,--verbose -a,--all -u,--user -m,--mount -M,--ismountpoint -n,--namespace= -4,--ipv4 -6,--ipv6 -s,--silent
  options -l,--list-signals -k,--kill>process.exec -i,--interactive -w
  try fuser -v 8080/tcp
  try fuser -k 3000/tcp => process.exec
  try fuser -km /mnt => process.exec
  try fuser -9 -k a => process.exec ?

renice, prlimit, cpulimit, gcore, reptyr, dtrace, dtruss, bpftrace, tcpdump, tshark, sysdig, opensnoop
  class process.exec
  takes text...
  free
  try renice 5 12
  try gcore 12

crontab
  class schedule.write
  takes read?
  options -l<fs.read -u= -e>process.exec -r!>fs.delete -i -s -n -T=read -V<none
  try crontab -l => fs.read
  try crontab a => fs.read schedule.write
  try crontab -r
  try crontab -e
  try crontab -u ana -l => fs.read
  try echo x | crontab - => schedule.write

at, batch
  class schedule.write
  takes text...
  options -f=read -q= -m -M -t= -v -b -d,-r>fs.delete -l<none -c<secrets.read -V<none
  try at now + 1 hour
  try at -f a.sh 10:00 => fs.read schedule.write
  try at -l => none
  try batch

atq
  class none
  takes text...
  free
  try atq

atrm, anacron, systemd-cron, fcrontab
  class schedule.write
  takes text...
  free
  try atrm 1
`;
