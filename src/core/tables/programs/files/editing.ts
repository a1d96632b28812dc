export const EDITING_PROGRAMS = String.raw`
# Programs that compare, change or query text: patches, stream editors, JSON, XML and CSV, editors.

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

# Editors run any command that they are given, and an agent cannot use their screen.
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
