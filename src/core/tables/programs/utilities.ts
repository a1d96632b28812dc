export const UTILITY_PROGRAMS = String.raw`
# Small programs that people install themselves. Where a program can do much, only its version and its help run without a question.

hostid, runlevel, systemd-detect-virt, glxinfo, mcookie, duf, onefetch
  class none
  options --version --help -V -h
  try hostid
  try duf
  try hostid x => none ?

neofetch, fastfetch, screenfetch
  class none
  options --version --help --stdout
  try neofetch
  try fastfetch --version
  try neofetch --config ./a => none ?

fortune
  class fs.read
  takes read...
  options -s -l -a -o -v --version --help -h
  try fortune -s
  try fortune .env => fs.read secrets.read

banner, units, ansi2txt, ansi2html
  class none
  takes text...
  options -v -t,--terse --version --help -h -V
  try banner hi
  try units --version
  try units -f a x => none ?

cowsay, cowthink
  class none
  takes text...
  options -b -d -g -p -s -t -w -y -l -n -e= -T= -W= -h -f=code
  try cowsay hi
  try cowsay -f ./a hi => process.exec ?

pwgen
  class none
  takes text text
  options -s,--secure -c,--capitalize -n,--numerals -y,--symbols -A,--no-capitalize -0,--no-numerals -1 -B,--ambiguous
  options -v,--no-vowels -C -N,--num-passwords= -r,--remove-chars= -h,--help
  try pwgen 16 1
  try pwgen -s 20
  try pwgen -H a => none ?

dircolors
  class none
  takes read
  options -p,--print-database -b,--sh,--bourne-shell -c,--csh,--c-shell --print-ls-colors --version --help
  try dircolors -p
  try dircolors .env => secrets.read

pathchk, zdump
  class none
  takes text...
  options -p -P --portability -v -V -c= -t= --version --help
  try pathchk -p a/b
  try zdump UTC

pinky, quota, lpq, lpstat, ipcs, systemd-cgls
  class none
  takes text...
  options -s -l -u -g -a -p -d -r -t -v -o -q -m -b -i -c -k --no-pager --version --help
  try pinky -s
  try quota -u ana
  try lpstat -p
  try ipcs -a
  try lpstat -h evil.example => none ?

sensors
  class none
  takes text...
  options -f,--fahrenheit -A,--no-adapter -u -j -h,--help -v,--version
  try sensors -j
  try sensors -s => none ?

lshw
  class none
  options -short -businfo -json -xml -html -quiet -sanitize -numeric -class,-C,-c= -disable= -version -help
  words
  try lshw -short
  try lshw -class disk
  try lshw -dump a => none ?

dmidecode
  class none
  options -t,--type= -s,--string= -q,--quiet -H= -u --version,-V --help,-h
  try dmidecode -t memory
  try dmidecode --dump-bin a => none ?

slabtop
  class none
  options -o,--once -s,--sort= -h,--help -V,--version
  try slabtop -o

pactl info, pactl list, pactl stat, adb devices, adb version, fastboot devices, zoxide query
  class none
  takes text...
  options -l -s -a --short --list --score --all
  try pactl info
  try adb devices -l
  try fastboot devices
  try zoxide query foo

pactl, adb, fastboot, zoxide
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try adb --version => none
  try adb shell rm a
  try fastboot flash boot a
  try pactl set-sink-mute 0 1
  try adb -s x --version

procs
  class none
  takes text...
  options -a -t,--tree --sorta= --sortd= --no-header --color= -V,--version -h,--help
  try procs
  try procs --tree node
  try procs --load-config a => none ?

# These print the text of a page.
lynx, w3m, links, elinks
  class network.read
  check page
  takes url
  options -dump -listonly -nolist -nonumbers -width= -cols= -version,--version -help,--help
  words
  try lynx -dump https://example.com
  try w3m -dump example.com => network.read ?
  try lynx -cmd_script=a https://example.com => network.read ?
  try lynx -dump file:///home/ana/.ssh/id_rsa => network.read ?
  try w3m -dump .env => network.read ?

# Testing the installed configuration is harmless; another configuration may load modules.
nginx, httpd, apachectl, apache2ctl, sshd
  class process.exec
  check alone
  takes text...
  options -v<none -V<none -t<fs.read -T<fs.read -S<fs.read -M<fs.read -h<none
  free
  words
  try nginx -t => fs.read
  try sshd -t => fs.read
  try sshd -t -f a
  try nginx -v => none
  try nginx -t -c a.conf
  try nginx -s reload
  try apachectl restart

apachectl configtest, apache2ctl configtest
  class fs.read
  try apachectl configtest
  try apachectl configtest -f a => fs.read ?

ldconfig, localedef, xcode-select, mkcert, certbot, code, cursor, codium
  class process.exec
  check alone
  takes text...
  options -p,--print-cache,--print-path<none --list-archive<none -CAROOT<none --list-extensions<none
  options --version,-version<none --help<none
  free
  words
  try ldconfig -p => none
  try ldconfig
  try xcode-select -p => none
  try mkcert -install
  try code --list-extensions => none
  try code --install-extension a.b
  try certbot renew

# Of these programs only the version runs without a question.
caddy version, hugo version, circleci version, datadog-ci version, fossil version, travis version, gopls version,
drone version, sentry-cli info, ngrok version, rclone version, restic version, rclone listremotes
  class none
  options --check
  try hugo version
  try caddy version
  try rclone version
  try ngrok version
  try sentry-cli info
  try rclone listremotes

caddy, hugo, circleci, datadog-ci, fossil, travis, gopls, drone, sentry-cli, ngrok, rclone, restic
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try hugo --version => none
  try hugo server
  try caddy run
  try rclone sync a b:c
  try rclone ls ':sftp,ssh=rm:'
  try ngrok http 80

ausearch, buildkite-agent, cilium, cloudflared, cpan, ctags, cvs, dasel, delta, direnv, dive, haproxy, howdoi, hyperfine,
jc, jira, jpegoptim, jwt, kube-score, lazygit, linear, logrotate, lxc, mdbook, mlr, mosquitto_sub, navi, ncdu, nix,
optipng, p4, popeye, speedtest, sqlfluff, tesseract, tig, tzselect, vboxmanage, virtualenv
  class process.exec
  check alone
  takes text...
  options --version<none -V<none --help<none
  free
  try hyperfine --version => none
  try hyperfine 'rm a'
  try lazygit
  try dive --version => none
  try nix run x
  try optipng -out /etc/a b
  try ncdu --version /

direnv version, direnv status, lxc list, lxc version, vboxmanage list, cilium version, cilium status, kube-score version,
kube-score score, popeye version
  class network.read
  takes read...
  options --help --all -l --wait
  try lxc list
  try direnv status
  try cilium status
  try kube-score score a.yaml => fs.read network.read

qemu-img info
  class fs.read
  check media
  takes read
  options -f= --output= -U
  try qemu-img info disk.img
  try qemu-img resize a +1G => process.exec
  try qemu-img info json:x => fs.read ?
`;
