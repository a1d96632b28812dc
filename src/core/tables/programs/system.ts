export const SYSTEM_PROGRAMS = String.raw`
# Programs that control the machine: services, disks, processes, rights, people, networks, packages.

# Services and logs.
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

# Disks, kernel.
pmset
  class permissions.change
  takes text...
  options -g<none
  try pmset -g batt => none
  try pmset -a sleep 0 => permissions.change ?
  try pmset sleepnow

scutil
  class permissions.change
  options --get=<none --dns<none --proxy<none --nwi<none
  try scutil --get ComputerName => none
  try scutil --set ComputerName a => permissions.change ?
  try scutil

mount, swapon
  class permissions.change
  check bare
  takes text...
  options -l<none -s,--show<none -V,--version<none
  free
  reversible no
  try mount => none
  try mount -l => none
  try mount /dev/sdb1 /mnt
  try mount -l /dev/sdb1 /mnt
  try mount -a
  try swapon --show => none
  try swapon /dev/sdb

umount, losetup, swapoff, mkswap, cryptsetup, mdadm, lvcreate, lvremove, lvextend, lvresize, vgcreate, vgremove,
pvcreate, pvremove, zfs, zpool, btrfs, fusermount, udisksctl, diskutil, hdiutil, resize2fs, tune2fs, e2fsck, fsck,
xfs_repair, hdparm, nvme, smartctl, eject
  class permissions.change
  takes text...
  free
  reversible no
  try umount /mnt
  try zfs destroy a
  try swapoff -a

diskutil list, diskutil info, zfs list, zfs get, zpool list, btrfs version, hdiutil info
  class none
  takes text...
  free
  try diskutil list
  try zpool list

zpool status
  class none
  takes text...
  options -v -x -L -P -D -T= -i -s -t -g -p -e -j
  try zpool status -v
  try zpool status -c ./x => none ?

mkfs, mkfs.ext2, mkfs.ext3, mkfs.ext4, mkfs.xfs, mkfs.btrfs, mkfs.vfat, mkfs.fat, mkfs.ntfs, mkfs.exfat, mkfs.f2fs,
mkfs.minix, mke2fs, mkdosfs, newfs, cfdisk, gdisk, sgdisk, partprobe, wipefs, blkdiscard, badblocks, dcfldd, ddrescue,
grub-install, efibootmgr
  class fs.delete
  takes delete...
  options --version,--help<none
  free
  reversible no
  try mkfs.ext4 /dev/sdb1
  try mkfs -t ext4 /dev/sda
  try wipefs -a /dev/sda
  try cfdisk /dev/sda

fdisk, sfdisk, parted
  class fs.delete
  check alone
  takes delete...
  options -l,--list<none -V,--version<none -v<none --help<none
  free
  reversible no
  try fdisk -l => none
  try parted -l => none
  try parted /dev/sda mklabel gpt
  try fdisk /dev/sda
  try sfdisk --delete /dev/sda

sysctl
  class none
  check sysctl
  takes text...
  options -a,-A,-X,--all -n,--values -N,--names -e,--ignore -b,--binary -q,--quiet -d -r,--pattern=
  options -w,--write>permissions.change -p,--load?>permissions.change -f>permissions.change --system>permissions.change
  options -V,--version,-h,--help
  try sysctl -a
  try sysctl -n hw.ncpu
  try sysctl -w a=1 => permissions.change
  try sysctl net.ipv4.ip_forward=1 => permissions.change
  try sysctl -p => permissions.change
  try sysctl -n /../../etc/shadow => none ?

modprobe, insmod, rmmod, depmod, kmod, kextload, kextunload, dkms, kldload
  class permissions.change
  takes text...
  free
  try modprobe a
  try insmod a.ko
  try rmmod a

lsmod, modinfo, kextstat
  class none
  takes text...
  free
  try lsmod
  try modinfo ext4

# Processes.
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

# Rights and people.
chmod, gchmod
  class permissions.change
  check chmod
  takes text!--reference write...
  options -R,--recursive* -v,--verbose -c,--changes -f,--silent,--quiet --reference=read --preserve-root
  options --no-preserve-root -h
  try chmod 600 a => fs.write
  try chmod 755 a => fs.write
  try chmod 000 a => permissions.change fs.write
  try chmod -R 777 . => permissions.change fs.write
  try chmod 777 a => permissions.change fs.write
  try chmod 4755 a => permissions.change fs.write
  try chmod +x run.sh => fs.write
  try chmod u+x a b => fs.write
  try chmod +x .git/hooks/pre-commit => permissions.change fs.write
  try chmod u+s a => permissions.change fs.write
  try chmod +x $A => fs.write ?

chown, chgrp, gchown, gchgrp
  class permissions.change
  takes text!--reference write...
  options -R,--recursive* --reference=read --from=
  free
  try chown ana a => permissions.change fs.write
  try chown -R ana:ana src => permissions.change fs.write
  try chgrp staff a => permissions.change fs.write

chattr, setfacl, setcap, setfattr, chflags, chcon, restorecon, semanage, setsebool, setenforce, aa-enforce, aa-disable,
apparmor_parser, auditctl, capsh, icacls, takeown
  class permissions.change
  takes text...
  free
  try chattr +i a
  try setfacl -m u:ana:rw a
  try setcap cap_net_raw+ep a
  try setenforce 0

xattr
  class fs.read
  takes read...
  options -l -v -x -s -r -p= -w=>permissions.change -d=>permissions.change -c>permissions.change -h,--help<none
  try xattr -l a
  try xattr a
  try xattr -p com.a a
  try xattr -d com.apple.quarantine a => permissions.change fs.read
  try xattr -cr a => permissions.change fs.read
  try xattr -rd com.apple.quarantine a => permissions.change fs.read
  try xattr -w a b c => permissions.change fs.read

getfacl, getcap, getfattr, lsattr, getenforce, sestatus, aa-status
  class fs.read
  takes read...
  free
  try getfacl a
  try lsattr a
  try getenforce

passwd, chpasswd, useradd, userdel, usermod, groupadd, groupdel, groupmod, gpasswd, adduser, deluser, addgroup, delgroup,
chage, chsh, chfn, vipw, vigr, newgrp, sg, newusers, pwck, faillock, pam-auth-update, sudoedit
  class permissions.change
  takes text...
  free
  try passwd ana
  try useradd -m ben
  try usermod -aG sudo ben

su, runuser
  class permissions.change
  takes text...
  options -c,--command,--session-command=line -s,--shell=program -l,--login -m,-p,--preserve-environment -g,--group=
  options -G,--supp-group= -u,--user= -P,--pty -w,--whitelist-environment= -f,--fast
  try su -
  try su ana -c 'rm a' => fs.delete permissions.change
  try su -s ./x ana => process.exec permissions.change

pkexec, gosu, su-exec, dzdo, run0
  class permissions.change
  takes text...
  free
  try pkexec rm a
  try gosu ana ls

# Timers.
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

# Networks.
ip
  class none
  check ip
  try ip a
  try ip -br addr show
  try ip route
  try ip route get 1.1.1.1
  try ip a s
  try ip l s eth0 down => permissions.change
  try ip xfrm s f => permissions.change
  try ip link set eth0 down => permissions.change
  try ip addr add 10.0.0.1/8 dev eth0 => permissions.change
  try ip netns exec a rm b => fs.delete permissions.change
  try ip -batch a => permissions.change
  try ip -n a route
  try ip ro del default => permissions.change
  try ip monitor

ifconfig
  class none
  takes text?
  options -a -s -v -l -u -d -L
  try ifconfig
  try ifconfig -a
  try ifconfig eth0
  try ifconfig eth0 down => none ?

route
  class none
  options -n -e -ee -v,--verbose -F -C -6 -4 --version,--help
  try route -n
  try route add default gw a => none ?

netstat, ss
  class none
  takes text...
  options -a,--all -t,--tcp -u,--udp -l,--listening -n,--numeric -p,--processes,--programs -r,--route -i,--interfaces
  options -s,--summary,--statistics -e,--extended -o,--options,--timers -m,--memory -4 -6 -v,--verbose -x,--unix
  options -w,--raw -d,--dccp -f,--family= -g -W -c -A,--query,--socket= -b -L -q -H,--no-header -O,--oneline
  options -V,--version,-h,--help
  try ss -tlnp
  try netstat -an
  try netstat -tulpn
  try ss -tn state established
  try ss -K dst a => none ?
  try ss -D a => none ?

arp
  class none
  takes text?
  options -a -n,--numeric -e -v -l
  try arp -a
  try arp -s a b => none ?

iptables, ip6tables
  class permissions.change
  takes text...
  options -L,--list<none -S,--list-rules<none -n,--numeric -v,--verbose -x,--exact --line-numbers -t,--table= -w,--wait?
  options -Z,--zero>permissions.change -F,--flush>permissions.change -A,--append>permissions.change
  options -D,--delete>permissions.change -I,--insert>permissions.change -R,--replace>permissions.change
  options -P,--policy>permissions.change -N,--new-chain>permissions.change -X,--delete-chain>permissions.change
  options -E,--rename-chain>permissions.change -V,--version<none
  try iptables -L -n -v => none
  try iptables -t nat -S => none
  try iptables -F
  try iptables -L -Z
  try ip6tables -P INPUT ACCEPT
  try iptables -L --modprobe=./a => none ?
  try iptables -A INPUT -j ACCEPT => permissions.change ?

firewall-cmd
  class permissions.change
  options --list-all<none --list-all-zones<none --list-ports<none --list-services<none --list-rich-rules<none
  options --list-interfaces<none --state<none --get-zones<none --get-active-zones<none --get-default-zone<none
  options --get-services<none --zone= --permanent -q,--quiet -V,--version<none
  try firewall-cmd --list-all => none
  try firewall-cmd --zone=public --list-ports => none
  try firewall-cmd --add-port=22/tcp --permanent => permissions.change ?

iwconfig
  class permissions.change
  check bare
  takes text...
  free
  try iwconfig => none
  try iwconfig wlan0 essid a

ethtool
  class none
  takes text
  options -i,--driver -k,--show-features,--show-offload -S,--statistics -g,--show-ring -a,--show-pause
  options -c,--show-coalesce -l,--show-channels -T,--show-time-stamping -P,--show-permaddr --version -h,--help
  try ethtool eth0
  try ethtool -S eth0
  try ethtool -s eth0 speed 100 => none ?
  try ethtool -K eth0 tso off => none ?

iptables-restore, ip6tables-restore, nft, ufw, pfctl, ipfw, ebtables, ipset, tc, brctl, iw, nmcli, wg, wg-quick, openvpn,
tailscale, dhclient, wpa_supplicant, bluetoothctl, rfkill
  class permissions.change
  takes text...
  free
  try iptables-restore a
  try ufw disable
  try nft flush ruleset
  try nmcli con up a
  try tailscale up

iptables-save, ip6tables-save
  class none
  takes text...
  options -t,--table= -c,--counters -f,--file=write
  try iptables-save
  try iptables-save -f a => fs.write

ufw status, ipset list, nmcli device status, nmcli device show, nmcli general status, nmcli connection show,
nmcli con show, nmcli c show, nmcli dev status, nmcli dev show, nmcli d status, nmcli d show, tailscale status,
tailscale ip
  class none
  takes text...
  options -a -n -4 -6 --json
  try ufw status verbose
  try nmcli device status
  try tailscale status --json
  try nmcli connection show -s a => none ?

nft list
  class none
  check orders
  takes text...
  options -a -n
  try nft list ruleset
  try nft list ruleset ';' flush ruleset => permissions.change

wg show
  class none
  takes text?
  try wg show
  try wg show a private-key => none ?

nmcli device, nmcli dev, nmcli d, nmcli connection, nmcli con, nmcli c, nmcli general
  class permissions.change
  takes text...
  free
  try nmcli device disconnect eth0

# Packages.
apt, apt-get, aptitude, apt-cache, yum, dnf, microdnf, zypper, apk, snap, flatpak
  class process.exec
  takes text...
  options --version,--help<none
  free
  everywhere
  try apt install a
  try apt-get install -y a
  try dnf remove a
  try apk add a
  try snap install a
  try apt --version => none
  try apt-get update

brew
  class process.exec
  check brew
  takes text...
  options --version,--help,-h,--prefix,--cellar,--repository,--cache,--caskroom<none
  free
  try brew install a
  try brew --version => none
  try brew --prefix openssl => none
  try brew --cache ./a.rb => process.exec ?
  try brew bundle

port, pkg, emerge, nix-env, opkg, choco, winget, scoop, mas
  class process.exec
  takes text...
  free
  try emerge a
  try choco install a --version 1
  try nix-env -iA a

apt list, apt show, apt search, apt policy, apt depends, apt rdepends, apt-cache show, apt-cache search,
apt-cache policy, apt-cache depends, apt-cache rdepends, apt-cache madison, apt-cache showpkg, apt-cache stats,
aptitude search, aptitude show, aptitude why
  class none
  takes text...
  options -i,--installed --upgradable,--upgradeable -a,--all-versions -n,--names-only -f,--full -q,--quiet --no-pager
  options -qq
  try apt list --installed
  try apt-cache policy a
  try apt search a
  try apt show -o Dir::Bin=x a => none ?

yum list, yum info, yum search, yum provides, yum repolist, yum history list, yum history info, dnf history list,
dnf history info, yum check-update, yum deplist, dnf list, dnf info, dnf search, dnf provides, dnf repolist,
dnf check-update, dnf repoquery, dnf deplist, zypper search, zypper info, zypper repos, zypper list-updates, apk info,
apk search, apk list, apk policy, apk version, snap list, snap info, snap find, snap version, flatpak list, flatpak info,
flatpak search, flatpak remotes, pkg info, pkg search, pkg query, port list, port info, port search, winget list,
winget search, winget show, choco list, choco search, mas list, mas search
  class network.read
  takes text...
  options -q,--quiet -v,--verbose -y,--assumeyes -a,--all --installed --available --upgrades --updates --showduplicates
  options -e,--exact -d -C,--cacheonly --refresh -L,--contents -s -i -u --user --system
  try dnf list --installed
  try yum search a
  try apk info
  try snap list
  try flatpak list
  try dnf list --setopt=a=b => network.read ?
  try dnf search -c x a => network.read ?

yum history, dnf history
  class network.read
  options -q,--quiet -v,--verbose
  try yum history
  try yum history list
  try dnf history userinstalled => process.exec ?

yum history undo, yum history rollback, yum history redo
  class process.exec
  takes text...
  free
  try yum history undo 1

brew list, brew ls, brew info, brew search, brew outdated, brew config, brew doctor, brew deps, brew uses, brew leaves,
brew desc, brew cat, brew log, brew commands, brew tap-info, brew formulae, brew casks, brew missing
  class network.read
  check brew
  takes text...
  options --formula,--formulae --cask,--casks -1 -l -r -t --versions --pinned --json? --installed --tree -v,--verbose
  options -q,--quiet --all --greedy --desc -d,--description -s,--search --full-name --multiple --analytics
  options --include-build
  try brew list
  try brew info node
  try brew outdated --json=v2
  try brew search a
  try brew info --eval-all a => network.read ?
  try brew info ./a.rb => process.exec ?
  try brew info ana/tap/a => process.exec
  try brew info homebrew/core/jq

brew services list, brew services info
  class none
  takes text...
  options --json --all
  try brew services list

dpkg, rpm, pacman, yay, paru, makepkg, dpkg-reconfigure, dpkg-divert, update-alternatives, alternatives, installer,
gdebi, add-apt-repository, apt-key, apt-mark, rpmbuild, debuild, unattended-upgrade, do-release-upgrade
  class process.exec
  check packages
  takes text...
  free
  try dpkg -i a.deb
  try dpkg -l => fs.read
  try dpkg -L bash => fs.read
  try dpkg --list => fs.read
  try dpkg -s a => fs.read
  try rpm -qa => fs.read
  try rpm -qi bash => fs.read
  try rpm -ivh a.rpm
  try rpm -q --pipe 'rm a' b
  try rpm -E '%(rm a)'
  try pacman -Qi a => fs.read
  try pacman -Ss a => fs.read
  try pacman -Syu
  try pacman -S a
  try dpkg -l --admindir=x
  try rpm -q --define 'a %(id)' b

dpkg-query
  class fs.read
  takes text...
  options -l,--list -L,--listfiles -s,--status -S,--search -W,--show -f,--showformat= -p,--print-avail -c,--control-path
  try dpkg-query -W -f '${"${"}Version}' a
  try dpkg-query -l
  try dpkg-query --admindir=x -l => fs.read ?

# The desktop, and messages to people.
xdg-open, open, gnome-open, kde-open, wslview, start, explorer, xdg-mime, xdg-settings, automator, shortcuts, xdotool,
wmctrl, ydotool, cliclick, screencapture, scrot, import, terminal-notifier, wine, gtk-launch, dbus-send, gdbus, qdbus,
gsettings, dconf, xrandr, xset, setxkbmap
  class process.exec
  takes text...
  free
  try open a.html
  try xdg-open https://example.com
  try xdotool key Return

notify-send, say
  class none
  takes text...
  options -u,--urgency= -t,--expire-time= -i,--icon= -c,--category= -a,--app-name= -h,--hint= -v,--voice= -r,--rate=
  options -o,--output-file=write -f,--input-file=read
  try notify-send done
  try say -v Anna done
  try say -f .env => secrets.read
  try notify-send -A a=b c => none ?

gsettings get, gsettings list-keys, gsettings list-schemas, gsettings list-recursively, dconf read, dconf list,
dconf dump, xdg-mime query, xdg-settings get
  class none
  takes text...
  try gsettings get a b
  try xdg-mime query default text/html

defaults
  class permissions.change
  takes text...
  free
  try defaults write com.example.a b 1
  try defaults delete com.example.a

defaults read, defaults read-type, defaults domains, defaults find, defaults help
  class fs.read
  takes text...
  try defaults read com.example.a
  try defaults domains

plutil
  class fs.write
  check modes
  takes file...
  options -p,-lint,-help<fs.read -o=write -e= -convert=>fs.write -insert=>fs.write -replace=>fs.write -remove=>fs.write
  options -create=>fs.write
  free
  words
  try plutil -p a.plist => fs.read
  try plutil -convert xml1 a.plist => fs.write
  try plutil -convert json -e json package.plist => deploy.write fs.write

pbcopy, xclip, xsel, wl-copy, clip, clip.exe
  class process.exec
  takes read...
  free
  try pbcopy
  try xclip -selection clipboard => fs.read process.exec

pbpaste, wl-paste
  class secrets.read
  takes text...
  free
  try pbpaste
  try wl-paste -n

logger, wall, write, mesg, talk
  class message.send
  takes text...
  options -f,--file=read
  free
  try logger hi
  try wall 'going down'
  try logger -f .env => secrets.read message.send

mail, mailx, s-nail, sendmail, msmtp, mutt, neomutt, swaks, ssmtp, exim, postfix, himalaya, nail
  class message.send
  takes text...
  options -a,-A=read
  free
  try mail -s hi ana@example.com
  try mutt -a .env -s x ana@example.com => secrets.read message.send
  try sendmail -t

lp, lpr
  class message.send
  takes read...
  free
  try lp a.pdf => fs.read message.send
`;
