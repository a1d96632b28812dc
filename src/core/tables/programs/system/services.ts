export const SERVICE_PROGRAMS = String.raw`
# Services, logs, and the state of the machine as a whole.

systemctl
  class none
  options -H,--host=host>network.write -M,--machine=>process.exec --root=>permissions.change --image=>permissions.change
  options -t,--type= --state= -p,--property= -P= -n,--lines= -o,--output= -a,--all -l,--full -q,--quiet -r,--recursive
  options --reverse --after --before --plain --value --no-pager --no-legend --legend? --user --system --failed
  options --show-types --with-dependencies --no-ask-password -T -f,--force --now --runtime --job-mode= --kill-whom=
  options -s,--signal= --what= --message= --wait --no-block --no-wall --dry-run --preset-mode= --timestamp=
  options --version,-h,--help<none
  everywhere
  try systemctl
  try systemctl --failed
  try systemctl --version
  try systemctl -H h status => network.write

systemctl status, systemctl list-units, systemctl list-unit-files, systemctl list-timers, systemctl list-sockets,
systemctl list-dependencies, systemctl list-jobs, systemctl list-machines, systemctl list-paths,
systemctl list-automounts, systemctl is-active, systemctl is-enabled, systemctl is-failed, systemctl is-system-running,
systemctl cat, systemctl get-default, systemctl help, systemctl whoami
  class none
  takes text...
  try systemctl status nginx
  try systemctl list-units --type=service --no-pager
  try systemctl --user is-active a

systemctl show
  class none
  check unit
  takes text...
  try systemctl show -p MainPID a
  try systemctl show --property=ActiveState --value a
  try systemctl show a => secrets.read
  try systemctl show -p MainPID,Environment a => secrets.read

systemctl show-environment
  class secrets.read
  try systemctl --user show-environment

systemctl start, systemctl stop, systemctl restart, systemctl reload, systemctl try-restart, systemctl reload-or-restart,
systemctl try-reload-or-restart, systemctl isolate, systemctl kill, systemctl clean, systemctl freeze, systemctl thaw,
systemctl reset-failed, systemctl daemon-reload, systemctl daemon-reexec, systemctl cancel, systemctl bind,
systemctl mount-image
  class process.exec
  takes text...
  try systemctl restart nginx
  try systemctl daemon-reload
  try systemctl --user stop a

systemctl enable, systemctl disable, systemctl reenable, systemctl preset, systemctl preset-all, systemctl mask,
systemctl unmask, systemctl link, systemctl revert, systemctl add-wants, systemctl add-requires, systemctl edit,
systemctl set-default, systemctl set-property, systemctl set-environment, systemctl unset-environment,
systemctl import-environment, systemctl reboot, systemctl poweroff, systemctl halt, systemctl kexec, systemctl exit,
systemctl switch-root, systemctl suspend, systemctl hibernate, systemctl hybrid-sleep, systemctl suspend-then-hibernate,
systemctl emergency, systemctl rescue, systemctl default, systemctl log-level, systemctl log-target,
systemctl service-watchdogs
  class permissions.change
  takes text...
  free
  try systemctl enable --now a
  try systemctl mask a
  try systemctl reboot

service
  class process.exec
  check service
  takes text...
  options --status-all<none --version,-h,--help<none
  try service nginx restart
  try service nginx status => none
  try service --status-all => none

rc-service, rc-update, update-rc.d, chkconfig, invoke-rc.d, sv, supervisorctl, initctl, start-stop-daemon, svc
  class process.exec
  takes text...
  free
  try rc-service nginx start
  try supervisorctl reload

journalctl
  class fs.read
  takes text...
  options -u,--unit= --user-unit= -n,--lines? -f,--follow -e,--pager-end -x,--catalog -r,--reverse -k,--dmesg -b,--boot?
  options -p,--priority= -S,--since= -U,--until= -o,--output= -q,--quiet -a,--all -l,--full -m,--merge -t,--identifier=
  options -g,--grep= -F,--field= -D,--directory=deep --file=read -N,--fields --output-fields= -# --list-boots
  options --disk-usage --no-pager --no-tail --no-hostname --utc --user --system --header --case-sensitive? --facility=
  options -c,--cursor= --after-cursor= --show-cursor --verify --vacuum-size,--vacuum-time,--vacuum-files=!>fs.delete
  options --rotate>process.exec --flush>process.exec --sync --update-catalog>permissions.change
  options --setup-keys>permissions.change --version,-h,--help<none
  try journalctl -u nginx -n 50 --no-pager
  try journalctl --since '1 hour ago' -p err
  try journalctl --vacuum-time=1d => fs.delete
  try journalctl -M c => fs.read ?

dmesg
  class fs.read
  options -T,--ctime -H,--human -w,--follow -W,--follow-new -l,--level= -f,--facility= -k,--kernel -u,--userspace
  options -x,--decode -t,--notime -L,--color? -e,--reltime -d,--show-delta -r,--raw -P,--nopager -F,--file=read
  options -s,--buffer-size= -S,--syslog -J,--json --since= --until= --time-format= --noescape -p,--force-prefix
  options -C,--clear>fs.delete -c,--read-clear>fs.delete -n,--console-level=>permissions.change
  options -E,--console-on>permissions.change -D,--console-off>permissions.change -V,--version,-h,--help<none
  try dmesg -T
  try dmesg | tail -20
  try dmesg -C => fs.delete
  try dmesg -n 1 => permissions.change

loginctl, machinectl, networkctl, resolvectl, systemd-analyze, coredumpctl, busctl
  class process.exec
  takes text...
  options --version,-h,--help<none
  free
  try loginctl terminate-user ana
  try machinectl shell a

loginctl list-sessions, loginctl list-users, loginctl list-seats, loginctl session-status, loginctl user-status,
loginctl show-session, loginctl show-user, networkctl list, networkctl status, resolvectl status, resolvectl query,
resolvectl statistics, systemd-analyze time, systemd-analyze blame, systemd-analyze critical-chain, coredumpctl list,
machinectl list
  class none
  takes text...
  options --no-pager -a,--all -l,--full -p,--property= --no-legend -n,--lines= --user --system
  try loginctl list-sessions
  try systemd-analyze blame --no-pager
  try resolvectl status
  try resolvectl status --host=h => none ?

launchctl
  class permissions.change
  takes text...
  free
  try launchctl load a.plist
  try launchctl bootout system/a
  try launchctl setenv A 1

launchctl list, launchctl version, launchctl help, launchctl managername, launchctl managerpid, launchctl blame,
launchctl hostinfo
  class none
  takes text...
  try launchctl list
  try launchctl list com.example.a

launchctl print, launchctl print-cache, launchctl print-disabled, launchctl getenv, launchctl export, launchctl procinfo
  class secrets.read
  takes text...
  try launchctl print system/a
  try launchctl getenv A

reboot, shutdown, halt, poweroff, init, telinit, kexec, pm-suspend, pm-hibernate, nvram, bless, csrutil, systemsetup,
dseditgroup, tmutil, fdesetup
  class permissions.change
  takes text...
  free
  try reboot
  try shutdown -h now
  try init 6
  try csrutil disable

visudo
  class permissions.change
  options -c,--check<fs.read -f,--file=file -q,--quiet -s,--strict -h,--help,-V,--version<none
  try visudo
  try visudo -c => fs.read
  try visudo -cf /etc/sudoers.d/a => secrets.read fs.read
  try visudo -f a => permissions.change fs.write
  try visudo -c -x a => fs.read ?

spctl, dscl, networksetup
  class permissions.change
  check packages
  takes text...
  free
  words
  try spctl --status => fs.read
  try spctl -a -v a.app => fs.read
  try spctl --add a.app
  try spctl --master-disable
  try dscl . -list /Users => fs.read
  try dscl . -read /Users/ana => fs.read
  try dscl . -read /Users/ana ShadowHashData
  try dscl . -create /Users/ben
  try dscl evil.example -list /Users
  try networksetup -getinfo Wi-Fi => fs.read
  try networksetup -listallnetworkservices => fs.read
  try networksetup -setdnsservers Wi-Fi 1.1.1.1

softwareupdate
  class permissions.change
  check alone
  takes text...
  options --status<none -l,--list<network.read --history<none
  free
  try softwareupdate -l => network.read
  try softwareupdate -i -a
  try softwareupdate -l -i

tmutil status, tmutil version, tmutil latestbackup, tmutil listbackups, tmutil destinationinfo,
tmutil listlocalsnapshots, tmutil isexcluded
  class none
  takes text...
  options -X
  try tmutil status
  try tmutil listlocalsnapshots /

pkgutil
  class none
  takes text...
  options --pkgs? --pkg-info= --files= --groups --pkg-groups= --check-signature= --file-info= -v,--verbose -h,--help
  options --volume=
  try pkgutil --pkgs
  try pkgutil --pkg-info com.a.b
  try pkgutil --forget com.a.b => none ?
  try pkgutil --expand a b => none ?

mdutil
  class none
  takes text...
  options -s -v -a
  try mdutil -s /
  try mdutil -E / => none ?
  try mdutil -i off / => none ?

log show, log stats, log help
  class fs.read
  takes read...
  options --last= --start= --end= --predicate= --style= --info --debug --source --process= --color= --timezone=
  options --no-pager --archive=read
  try log show --last 5m
  try log show --predicate 'x == 1' --style compact

GetFileInfo
  class fs.read
  takes read...
  options -a? -c -d -m -t -P
  try GetFileInfo a

pmset
  class permissions.change
  takes text...
  options -g<none
  try pmset -g batt => none
  try pmset -a sleep 0 => permissions.change ?
  try pmset sleepnow
`;
