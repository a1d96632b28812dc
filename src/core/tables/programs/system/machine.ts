export const MACHINE_PROGRAMS = String.raw`
# Programs that show information about the machine, the time, users and processes; and programs that only show or compute.

uptime, uname, nproc, lscpu, lsusb, lsmem, lsns, lsblk, lslocks, lslogins, lsipc, free, vmstat, iostat, mpstat, sw_vers,
system_profiler, acpi, lsb_release
  class none
  takes text...
  free
  try uname -a
  try nproc
  try free -h
  try vmstat 1 5
  try lscpu
  try lsblk -f
  try uname -o
  try iostat -o JSON

arch
  class none
  try arch
  try arch -x86_64 rm a => none ?

nvidia-smi
  class none
  options -L,--list-gpus -q,--query -i,--id= -d,--display= -l,--loop= --query-gpu= --query-compute-apps= --format=
  options -x,--xml-format -h,--help
  try nvidia-smi
  try nvidia-smi --query-gpu=name --format=csv
  try nvidia-smi -pm 1 => none ?
  try nvidia-smi -f a => none ?

lspci
  class none
  takes text...
  options -i,-p,-F=read -q,-Q>network.read -O=>permissions.change
  free
  try lspci -v
  try lspci -qq => network.read fs.write
  try lspci -nn -k

blkid
  class none
  takes text...
  options -c,--cache-file=write -w=write
  free
  try blkid
  try blkid -c a => fs.write

sar
  class none
  takes text...
  options -o=write
  free
  try sar -u 1 3
  try sar -o a 1 => fs.write

hostname, domainname, dnsdomainname
  class none
  options -f,--fqdn,--long -s,--short -i,--ip-address -I,--all-ip-addresses -d,--domain -A,--all-fqdns -a,--alias
  options -V,--version,-h,--help
  try hostname
  try hostname -f
  try hostname evil => none ?
  try hostname -F a => none ?

date, gdate
  class none
  check date
  takes text...
  options -s,--set=>permissions.change -d,--date= -r,--reference= -f,--file= -u,--utc,--universal -R,--rfc-email
  options -I,--iso-8601? --rfc-3339= -j -n -v= -z= --resolution --debug --version,--help
  try date
  try date +%F
  try date -u -d '1 day ago' +%s
  try date -s 10:00 => permissions.change
  try date 010203042020 => permissions.change
  try date -j -f %Y 2020 +%s
  try date -f .env => secrets.read
  try date "+%Y $X"

cal, ncal
  class none
  takes text...
  free
  try cal
  try cal 3 2026

ps
  class none
  check ps
  takes text...
  options -E>secrets.read -o,-O,--format= -p,--pid= -u,--user= -U,--User= -t,--tty= -C= -G,--Group= -g,--group=
  options -s,--sid= --ppid= --sort= -k= -q,--quick-pid=
  free
  try ps aux
  try ps -ef
  try ps -o pid,comm -p 1
  try ps auxe => secrets.read
  try ps e => secrets.read
  try ps -E => secrets.read
  try ps axo pid,environ => secrets.read
  try ps --sort -rss -eo pid,rss

top, htop, btop, iotop, pidof, pwdx, pstree, w, whoami, id, groups, logname, tty, nettop, vm_stat
  class none
  takes text...
  free
  try whoami
  try id -u
  try top -bn1
  try pstree -p

who, users
  class none
  takes read...
  free
  try who -b
  try who am i => fs.read
  try who ~/.ssh/id_rsa => secrets.read

last, lastb, lastlog
  class none
  takes read...
  options -f,--file=read -n= -t,--time= -s,--since= -p,--present= -b,--before= -u,--user= -C,--clear>permissions.change
  options -S,--set>permissions.change -R,--root=>permissions.change
  free
  try last -n 5
  try last -5
  try last -f .env => secrets.read
  try lastlog -C -u ana => permissions.change

pmap
  class none
  takes text...
  options -x,--extended -X -d,--device -q,--quiet -p,--show-path -A,--range= -V,--version,-h,--help
  try pmap -x 1
  try pmap -N a 1 => none ?

pgrep
  class none
  takes text...
  options -F,--pidfile=read
  free
  try pgrep -fl node
  try pgrep -u ana
  try pgrep -F a.pid => fs.read

lsof
  class none
  takes text...
  options -D=>permissions.change
  free
  try lsof -i :3000
  try lsof -p 12
  try lsof -Dbx => permissions.change

locale, getconf, tput, clear, reset, tset, infocmp, toe
  class none
  takes text...
  free
  try locale -a
  try tput cols
  try clear
  try getconf PAGE_SIZE

stty
  class none
  takes text...
  options -F,-f,--file=>permissions.change
  free
  try stty size
  try stty -F /dev/ttyS0 raw => permissions.change

findmnt
  class none
  takes text...
  options -F,--tab-file=read
  free
  try findmnt -t ext4
  try findmnt -F .env => secrets.read

getent
  class none
  takes text...
  options -s,--service=code -i,--no-idn --version,--help
  try getent passwd ana
  try getent -s ./x passwd => process.exec ?

getent hosts, getent ahosts, getent ahostsv4, getent ahostsv6, getent networks, getent netgroup
  class network.read
  check lookup
  takes text...
  options -s,--service=code -i,--no-idn
  try getent hosts example.com
  try getent ahosts $X => network.read ?

getent shadow, getent gshadow
  class secrets.read
  takes text...
  free
  try getent shadow

localectl, timedatectl, hostnamectl
  class none
  options --no-pager --no-ask-password -a,--all -p,--property= --value --json= -H,--host=>network.write
  options -M,--machine=>process.exec --static --transient --pretty --version,-h,--help
  everywhere
  try timedatectl
  try hostnamectl --static
  try timedatectl -H h status => network.write

localectl status, localectl list-locales, localectl list-keymaps, timedatectl status, timedatectl show,
timedatectl list-timezones, timedatectl timesync-status, hostnamectl status
  class none
  try timedatectl show
  try localectl status

timedatectl set-time, timedatectl set-timezone, timedatectl set-ntp, timedatectl set-local-rtc, localectl set-locale,
localectl set-keymap, hostnamectl set-hostname, hostnamectl hostname
  class permissions.change
  takes text...
  free
  try timedatectl set-ntp false
  try hostnamectl set-hostname a

printenv
  class none
  check variables
  takes text...
  options -0,--null --version,--help
  try printenv PATH
  try printenv HOME USER
  try printenv => secrets.read
  try printenv GITHUB_TOKEN => secrets.read
  try printenv AWS_SECRET_ACCESS_KEY => secrets.read
  try printenv $X => secrets.read ?

envsubst
  class secrets.read
  takes text?
  options -v,--variables<none -V,--version,-h,--help<none
  try envsubst < a.tpl => fs.read secrets.read
  try envsubst -v '$A' => none

whatis, apropos
  class none
  takes text...
  options -C,--config-file=code
  free
  try apropos tar
  try whatis -C ./x ls => process.exec ?

which, whereis, help, run-help
  class none
  takes text...
  free
  try which node
  try which -a python3
  try whereis git
  try help cd

info
  class none
  check man
  takes text...
  options -o,--output=write -n,--node= -d,--directory= -f,--file=read -k,--apropos= -a,--all -w,--where,--location
  options --subnodes --version,-h,--help
  try info ls
  try info ./.env => secrets.read ?
  try info --output=x ls => fs.write
  try info --init-file=x ls => none ?

man
  class none
  check man
  takes text...
  options -P,--pager=program -H,--html? -C,--config-file=code -k,--apropos -f,--whatis -a,--all
  options -w,--where,--path,--location -K,--global-apropos -s,-S,--sections= -L,--locale= -e,--extension=
  options -i,--ignore-case -I,--match-case --regex --wildcard --names-only -u,--update -c,--catman -7,--ascii
  options -E,--encoding= -V,--version,-h,--help
  try man ls
  try man 5 crontab
  try man -k tar
  try man -P 'rm a' ls => fs.delete process.exec
  try man -P cat ls => fs.read
  try man -H./x ls => none ?
  try man -l ./a.1 => fs.read ?
  try man ./.env => secrets.read ?

tldr, cheat
  class network.read
  takes text...
  options -u,--update -l,--list -p,--platform= -L,--language= -v,--version,-h,--help
  try tldr tar
  try tldr -u

sleep, yes, usleep
  class none
  takes text...
  free
  try sleep 5
  try yes | head -1 => fs.read

bc
  class none
  takes read...
  options -e,--expression= -f,--file=read -S,--scale= -I,--ibase= -O,--obase= -E,--seed=
  free
  try echo '1+2' | bc
  try bc -l a.bc => fs.read

dc
  class process.exec
  takes read...
  free
  try dc -e '2 3 + p' => process.exec fs.read

figlet, uuidgen
  class none
  takes text...
  options -w= -n,--sha1 -r,--random -t,--time -c -l -s -k -d,--date -v,--version,-h,--help
  try uuidgen
  try figlet hi
  try uuidgen -r
`;
