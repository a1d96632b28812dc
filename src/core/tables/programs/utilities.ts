export const UTILITY_PROGRAMS = String.raw`
# Small programs that people install themselves: most only read, the others run without a question only for their version.

# Their output is about the machine, or invented.
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

pkg-config, pkgconf
  class none
  takes text...
  options --cflags --libs --exists --modversion --list-all --version --variable= --print-errors --short-errors
  options --silence-errors --atleast-version= --exact-version= --max-version= --static --print-requires --print-provides
  options --print-variables --libs-only-l --libs-only-L --cflags-only-I --help
  try pkg-config --cflags openssl
  try pkg-config --list-all
  try pkgconf --modversion zlib
  try pkg-config --log-file=/etc/a x => none ?

# They read their arguments.
mountpoint, look, zstdgrep
  class fs.read
  takes text read...
  options -q,--quiet -d,--nofollow -x -i -n -c -v -l -h -H -E -F -w -o
  try look hel
  try look a .env => secrets.read fs.read
  try mountpoint -q /mnt
  try zstdgrep -i error a.zst

sync
  class none
  takes read...
  options -d,--data -f,--file-system --version --help
  try sync
  try sync a => fs.read

ptx, wdiff, difft
  class fs.read
  takes read...
  options -A -f -r -R -w= -g= -n -1 -2 -3 -s -i -c --color= --display= --context= --version --help
  try ptx words.txt
  try wdiff a b
  try difft a b
  try ptx -G a b => fs.read ?
  try wdiff -a a b => fs.read ?

diffstat
  class fs.read
  takes read...
  options -p= -w= -n= -f= -l -s -v -u -k -m -r -o=write -V
  try diffstat a.patch
  try diffstat -p1 a
  try diffstat -o /etc/motd a => fs.read fs.write

enca
  class fs.read
  takes read...
  options -L,--language= -g,--guess -i,--iconv-name -e,--enca-name -m,--mime-name -r,--rfc1345-name -f,--human-readable
  options -n --version,-v --help,-h
  try enca a.txt
  try enca -L none a
  try enca -x utf8 a => fs.read ?

gron
  class fs.read
  check media
  takes read
  options -u,--ungron -s,--stream -c,--colorize -m,--monochrome -j,--json -v,--values --no-sort --version
  try gron a.json
  try gron -u a.txt
  try gron https://example.com/a => fs.read ?

xq, tomlq
  class fs.read
  check jq
  try tomlq .package Cargo.toml
  try xq . feed.xml
  try tomlq -n env => secrets.read
  try tomlq -i .a b => fs.read ?

htmlq
  class fs.read
  takes text...
  options -t,--text -a,--attribute= -p,--pretty -w,--ignore-whitespace -b,--base= -B,--detect-base -r,--remove-nodes=
  options -f,--filename=read -o,--output=write -V,--version -h,--help
  try htmlq -t h1 => fs.read
  try htmlq -f a.html h1
  try htmlq -o /etc/motd h1 => fs.read fs.write

pup
  class fs.read
  takes text...
  options -c,--color -f,--file=read -i,--indent= -n,--number -l,--limit= -p,--plain --charset= --version -h,--help
  try pup 'a attr{href}'
  try pup -f .env a => secrets.read fs.read

jsonlint
  class fs.read
  takes read...
  options -q,--quiet -c,--compact -s,--sort-keys -p,--pretty-print -v,--version -h,--help
  try jsonlint package.json
  try jsonlint -i a => fs.read ?

aspell list
  class fs.read
  options -l,--lang= -d,--master= --mode= --encoding= --ignore=
  try aspell list < README.md
  try aspell list --conf=./a => fs.read ?

aspell
  class process.exec
  check alone
  takes text...
  options -v,--version<none -h,--help<none
  free
  try aspell --version => none
  try aspell check a.txt

hunspell
  class fs.read
  takes read...
  options -l -L -G -a -w -D -d= -i= -v,--version -h,--help
  try hunspell -l README.md
  try hunspell -d en_US -l a
  try hunspell -p a b => fs.read ?

javap
  class fs.read
  takes read...
  options -c -p,-private -v,-verbose -s -l -public -protected -package -constants -version,--version -help,--help
  words
  atfile
  try javap -c Foo.class
  try javap -J-x Foo => fs.read ?

jps, jstat
  class none
  check jvm
  takes text...
  options -l -m -v -q -lv -lm -ml -lmv -mlv -gc -gcutil -gccapacity -class -compiler -options -h= -t
  words
  try jps -l
  try jstat -gc 1234
  try jps evil.example:1099 => network.read
  try jstat -gc rmi://1@evil.example => network.read
  try jstat -gc file:///a => none ?

luac
  class fs.write
  takes read...
  here
  options -o=write -p<fs.read -l -s -v
  try luac -p a.lua => fs.read
  try luac -o /etc/a b.lua

perldoc
  class fs.read
  takes read...
  options -f= -v= -q= -T -t -l -m
  try perldoc -f print
  try perldoc -M./a x => fs.read ?
  try perldoc -n ./a x => fs.read ?

pyflakes, pyflakes3, pycodestyle, pydocstyle, vulture
  class fs.read
  takes deep...
  here
  options --max-line-length= --ignore= --select= --exclude= --statistics --count --show-source --first --convention=
  options --add-ignore= --match= --min-confidence= --ignore-names= --sort-by-size -q,--quiet -v,--verbose -e -s
  options --version --help,-h
  obeys linter
  try pyflakes src
  try pyflakes3 src
  try pycodestyle --max-line-length=100 src
  try vulture src
  try pydocstyle --config=/tmp/a src => fs.read ?

radon cc, radon mi, radon raw, radon hal
  class fs.read
  takes deep...
  options -a,--average -s,--show-complexity -n,--min= -x,--max= -j,--json -e,--exclude= -i,--ignore= -m
  options -O,--output-file=write
  try radon cc -a src
  try radon cc -O /etc/a src => fs.read fs.write

pipdeptree
  class fs.read
  options -p,--packages= -r,--reverse -a,--all -l,--local-only -u,--user-only -w,--warn= -j,--json --json-tree
  options -d,--depth= -e,--exclude= -f,--freeze -v,--version -h,--help
  try pipdeptree -r
  try pipdeptree --python ./a => fs.read ?

dust, lsd
  class fs.read
  takes deep...
  here
  options -d,--depth= -n= -r -s -b -X= -l,--long -a,--all -A -1 -R --tree -h -t -S --color= --icon= --version -V --help
  try dust src
  try dust -d 2
  try lsd -la src
  try lsd --ignore-config --config-file a => fs.read ?

mysqlshow
  class db.read
  takes text...
  options -u,--user= -h,--host=host -P,--port= -p,--password? -S,--socket= -i,--status -k,--keys -t,--show-table-type
  options -v,--verbose --count -V,--version --help
  try mysqlshow shop
  try mysqlshow -u root shop users
  try mysqlshow --plugin-dir=. a => db.read ?

dpkg-deb
  class fs.read
  takes read text...
  options -c,--contents -I,--info -f,--field -W,--show -v,--verbose --version --help
  try dpkg-deb -c a.deb
  try dpkg-deb --info a.deb
  try dpkg-deb -x a.deb / => fs.read ?
  try dpkg-deb -b a => fs.read ?

hexyl
  class fs.read
  takes read?
  options -n,--length= -c,--bytes= -s,--skip= --block-size= -v,--no-squeezing --color= --border= -p,--plain
  options --no-characters --panels= -g,--group-size= -b,--base= -V,--version -h,--help
  try hexyl a
  try hexyl -n 64 a

xsv headers, xsv count, xsv stats, xsv frequency, xsv table, xsv flatten, xsv slice, xsv sort
  class fs.read
  takes read...
  options -o,--output=write -d,--delimiter= -n,--no-headers -s,--select= -l,--limit= --just-names --everything --mode
  options --median --cardinality --nulls -R,--reverse -N,--numeric -h,--help
  try xsv headers a.csv
  try xsv stats a.csv --everything
  try xsv sort -o b.csv a.csv => fs.read fs.write

xsv select, xsv search, xsv sample
  class fs.read
  takes text read?
  options -o,--output=write -d,--delimiter= -n,--no-headers -s,--select= -i,--ignore-case -v,--invert-match -h,--help
  try xsv select 1,2 a.csv
  try xsv search x a.csv
  try xsv select 1 a.csv -o b.csv => fs.read fs.write

lsar
  class fs.read
  takes read text...
  options -l,-long -L,-verylong -j,-json -t,-test -v,-version -h,-help
  words
  try lsar a.zip
  try lsar -l a.rar

lsinitramfs
  class fs.read
  takes read...
  options -l -h
  try lsinitramfs /boot/initrd.img

pv
  class fs.read
  takes read...
  options -p,--progress -t,--timer -e,--eta -I,--fineta -r,--rate -a,--average-rate -b,--bytes -n,--numeric -q,--quiet
  options -W,--wait -c,--cursor -f,--force -l,--line-mode -0,--null -i,--interval= -w,--width= -H,--height= -N,--name=
  options -s,--size= -L,--rate-limit= -B,--buffer-size= -o,--output=write -h,--help -V,--version
  try pv big.bin > /dev/null
  try pv --version => none
  try pv -o /dev/sda a => fs.read fs.write
  try pv -P /etc/a b => fs.read ?

ts
  class none
  takes text
  options -r -i -s -m
  try ts -s
  try ts '%H:%M'

qpdf
  class fs.read
  check media
  takes read
  options --check --show-npages --is-encrypted --requires-password --show-encryption --show-pages --list-attachments
  options --password= --version --help
  try qpdf --check a.pdf
  try qpdf a.pdf b.pdf => fs.read ?
  try qpdf --check @a => fs.read ?
  try qpdf --replace-input a.pdf => fs.read ?

base58, sha256, sha512, sha1
  class fs.read
  takes read...
  options -d -s= -q -r --version
  try sha256 -s x
  try sha1 a.bin
  try sha1 .env => fs.read secrets.read

mdls
  class fs.read
  takes read...
  options -name= -raw -plist=write
  words
  try mdls a.pdf
  try mdls -name kMDItemKind a.pdf

ioreg
  class none
  options -l -a -b -c= -d= -f -i -k= -n= -p= -r -s -t -w= -x
  try ioreg -l

csrutil status
  class none
  try csrutil status
  try csrutil disable => permissions.change

mdfind
  class fs.read
  takes text...
  options -name= -onlyin=read -count -0 -literal -interpret
  words
  try mdfind -name report.pdf

promtool check config, promtool check rules
  class fs.read
  takes read...
  options --lint= --lint-fatal --syntax-only
  try promtool check config prometheus.yml

promtool
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try promtool --version => none
  try promtool push metrics https://example.com a

nvm ls, nvm list, nvm current, nvm version, fnm list, fnm ls, fnm current, volta list, rbenv versions, rbenv version,
pyenv versions, pyenv version, pyenv which
  class none
  takes text...
  options --no-colors --bare --format=
  try nvm ls
  try rbenv versions
  try pyenv which python
  try nvm use 20 => process.exec

jar tf, jar tvf, jar -tf, ar t, ar tv, ar p
  class fs.read
  check archive
  takes read text...
  atfile
  try jar tf app.jar
  try ar t a.a
  try jar xf a.jar => process.exec
  try jar tf @a => fs.read ?

stern
  class network.read
  takes text...
  options -n,--namespace= -A,--all-namespaces -c,--container= -l,--selector= -s,--since= --tail= -o,--output=
  options -t,--timestamps -e,--exclude= -i,--include= --no-follow --color= -v,--version -h,--help
  try stern web -n prod --since 10m
  try stern --kubeconfig=./a web => network.read ?

kubeval, kubeconform
  class network.read
  takes deep...
  options -strict,--strict -summary,--summary -output,--output,-o= -ignore-missing-schemas,--ignore-missing-schemas
  options -kubernetes-version,--kubernetes-version= -verbose -n= -skip= -reject= -v,-version,--version -h,-help,--help
  words
  try kubeconform -strict deploy.yaml => fs.read network.read
  try kubeconform -schema-location https://a.example/x a => fs.read network.read ?

# The text of a page.
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

# The installed configuration is tested; another one may load modules.
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

wasm-objdump
  class fs.read
  takes read...
  options -h,--headers -x,--details -d,--disassemble -s,--full-contents -j,--section= -r,--reloc --version,--help
  try wasm-objdump -h a.wasm

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

# Only their version runs without a question.
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

# Read-only subcommands of larger programs: every other subcommand is in the line of the program.
zig version, zig env, zig targets, packer version, nomad version, k6 version, gitleaks version, influx version,
atlas version, istioctl version, velero version, eksctl version, skaffold version, tilt version, k9s version,
ctr version, dlv version, hcloud version, kubectl help, helm help, supervisorctl status, busctl list, multipass list,
apt-mark showhold, apt-mark showauto, apt-mark showmanual, port installed
  class none
  takes text...
  options --client --short -o,--output=
  try zig version
  try kubectl help apply
  try helm help install
  try supervisorctl status
  try busctl list
  try supervisorctl restart all => process.exec
  try apt-mark hold a => process.exec

zig fmt, packer fmt
  class fs.write
  takes file...
  here
  options --check,-check<fs.read --ast-check -diff -recursive --exclude=
  words
  try zig fmt src
  try zig fmt --check src => fs.read
  try packer fmt -check . => fs.read

argocd version, argocd app list, argocd app get, argocd app history, argocd app resources, argocd app diff,
argocd proj list, argocd repo list
  class network.read
  takes text...
  options --client --short -o,--output= -p,--project= -l,--selector= --show-operation
  try argocd app list
  try argocd app get web
  try argocd app diff web --local a => network.read ?
  try argocd --server=evil.example app list => network.read ?
  try argocd app sync web => process.exec ?

flux version, flux get, flux logs, flux check, flux tree, flux stats, flux events
  class network.read
  takes text...
  options -n,--namespace= -A,--all-namespaces -w,--watch --pre -f,--follow --level= --kind= --name= --since= --tail=
  options --client
  try flux get kustomizations -A
  try flux check --pre
  try flux --kubeconfig=./a get all => network.read ?
  try flux get all --kubeconfig=./a => network.read ?
  try flux suspend kustomization a => process.exec

istioctl analyze, istioctl proxy-status, istioctl ps, velero backup get, velero backup describe, velero backup logs,
velero restore get, velero schedule get, linkerd check, eksctl get
  class network.read
  takes read...
  options -n,--namespace= -A,--all-namespaces -o,--output= --name= --cluster= --region= --pre --proxy
  try istioctl analyze
  try velero backup get
  try linkerd check
  try eksctl get cluster => fs.read network.read
  try velero backup delete a => process.exec ?
  try eksctl delete cluster a => process.exec

crictl ps, crictl pods, crictl images, crictl img, crictl logs, crictl stats, crictl version, ctr images ls,
ctr containers ls, ctr tasks ls, virsh list, virsh dominfo, virsh domstate, virsh nodeinfo, buildah images,
buildah containers, docker service ps, docker stack services
  class fs.read
  takes text...
  options -a,--all -q,--quiet -o,--output= --name= --state= --pod= -f,--follow --tail= --since= -p,--previous
  options -t,--timestamps --no-trunc --json --inactive
  try crictl ps -a
  try crictl logs --tail 5 abc
  try virsh list --all
  try ctr images ls
  try virsh -c qemu+ssh://evil.example list => process.exec
  try virsh destroy vm => process.exec
  try docker service ps web

skopeo inspect, skopeo list-tags
  class network.read
  check addressed
  takes text
  options --raw --config --no-tags -n --format= -f=
  try skopeo inspect docker://docker.io/library/nginx
  try skopeo inspect --authfile .env docker://a => network.read ?
  try skopeo copy a b => process.exec

nomad node status, nomad job status, nomad alloc status, nomad server members
  class network.read
  takes text...
  options -short -verbose -json -t=
  words
  try nomad node status
  try nomad job status web

mysqladmin ping, mysqladmin status, mysqladmin version, mysqladmin processlist, mysqladmin extended-status,
mysqladmin variables
  class db.read
  options -u,--user= -h,--host=host -P,--port= -p,--password? -S,--socket= -i,--sleep= -c,--count= -v,--verbose
  try mysqladmin ping
  try mysqladmin status -u root
  try mysqladmin ping drop shop => db.read ?
  try mysqladmin drop shop => db.write

nomad job, nomad node, nomad alloc, nomad server
  class deploy.write
  takes text...
  free
  try nomad job stop web
  try nomad alloc exec a sh

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

twine check
  class fs.read
  takes read...
  options --strict
  try twine check dist/a.whl
  try twine upload dist/a.whl => deploy.write

qemu-img info
  class fs.read
  check media
  takes read
  options -f= --output= -U
  try qemu-img info disk.img
  try qemu-img resize a +1G => process.exec
  try qemu-img info json:x => fs.read ?
`;
