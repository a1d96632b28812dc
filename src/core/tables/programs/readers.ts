export const READER_PROGRAMS = String.raw`
# Small programs that people install themselves and that only read the files they are given.

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

# One of the programs with this name runs .jsonlintrc.js of its folder.
jsonlint
  class process.exec
  takes read...
  options -q,--quiet -c,--compact -s,--sort-keys -p,--pretty-print -v,--version -h,--help
  try jsonlint package.json => fs.read process.exec
  try jsonlint -i a => fs.read process.exec ?

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

dust, lsd
  class fs.read
  takes deep...
  here
  options -d,--depth= -n= -r -s -b -X= -l,--long -a,--all -A -1 -R --tree -h -t -S --color= --icon= --version -V --help
  try dust src
  try dust -d 2
  try lsd -la src
  try lsd --ignore-config --config-file a => fs.read ?

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
`;
