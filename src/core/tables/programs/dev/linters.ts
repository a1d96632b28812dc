export const LINTER_PROGRAMS = String.raw`
# Linters, formatters, scanners and line counters for several languages.

clang-format
  class fs.read
  check style
  takes file...
  options -i>fs.write --style= -style= --dry-run,-n -Werror --fallback-style= --assume-filename= --lines= --verbose
  options --version<none
  atfile
  obeys linter
  try clang-format --dry-run a.c
  try clang-format --style=file:.env a.c => secrets.read fs.read
  try clang-format -i a.c => fs.write
  try clang-format @a => fs.read ?

shellcheck
  class fs.read
  check sourced
  takes read...
  options -a,--check-sourced -x,--external-sources -C,--color? -e,--exclude= -i,--include= -f,--format= -o,--enable=
  options -P,--source-path= -s,--shell= -S,--severity= -W,--wiki-link-count= --norc --rcfile=read --list-optional
  options --extended-analysis= -V,--version<none --help<none
  try shellcheck a.sh
  try shellcheck -x -s bash a.sh

shfmt
  class fs.read
  takes file...
  here
  options -l,--list -d,--diff -w,--write>fs.write -s,--simplify -mn,--minify -i,--indent= -bn,--binary-next-line
  options -ci,--case-indent -sr,--space-redirects -kp,--keep-padding -fn,--func-next-line -ln,--language-dialect=
  options -p,--posix --filename= -f,--find --version<none
  obeys linter
  try shfmt -d a.sh
  try shfmt -w a.sh => fs.write
  try shfmt -l .

hadolint, yamllint, actionlint, checkmake, editorconfig-checker, ec, typos, ls-lint
  class fs.read
  takes file...
  here
  options -f,--format= -c,--config=read -s,--strict --no-warnings --ignore= --failure-threshold= --no-color --color
  options --no-fail --version<none -h,--help<none -v,--verbose -q,--quiet --list-files -d,--config-data= -oneline
  options -no-color -verbose -w,--write-changes>fs.write --skip= -S= -L=
  obeys linter
  try hadolint Dockerfile
  try yamllint .
  try actionlint
  try typos -w => fs.write
  try hadolint --weird a => fs.read ?
  try actionlint -shellcheck=evil => fs.read ?

codespell, dotenv-linter, vale, proselint, conftest, tflint, checkov, trivy, grype, syft, gitleaks, trufflehog, semgrep,
zizmor, taplo, sonar-scanner, snyk, codeql
  class process.exec
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try trivy fs .
  try gitleaks detect
  try semgrep --version => none

cloc
  class fs.read
  takes deep...
  options --json --yaml --csv --md --xml --quiet --by-file --by-file-by-lang --by-percent= --exclude-dir= --exclude-ext=
  options --exclude-lang= --include-lang= --include-ext= --vcs=line --git>process.exec --diff --list-file=list
  options --out,--report-file=write --sql=write --hide-rate --sum-one --skip-uniqueness --fullpath --match-d=
  options --not-match-d= --match-f= --not-match-f= --timeout= --processes= --max-file-size= --version<none --help<none
  options --no-autogen
  obeys git
  try cloc .
  try cloc --json src
  try cloc --extract-with=evil a => fs.read ?
  try cloc --out=x . => fs.read fs.write

tokei, loc
  class fs.read
  takes deep...
  here
  options -f,--files -e,--exclude= -o,--output= -s,--sort= -t,--type= -C,--compact --hidden --no-ignore -l,--languages
  options -c,--columns= -n,--num-format= -V,--version<none -h,--help<none
  try tokei
  try tokei src
  try tokei -o json

scc, gocloc
  class fs.read
  takes deep...
  here
  options -o,--output=write -f,--format= -s,--sort= -i,--include-ext= -x,--exclude-ext= --by-file --no-cocomo -w,--wide
  options --exclude-dir= -c,--no-complexity -d,--no-duplicates --version<none -h,--help<none
  try scc --by-file
  try scc -f json
  try scc -o out => fs.read fs.write
`;
