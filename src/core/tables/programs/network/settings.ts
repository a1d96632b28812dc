export const NETWORK_SETTING_PROGRAMS = String.raw`
# The machine's own network: interfaces, routes, firewalls.

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

tc qdisc, tc class, tc filter
  class permissions.change
  takes text...
  free
  try tc qdisc add dev eth0 root netem
  try tc class del dev eth0

tc qdisc show, tc class show, tc filter show, tc qdisc ls
  class none
  takes text...
  options -s -d -j
  try tc qdisc show dev eth0
`;
