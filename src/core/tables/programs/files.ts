export const FILE_PROGRAMS = String.raw`
# Files: reading, searching, comparing, creating, moving and deleting.

# Reading.
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

# Searching.
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

# Creating, moving and deleting.
mkdir
  class fs.mkdir
  check mode
  takes write...
  options -p,--parents -v,--verbose -m,--mode= -Z --context?
  try mkdir -p src/a
  try mkdir a b
  try mkdir -m 700 a
  try mkdir -m 777 a => permissions.change fs.write
  try mkdir -p .git/hooks => permissions.change fs.mkdir
  try mkdir $X => fs.mkdir ?

mktemp
  class fs.write
  takes write?
  options -d,--directory -u,--dry-run<none -q,--quiet --suffix= -p=write --tmpdir?write -t
  try mktemp
  try mktemp -d
  try mktemp -u => none
  try mktemp a.XXXX
  try mktemp --tmpdir=/etc

touch
  class fs.write
  takes write...
  options -a -c,--no-create -f -m -d,--date= -t= -r,--reference=read -h,--no-dereference --time=
  try touch a
  try touch -d yesterday a b
  try touch ~/.ssh/authorized_keys => permissions.change fs.write

cp, gcp
  class fs.copy
  takes read... write!-t
  options -r,-R,--recursive* -a,--archive* -f,--force -i,--interactive -n,--no-clobber -p --preserve?
  options --no-preserve? -u,--update? -v,--verbose -t,--target-directory=write -T,--no-target-directory -L,--dereference
  options -P,--no-dereference -H -d -c -X -x,--one-file-system -b --parents --backup? --suffix= --reflink? --sparse=
  options --strip-trailing-slashes --attributes-only --debug --progress
  try cp a b
  try cp -r src dst
  try cp -a src/. dst/
  try cp -t dst a b
  try cp a .git/hooks/pre-commit => permissions.change fs.copy
  try cp .env x => secrets.read fs.copy
  try cp -s a b => fs.copy ?
  try cp $A b => fs.copy ?

mv, gmv
  class fs.move
  takes move... write!-t
  options -f,--force -i,--interactive -n,--no-clobber -u,--update? -v,--verbose -t,--target-directory=write
  options -T,--no-target-directory -b --backup? --suffix= --strip-trailing-slashes --no-copy -Z --debug -h
  try mv a b
  try mv -t dst a b
  try mv a .git/hooks/pre-commit => permissions.change fs.move
  try mv .git x => permissions.change fs.move

rename, prename, file-rename
  class process.exec
  takes text...
  options --version,--help<none
  free
  try rename s/a/b/ *.txt

rm, grm
  class fs.delete
  takes delete...
  options -r,-R,--recursive*
  free
  try rm a
  try rm -rf build
  try rm -f *.log
  try rm -rf $X => fs.delete ?
  try rm -rf ~
  try rm -rf .git => permissions.change fs.delete

rmdir, unlink
  class fs.delete
  takes delete...
  free
  try rmdir a
  try unlink a
  try rmdir -p a/b

shred, srm, wipe
  class fs.delete
  takes delete...
  options -n,--iterations= -s,--size= --random-source=read -r*
  free
  reversible no
  try shred -u a
  try shred -n 3 a b

trash, trash-put
  class fs.delete
  takes delete...
  options -v,--verbose -f,--force
  try trash a
  try trash-put a b
  try trash --empty => fs.delete ?

ln, gln, link
  class fs.write
  check link
  takes text... write!-t
  options -s,--symbolic -f,--force -n,--no-dereference -i,--interactive -v,--verbose -r,--relative -b --backup?
  options --suffix= -t,--target-directory=write -T,--no-target-directory -h -L,--logical -P,--physical
  try ln -s a b
  try ln -sf ../a b
  try ln a b
  try ln -s ~/.ssh x => secrets.read permissions.change fs.write
  try ln -s ../.git/hooks src/h => permissions.change fs.write
  try ln -s .env x => secrets.read fs.write
  try ln -s $A b => fs.write ?

install, ginstall
  class fs.copy
  check mode
  takes read...!-d write!-t
  options -d,--directory -D -c -C,--compare -v,--verbose -p,--preserve-timestamps -m,--mode=
  options -o,--owner=>permissions.change -g,--group=>permissions.change -t,--target-directory=write
  options -T,--no-target-directory -b --backup? --suffix= -s,--strip --strip-program=program
  try install -m 644 a b
  try install -Dm755 a b
  try install -m 4755 a b => permissions.change fs.write fs.read
  try install -d build
  try install -o root a b => permissions.change fs.write fs.read
  try install -s --strip-program=./x a b => process.exec fs.copy

truncate
  class fs.delete
  takes write...
  options -s,--size= -r,--reference=read -c,--no-create -o,--io-blocks
  reversible no
  try truncate -s 0 a.log => fs.delete fs.write
  try truncate -s0 .git/config => permissions.change fs.delete

split, gsplit
  class fs.write
  takes read? write?
  options --filter=line -a,--suffix-length= -b,--bytes= -C,--line-bytes= -l,--lines= -n,--number= -t,--separator=
  options --additional-suffix= -d -x --numeric-suffixes? --hex-suffixes? -e,--elide-empty-files -u,--unbuffered
  options --verbose -#
  try split -l 100 a.txt part-
  try split -b 1M a
  try split --filter='rm b' a => fs.delete fs.write

csplit
  class fs.write
  check suffix
  takes read text...
  options -f,--prefix=write -b,--suffix-format= -n,--digits= -k,--keep-files -s,-q,--quiet,--silent
  options -z,--elide-empty-files --suppress-matched
  try csplit a.txt /x/
  try csplit -f part a 10
  try csplit -f docs/ -b '../../x%d' a 10 => fs.write ?

dd, gdd
  class fs.read
  check dd
  try dd if=a of=b bs=1M => fs.write
  try dd if=/dev/zero of=a count=1 => fs.write
  try dd if=/dev/urandom bs=16 count=1
  try dd if=a of=/dev/sda => fs.delete fs.read
  try dd if=~/.ssh/id_rsa => secrets.read fs.read
  try dd if=$A of=b => fs.write ?
  try dd odd=1 => fs.read ?

tee, gtee
  class fs.write
  check tee
  takes write...
  options -a,--append -i,--ignore-interrupts -p --output-error?
  try tee out.txt
  try tee -a a b
  try echo x | tee ~/.bashrc => permissions.change fs.write
  try tee /dev/null => none
  try tee => none
  try tee /dev/stderr a

sponge
  class fs.write
  takes write?
  options -a
  try sort a | sponge a => fs.write fs.read

# Sorting, cutting, joining.
sort, gsort
  class fs.read
  takes read...
  options -k,--key= -t,--field-separator= -S,--buffer-size= --parallel= -o,--output=write -T,--temporary-directory=write
  options --compress-program=program --files0-from=list --random-source=read --batch-size= --sort=
  free
  try sort -u a.txt
  try sort -k2 -o b a => fs.write fs.read
  try sort --o=b a => fs.write fs.read
  try sort --compress-program=./x a => process.exec fs.read
  try sort --files0-from=a => fs.read ?
  try ls | sort -rn

uniq
  class fs.read
  takes read? write?
  options -f,--skip-fields= -s,--skip-chars= -w,--check-chars=
  free
  try sort a | uniq -c
  try uniq a b => fs.write fs.read
  try uniq -f 1 a

cut
  class fs.read
  takes read...
  options -d,--delimiter= -f,--fields= -c,--characters= -b,--bytes= --output-delimiter=
  free
  try cut -d: -f1 a
  try cut -d ' ' -f 2,3 a
  try cut -c1-10
  try cut -d= -f2 .env => secrets.read fs.read

paste
  class fs.read
  takes read...
  options -d,--delimiters=
  free
  try paste -d, a b
  try paste -s a

join
  class fs.read
  takes read...
  options -1= -2= -j= -t= -o= -e= -a= -v=
  free
  try join -t, -1 2 a b
  try join a b

comm, tsort
  class fs.read
  takes read...
  options --output-delimiter=
  free
  try comm -12 a b
  try tsort a
  try comm <(sort a) <(sort b)
  try comm -i .env a => secrets.read fs.read

cmp
  class fs.read
  takes read...
  options -i,--ignore-initial= -n,--bytes=
  free
  try cmp a b
  try cmp -n 10 a b

tr, seq, factor, numfmt, expr, jot
  class none
  takes text...
  free
  try tr a-z A-Z
  try seq 1 10
  try expr 1 + 2
  try echo a | tr -d '\n'
  try numfmt --to=iec 1000
  try seq $N

fold, fmt
  class fs.read
  takes read...
  options -w,--width= --prefix= --goal=
  free
  try fold -w 80 -s a
  try fmt -w 72 a
  try fmt -t .env => secrets.read fs.read

expand, unexpand
  class fs.read
  takes read...
  options -t,--tabs=
  free
  try expand -t 4 a
  try unexpand a

column
  class fs.read
  takes read...
  options -c,--output-width,--columns= -s,--separator= -o,--output-separator= -N,--table-columns= -H,--table-hide=
  options -O,--table-order= -R,--table-right= --table-truncate= --table-wrap= --table-name= --table-columns-limit=
  options --tree-id= --tree-parent= --tree=
  free
  try column -t -s, a.csv
  try column -t
  try column -n .env => secrets.read fs.read

pr
  class fs.read
  takes read...
  options -h,--header= -l,--length= -o,--indent= -w,--width= -W,--page-width= -D,--date-format= -N,--first-line-number=
  free
  try pr -t a
  try pr -h x a

od
  class fs.read
  takes read...
  options -A,--address-radix= -j,--skip-bytes= -N,--read-bytes= -t,--format=
  free
  try od -c a
  try od -A x -t x1z a
  try od -s .env => secrets.read fs.read

hexdump, hd
  class fs.read
  takes read...
  options -n= -s= -e= -f=read
  free
  try hexdump -C a
  try hexdump -n 16 -C .env => secrets.read fs.read

xxd
  class fs.read
  takes read? write?
  options -c,-cols= -g,-groupsize= -l,-len= -o= -s,-seek= -n,-name= -R=
  free
  words
  try xxd a
  try xxd -l 16 a
  try xxd -r a b => fs.write fs.read
  try xxd -p a

strings
  class fs.read
  takes read...
  options -n,--bytes= -t,--radix= -e,--encoding= -T,--target= -s,--output-separator=
  free
  atfile
  try strings a
  try strings -n 8 a

base64, base32, basenc
  class fs.read
  takes read...
  options -w,--wrap= -o,--output=write -b,--break=
  free
  try base64 a
  try echo a | base64 -d
  try base64 -w0 .env => secrets.read fs.read
  try base64 -i a -o b => fs.write fs.read

md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum, sum, shasum, md5, b3sum, crc32
  class fs.read
  takes read...
  options -a,--algorithm= -l,--length=
  free
  try sha256sum a
  try shasum -a 256 a
  try md5sum -c sums
  try cksum a b

shuf, gshuf
  class fs.read
  takes read...
  options -i,--input-range= -n,--head-count= -o,--output=write --random-source=read
  free
  try shuf -n 3 a
  try shuf -i 1-10
  try shuf -o b a => fs.write fs.read

iconv
  class fs.read
  takes read...
  options -f,--from-code= -t,--to-code= -o,--output=write
  free
  try iconv -f latin1 -t utf8 a
  try iconv -l
  try iconv -o b a => fs.write fs.read

dos2unix, unix2dos, mac2unix
  class fs.write
  takes file...
  options -k,--keepdate -q,--quiet -f,--force -o,--oldfile -O,--to-stdout<fs.read -i<fs.read -v,--verbose
  options -s,--safe -c,--convmode= -l,--newline -b,--keep-bom -m,--add-bom -r,--remove-bom -u,--keep-utf16
  options --info?<fs.read
  try dos2unix a b
  try unix2dos -k a
  try dos2unix -i a => fs.read
  try dos2unix -n .env x => fs.write ?

# Comparing and changing.
diff, colordiff, zdiff, zcmp
  class fs.read
  takes read...
  options -r,--recursive* -x,--exclude= -X,--exclude-from=read -I,--ignore-matching-lines= -U,--unified= -C,--context=
  options -W,--width= -L,--label= --from-file=read --to-file=read -F,--show-function-line= -S,--starting-file=
  options -D,--ifdef= --tabsize= --horizon-lines= --palette= --line-format= --old-line-format= --new-line-format=
  options --unchanged-line-format= --old-group-format= --new-group-format= --unchanged-group-format=
  options --changed-group-format=
  free
  try diff a b
  try diff -ru src dst
  try diff -u <(ls a) <(ls b)
  try diff -U 5 a b
  try diff .env x => secrets.read fs.read

diff3, sdiff
  class fs.read
  takes read...
  options --diff-program=program -o,--output=write -w,--width= -L,--label=
  free
  try diff3 a b c
  try sdiff -o c a b => fs.write fs.read
  try diff3 --diff-program=./x a b c => process.exec fs.read

patch, gpatch
  class fs.write
  check patch
  takes write? read?
  options -i,--input=read -o,--output=write -d,--directory=folder -r,--reject-file=write -p,--strip= -B,--prefix=
  options -b,--backup -z,--suffix= -Y= -V,--version-control= -F,--fuzz= -D,--ifdef= -R,--reverse -N,--forward -f,--force
  options -t,--batch -s,--quiet,--silent -l,--ignore-whitespace -u,--unified -c,--context -n,--normal
  options -E,--remove-empty-files --verbose --merge? --dry-run,-C,--check<fs.read --binary -v,--version,--help<none
  try patch -p1 -i a.diff => fs.write ?
  try patch --dry-run -p1 -i a.diff => fs.read
  try patch -p0 < a.diff => fs.write ?
  try patch -e a b => fs.write ?

sed, gsed
  class fs.read
  check sed
  takes text!-e,-f file...
  options -n,--quiet,--silent -e,--expression= -f,--file=read -E,-r,--regexp-extended -i,--in-place?>fs.write
  options -I?>fs.write --line-length= -s,--separate -u,--unbuffered -z,--null-data --posix --debug --follow-symlinks
  options --sandbox -b,--binary -a --version,--help<none
  try sed -n 1,20p a
  try sed 's/a/b/g' a
  try sed -i 's/a/b/' a => fs.write
  try sed -i.bak -e 's,x,y,' a b => fs.write
  try sed -i/tmp/* s/a/b/ a => fs.write ?
  try sed -n '/from/,/to/p' a
  try sed -i '' 's/a/b/' a => fs.write
  try sed '1e rm a' b => process.exec fs.read ?
  try sed 's/x/rm a/e' b => process.exec fs.read ?
  try sed 'w out' a => fs.write fs.read
  try sed 's/a/b/w out' a => fs.write fs.read
  try sed 'r .env' a => secrets.read fs.read
  try sed -f a.sed b => fs.read ?
  try sed -i "s/$A/b/" a => fs.write ?
  try sed p .env => secrets.read fs.read
  try sed -i s/a/b/ .git/config => permissions.change fs.write

awk, gawk, mawk, nawk, goawk
  class fs.read
  check awk
  takes text!-f,-e read...
  options -F,--field-separator= -v,--assign= -f,--file=read -e,--source= -E,--exec=code -i,--include=code -l,--load=code
  options -W=code -o,--pretty-print?>process.exec -p,--profile?>process.exec -d,--dump-variables?>process.exec
  options -D,--debug?>process.exec -b,--characters-as-bytes -c,--traditional -C,--copyright -g,--gen-pot -M,--bignum
  options -n,--non-decimal-data -N,--use-lc-numeric -O,--optimize -P,--posix -r,--re-interval -s,--no-optimize
  options -S,--sandbox -t,--lint-old -V,--version,-h,--help<none --csv
  try awk '{print $1}' a
  try awk -F: '{ print $1, $3 }' a
  try awk 'NR>1 && $2 ~ /x/ {s+=$3} END {print s}' a
  try ps aux | awk '{print $2}' => fs.read
  try awk -v n=3 '$1 == n' a
  try awk 'BEGIN{system("rm a")}' => process.exec ?
  try awk '{print > "out"}' a => fs.write fs.read ?
  try awk '{print | "sh"}' a => process.exec fs.read ?
  try awk '"date" | getline x' a => process.exec fs.read ?
  try awk -f a.awk b => fs.read ?
  try awk 'BEGIN{print ENVIRON["X"]}' => secrets.read
  try awk "{print $A}" a => fs.read ?
  try awk -i inplace '{print}' a => process.exec fs.read ?

jq, gojq, jaq
  class fs.read
  check jq
  try jq . a.json
  try jq -r '.a[] | .b' a.json
  try jq --arg x 1 '.a == $x' a
  try jq -n '[inputs]' a b
  try curl -s https://example.com | jq .a => fs.read network.read
  try jq -n env => secrets.read
  try jq -n '$ENV.HOME' => secrets.read
  try jq '.env.A' a
  try jq --rawfile k .env '.' a => secrets.read fs.read
  try jq -f a.jq b => fs.read ?
  try jq 'import "a" as a; .' b => fs.read ?
  try jq ".$K" a => fs.read ?
  try jq '"\(env)"' a => secrets.read fs.read
  try jq '"\(1)" | env | "x"' a => secrets.read fs.read
  try jq --weird . a => fs.read ?

yq
  class fs.read
  check yq
  takes text!--from-file file...
  options -i,--inplace,--in-place>fs.write -P,--prettyPrint -o,--output-format= -p,--input-format=
  options -r,--raw-output,--unwrapScalar? -n,--null-input -N,--no-doc -j,--tojson -y,--yaml-output -Y,--yaml-roundtrip
  options -x,--xml-output -t,--toml-output -M,--no-colors -C,--colors -I,--indent= -e,--exit-status -S,--sort-keys
  options -c,--compact-output -v,--verbose --from-file=list -V,--version,-h,--help<none
  try yq .a a.yaml
  try yq -i '.a = 1' a.yaml => fs.write
  try yq -r '.a[]' a.yaml
  try yq eval '.a' a.yaml
  try yq e -i '.a = 1' a.yaml => fs.write
  try yq 'load(".env")' a => fs.read ?
  try yq '.a = strenv(X)' a => secrets.read fs.read
  try yq --split-exp .a a => fs.read ?
  try yq -s .a a => fs.read ?

xmllint
  class fs.read
  check xmllint
  takes read...
  options -xpath,--xpath= -format,--format -noout,--noout -html,--html -recover,--recover -schema,--schema=read
  options -relaxng,--relaxng=read -schematron,--schematron=read -encode,--encode= -pretty,--pretty= -nonet,--nonet
  options -noblanks,--noblanks -c14n,--c14n -nsclean,--nsclean -nowarning,--nowarning -nocdata,--nocdata -huge,--huge
  options -stream,--stream -dropdtd,--dropdtd -pattern,--pattern= -o,-output,--output=write -version,--version<none
  words
  try xmllint --noout a.xml
  try xmllint --xpath '//a' a.xml
  try xmllint --format a -o b => fs.write fs.read
  try xmllint --noent a => fs.read ?
  try xmllint --shell a => fs.read ?

xmlstarlet, xml
  class process.exec
  options -q --version,--help<none
  everywhere
  try xmlstarlet --version => none

xmlstarlet sel
  class fs.read
  check xmlstarlet
  takes read...
  options -t,--template -m,--match= -v,--value-of= -o,--output= -c,--copy-of= -n,--nl -N= -i,--if= -T,--text -b,--break
  options -B,--noblanks
  try xmlstarlet sel -t -v //a a.xml
  try xmlstarlet sel -t -v "document('/etc/passwd')" a.xml => fs.read ?
  try xmlstarlet sel --net -t -v //a a => fs.read ?

xmlstarlet el, xmlstarlet fo, xmlstarlet val, xmlstarlet pyx
  class fs.read
  check xmlstarlet
  takes read...
  options -a -v -u -n -t -R,--recover -D,--dropdtd -H,--html -w -q -b -o,--omit-decl
  try xmlstarlet fo a.xml
  try xmlstarlet val -w a.xml
  try xmlstarlet val --net a => fs.read ?

xmlstarlet c14n
  class fs.read
  takes read...
  free
  partly note.shown_files_named_in_file
  try xmlstarlet c14n a.xml => fs.read ?

csvcut, csvgrep, csvstat, csvlook, csvsort, csvjson, csvformat, csvstack, csvjoin, in2csv
  class fs.read
  takes read...
  options -d,--delimiter= -q,--quotechar= -u,--quoting= -p,--escapechar= -z,--maxfieldsize= -e,--encoding= -L,--locale=
  options -K,--skip-lines= -c,--columns= -C,--not-columns= -m,--match= --regex= -f=read --write-sheets=list>fs.write
  free
  try csvcut -c 1,2 a.csv
  try csvgrep -c 1 -m x a.csv
  try in2csv --write-sheets - a.xlsx => fs.write ?

csvclean
  class fs.write
  takes read...
  free
  try csvclean a.csv
  try csvclean .env => secrets.read fs.write

csvpy, csvsql, sql2csv
  class process.exec
  takes read...
  free
  try csvsql --query 'select 1' a.csv => fs.read process.exec

# Editors run any command that they are given, and no person uses them here.
vi, vim, nvim, view, vimdiff, nvimdiff, gvim, ex, ed, red, nano, pico, emacs, emacsclient, micro, joe, helix, hx, kak
  class process.exec
  takes write...
  options -V?>process.exec --version,--help<none
  free
  try vim a => fs.write process.exec
  try vim -c ':!rm a' => fs.write process.exec
  try ed a => fs.write process.exec
  try nano ~/.bashrc => permissions.change process.exec
  try vim --version => none
  try vim -V1/etc/x --version => process.exec
`;
