export const FILE_READING_PROGRAMS = String.raw`
# Programs that show and search files.

ls, dir, vdir
  class fs.read
  takes read...
  here
  options --ignore= --width= --tabsize= --hide= --block-size= --time-style= --sort= --format= --time= --indicator-style=
  options --quoting-style= -R,--recursive
  free
  try ls
  try ls -la src
  try ls --ignore '*.o' src
  try ls ~/.ssh => secrets.read fs.read
  try ls -la $DIR => fs.read ?

exa, eza
  class fs.read
  takes read...
  here
  options -L,--level= -I,--ignore-glob= -s,--sort= --time-style= --color= --colour= --icons? --git-ignore -T,--tree
  free
  try eza -la --git
  try exa --tree -L 2 src

cat, rev, tac, lolcat
  class fs.read
  takes read...
  free
  try cat README.md
  try cat -n a b
  try cat .env => secrets.read fs.read
  try cat ~/.ssh/id_rsa => secrets.read fs.read
  try cat a -
  try cat $FILE => fs.read ?

nl
  class fs.read
  takes read...
  options -b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering=
  options -i,--line-increment= -l,--join-blank-lines= -n,--number-format= -s,--number-separator=
  options -v,--starting-line-number= -w,--number-width=
  free
  try nl -ba a.txt
  try nl -w 3 -s ': ' a.txt
  try nl .env => secrets.read fs.read

head, tail
  class fs.read
  takes read...
  options -n,--lines= -c,--bytes= --pid= --sleep-interval=
  free
  try head -n 5 a.txt
  try tail -20 a.txt
  try head -c100 a
  try tail -f log/dev.log
  try git log | head -5
  try head -n1 .env => secrets.read fs.read

wc
  class fs.read
  takes read...
  options --files0-from=list --total=
  free
  try wc -l a b
  try ls | wc -l
  try wc --files0-from=names => fs.read ?

zcat, gzcat, bzcat, xzcat, lzcat, zstdcat, lz4cat
  class fs.read
  takes read...
  options -r,--recursive* -o=write --output-dir-flat=write --output-dir-mirror=write --filelist=list --files=list
  options --files0=list --trace=write --rm>fs.delete
  free
  apart
  try zcat a.gz
  try zcat -rf . => fs.read secrets.read
  try zstdcat -of b a => fs.read fs.write ?
  try xzcat -f --files=names => fs.read ?
  try xzcat --files => fs.read ?
  try zstdcat --trace b a => fs.write fs.read
  try xzcat a.xz | head
  try zstdcat --rm a.zst => fs.delete fs.read

stat, gstat
  class fs.read
  check stat
  takes read...
  options -c,--format= --printf= --cached=
  free
  try stat a
  try stat -c %s a b
  try stat -f %z a

file
  class fs.read
  takes read...
  options -f,--files-from=list -m,--magic-file=read -F,--separator= -P,--parameter= -e,--exclude= -C,--compile>fs.write
  free
  try file a.png
  try file -b --mime-type a
  try file -f names => fs.read ?
  try file -C -m magic => fs.write
  try file -C -m a/magic => fs.write

readlink, realpath
  class fs.read
  takes text...
  options --relative-to= --relative-base=
  free
  try readlink -f a
  try realpath --relative-to=. src/a
  try realpath "$x"

basename, dirname
  class none
  takes text...
  options -s,--suffix=
  free
  try basename a/b.ts .ts
  try dirname "$0"
  try basename -s .ts a.ts

tree
  class fs.read
  check tree
  takes deep...
  here
  options -L= -P= -I= -H= -T= --filelimit= --charset= --timefmt= -o=write -R>fs.write -l --fromfile --gitfile=read
  options --infofile=read --hintro=read --houtro=read
  free
  apart
  try tree -L 2
  try tree -L2o a => fs.read ?
  try tree -a -I node_modules src
  try tree -o out.txt src => fs.write fs.read
  try tree -R -L 1 -H . => fs.write
  try tree -lR -L 1 -H . => fs.write ?

du
  class fs.read
  takes read...
  here
  options --files0-from=list -X,--exclude-from=read --exclude= -d,--max-depth= -B,--block-size= -t,--threshold=
  options --time-style=
  free
  try du -sh .
  try du -h -d 1 src
  try du --files0-from=- => fs.read ?

df
  class none
  takes text...
  options -t,--type= -x,--exclude-type= -B,--block-size=
  free
  try df -h
  try df -h / /tmp
  try df -t ext4

less, zless, bzless, xzless
  class fs.read
  check pager
  takes read...
  options -o,-O,--log-file,--LOG-FILE=write -k,--lesskey-file,--lesskey-src,--lesskey-content,--cmd=code -b,--buffers=
  options -h,--max-back-scroll= -j,--jump-target= -p,--pattern= -t,--tag=list -T,--tag-file=list -x,--tabs=
  options -y,--max-forw-scroll= -z,--window= -P,--prompt= -D,--color=
  free
  try less README.md
  try less -t foo => fs.read ?
  try less -p foo a
  try less -b10oa b => fs.read ?
  try less -x4 a
  try less -p $'x\n!rm a\n' a => fs.read ?
  try less '-Px$oa' b => fs.read ?
  try less -N +20 a.txt
  try git log | less -R
  try less '+!rm a' a => fs.read ?
  try less -o copy a => fs.write fs.read
  try less -k keys a => process.exec fs.read ?

more, most, zmore
  class fs.read
  check pager
  takes read...
  free
  try more a
  try more +5 a
  try more -p .env => secrets.read fs.read
  try more '+!rm a' b => fs.read ?

bat, batcat
  class fs.read
  takes read...
  options --pager=program --lessopen>process.exec -l,--language= --theme= --theme-dark= --theme-light= --style=
  options -r,--line-range= -H,--highlight-line= -m,--map-syntax= --wrap= --tabs= --color= --italic-text= --decorations=
  options --terminal-width= --file-name= --ignored-suffix= --paging= --diff-context= --squeeze-limit= --strip-ansi=
  options --nonprintable-notation= --config-file --generate-config-file>permissions.change
  free
  try bat src/a.ts
  try bat -n --paging=never -l json a
  try bat --pager 'rm b' a => fs.delete fs.read process.exec
  try bat --pager less a

bat cache, batcat cache
  class fs.write
  options --source=deep --target=write --clear>fs.delete
  free
  partly note.keeps_files_in_home
  try bat cache --build => fs.write ?
  try bat cache --clear => fs.delete ?

glow
  class fs.read
  check media
  takes read?
  options -s,--style= -w,--width= -a,--all -l,--line-numbers -n,--preserve-new-lines --version,-v,--help,-h<none
  try glow README.md
  try glow -s dark a.md
  try glow -p a.md => fs.read ?

glow config
  class process.exec
  free
  try glow config

grep, egrep, fgrep, zgrep, bzgrep, xzgrep
  class fs.read
  takes text!-e,-f deep...
  here alone
  options -e,--regexp= -f,--file=read -A,--after-context= -B,--before-context= -C,--context= -m,--max-count= --include=
  options --exclude= --exclude-dir= --include-dir= --exclude-from=read --label= -D,--devices= -d,--directories= --color?
  options --colour? -r,-R,--recursive,--dereference-recursive* --binary-files= --group-separator=
  free
  try grep -n foo src/a.ts
  try grep -rn 'a b' .
  try grep -r '' . => fs.read secrets.read
  try grep -r foo --include=.env . => fs.read secrets.read
  try grep -e x -e y a
  try ps | grep node => fs.read
  try grep -rl TODO --include '*.ts' src
  try grep -r key ~ => secrets.read fs.read
  try grep -r x / => secrets.read fs.read
  try grep SECRET .env => secrets.read fs.read
  try grep -c "$x" a => fs.read ?
  try grep -f names a

rg, ripgrep
  class fs.read
  takes text!-e,-f,--files,--type-list deep...
  here alone
  options --pre=program --hostname-bin=program -e,--regexp= -f,--file=read --files --type-list<none -A,--after-context=
  options -B,--before-context= -C,--context= -m,--max-count= -g,--glob= --iglob= -t,--type= -T,--type-not= --type-add=
  options --type-clear= -M,--max-columns= -j,--threads= -E,--encoding= -r,--replace= -d,--max-depth,--maxdepth= --sort=
  options --sortr= --color= --colors= --context-separator= --field-context-separator= --field-match-separator=
  options --path-separator= --ignore-file=read --max-filesize= --pre-glob= --regex-size-limit= --dfa-size-limit=
  options --engine= --generate= --hyperlink-format= -V,--version<none
  free
  try rg foo
  try rg -n 'a b' src -g '*.ts'
  try rg --files src
  try rg -uu --hidden foo => fs.read secrets.read
  try rg -uu foo src
  try rg -u foo
  try rg -uu --hidden . => fs.read secrets.read
  try rg -g .env foo => fs.read secrets.read
  try rg --pre 'rm a' x => fs.delete fs.read process.exec
  try rg --hostname-bin=./a x => process.exec fs.read
  try cat a | rg foo => fs.read
  try rg x ~ => secrets.read fs.read
  try rg --files ~/.ssh => secrets.read fs.read

ag
  class fs.read
  takes text deep...
  here alone
  options --pager=program -A= -B= --depth= -G,--file-search-regex= --ignore= --ignore-dir= -m,--max-count=
  options -p,--path-to-ignore=read -W,--width=
  free
  try ag foo src
  try ag -l foo
  try ag -u foo => fs.read secrets.read
  try ag --pager ./a foo => process.exec fs.read

ack
  class fs.read
  check ack
  takes text!--match,-f deep...
  here alone
  options --pager? --ackrc=code --output=code --match= -f -A,--after-context= -B,--before-context= -m,--max-count=
  options --files-from=list -x>process.exec -t,--type= --ignore-dir= --ignore-file= --type-add= --type-set= --type-del=
  options --range-start= --range-end=
  free
  try ack foo src
  try ack -l --ts foo
  try ack --pager=./a foo => fs.read ?
  try ack --output='$1' foo => process.exec fs.read ?

fd, fdfind
  class fs.read
  check fd
  takes text? deep...
  here
  options -x,--exec=command -X,--exec-batch=command -H,--hidden -I,--no-ignore -u,--unrestricted -s,--case-sensitive
  options -i,--ignore-case -g,--glob --regex -F,--fixed-strings -a,--absolute-path -l,--list-details -L,--follow
  options -p,--full-path -0,--print0 -1 -q,--quiet --and= -d,--max-depth= --min-depth= --exact-depth= --prune -t,--type=
  options -e,--extension= -S,--size= --changed-within= --changed-before= --newer= --older= -o,--owner= -E,--exclude=
  options --ignore-file=read -c,--color= -j,--threads= --max-results= -C,--base-directory=folder --path-separator=
  options --search-path=deep --strip-cwd-prefix? --one-file-system --show-errors --no-ignore-vcs --no-ignore-parent
  options --format= --batch-size= -h,--help,-V,--version<none
  try fd
  try fd -e ts . src
  try fd -H -t f foo
  try fd -x rm => fs.delete fs.read
  try fd -e o . build -X rm -f => fs.delete fs.read
  try fd foo -x cat {} \; => fs.read
  try fd -H env -x cat => fs.read secrets.read
  try fd -H foo -x cat => fs.read
  try fd foo src -x bash -c 'ls {}' => fs.read process.exec ?
  try fd --gen-completions => fs.read ?

find, gfind
  class fs.read
  check find
  try find . -name '*.ts'
  try find src -delete => fs.delete fs.read
  try find . -exec rm {} + => fs.delete fs.read
  try find . -type f -newer a -maxdepth 2 -print0
  try find . -name '*.o' -exec rm -f {} \; => fs.delete fs.read
  try find . -fprint out => fs.write fs.read
  try find ~ -name id_rsa => secrets.read fs.read
  try find . -execdir sh -c 'rm $1' _ {} + => fs.delete fs.read ?
  try find $X -delete => fs.delete fs.read ?
  try find . -files0-from a => fs.read ?
  try find . -odd => fs.read ?
  try find * => fs.read ?

locate, mlocate, plocate
  class fs.read
  takes text...
  options -d,--database=read -l,-n,--limit=
  free
  try locate foo
  try locate -l 5 a

updatedb
  class process.exec
  options -o,--output=write
  free
  try updatedb
`;
