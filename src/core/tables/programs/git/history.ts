export const GIT_HISTORY_PROGRAMS = String.raw`
# git: what shows the history, the differences and the files of a repository, or writes them to a file.

group DIFF
  # Options of all commands that show differences; all options with a separate value are named, so that none hides another.
  options --stat? --word-diff? --output=write --ext-diff>process.exec --textconv>process.exec -U,--unified= -S= -G=
  options -O=read -l= --stat-width= --stat-name-width= --stat-graph-width= --stat-count= --inter-hunk-context=
  options --diff-algorithm= --anchored= --diff-filter= --word-diff-regex= --src-prefix= --dst-prefix= --line-prefix=
  options --skip-to= --rotate-to= --ws-error-highlight= --find-object= --max-depth= --output-indicator-new=
  options --output-indicator-old= --output-indicator-context= -I,--ignore-matching-lines=

group LOG
  options --skip= --since,--after= --until,--before= --since-as-filter= --max-age= --min-age= --author= --committer=
  options --grep= --grep-reflog= --glob= --exclude= --exclude-hidden= --encoding= --date= -L= --diff-merges=
  options --min-parents? --max-parents? --decorate-refs= --decorate-refs-exclude= --format? --pretty? --decorate?
  options --exclude-first-parent-only

git
  class none
  check git
  options -C=folder --setting,-c= --config-env=code --exec-path?>process.exec -P,--no-pager -p,--paginate
  options --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs
  options --noglob-pathspecs --icase-pathspecs --namespace= --attr-source= --html-path --man-path --info-path
  options --version,-v --help,-h --list-cmds?
  try git --version
  try git
  try git -c core.pager=evil log => process.exec ?
  try git -c alias.x='!rm -rf .' x => process.exec ?
  try git --exec-path=/tmp/x status => process.exec
  try git --config-env=core.pager=X log => process.exec ?
  try git st => process.exec ?
  try git -c color.ui=always log => fs.read
  try git -c core.pager=cat diff => fs.read
  try git -c core.sshCommand=x fetch => process.exec ?
  try git --git-dir=evil status => fs.read ?

git status
  class fs.read
  check git
  takes text...
  options --ignored? -u,--untracked-files? --porcelain? --column? --find-renames?
  free
  try git status
  try git status -sb
  try git -C sub status --porcelain=v2
  try git -C node_modules/a status => fs.read ?
  try cd /tmp/a && git status => fs.read ?
  try git --no-pager status -- src

git log, git whatchanged
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git log --oneline -5
  try git --no-pager log --format=%H -n 1
  try git log -p --author ana --since='2 weeks ago' -- src
  try git log --output=x => fs.write fs.read
  try git log --ext-diff -p => process.exec
  try git log -p -- .env => secrets.read fs.read
  try git log main..HEAD
  try git log -L1,5:.env => secrets.read fs.read
  try git log -L 1,5:src/a.ts
  try git log --author -- --output=x => fs.write fs.read
  try git log -S foo --all
  try git log --stat --output=x => fs.write fs.read
  try git log --decorate --output=x => fs.write fs.read
  try git diff --word-dif --output=x => fs.write fs.read
  try git log --autho -- --output=x => fs.read ?
  try git log --graph --pretty=format:'%h %s'

git show
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git show HEAD
  try git show --stat HEAD~1
  try git show HEAD:src/a.ts
  try git show HEAD:.env => secrets.read fs.read
  try git show :0:.env => secrets.read fs.read
  try git show --output=.git/hooks/pre-commit HEAD:x => permissions.change fs.read
  try git show --outpu=a => fs.write fs.read

git diff
  class fs.read
  check git
  takes text...
  options DIFF
  free
  try git diff
  try git diff HEAD~1 -- src
  try git diff --stat main...HEAD
  try git diff --cached --name-only
  try git diff --output=x => fs.write fs.read
  try git diff --ext-diff => process.exec
  try git diff --no-index a b
  try git diff --no-index ~/.ssh/id_rsa /dev/null => secrets.read fs.read

git diff-tree, git diff-index, git diff-files, git diff-pairs, git range-diff
  class fs.read
  check git
  takes text...
  options DIFF
  free
  try git diff-tree --no-commit-id --name-only -r HEAD
  try git diff-index --quiet HEAD --
  try git diff-files --output=x => fs.write fs.read
  try git range-diff main...HEAD

git shortlog
  class fs.read
  check git
  takes text...
  options --max-count= LOG DIFF
  free
  try git shortlog -sn
  try git shortlog -sne HEAD
  try git shortlog --output=x HEAD => fs.read fs.write

git rev-list
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git rev-list --output=x HEAD => fs.read fs.write
  try git rev-list --count HEAD
  try git rev-list --max-parents=0 HEAD

git blame, git annotate
  class fs.read
  check git
  takes text...
  options DIFF -L= --contents=read --date= --ignore-rev= --ignore-revs-file=read -S=read --since= -C? -M? --abbrev?
  free
  try git blame --output=x a => fs.read fs.write
  try git blame src/a.ts
  try git blame -L 10,20 src/a.ts
  try git blame .env => secrets.read fs.read

git grep
  class fs.read
  check git
  takes text!-e,-f deep...
  here
  options -O,--open-files-in-pager?>process.exec -e= -f=read -A,--after-context= -B,--before-context= -C,--context=
  options -m,--max-count= --max-depth= --threads= --textconv>process.exec
  free
  try git grep -n foo
  try git grep --no-index foo => fs.read secrets.read
  try git grep a ':(glob).en?' => fs.read ?
  try git grep a ':!dist'
  try git grep -e a --and -e b -- src
  try git grep -Oevil foo => fs.read process.exec
  try git grep --open-files-in-pager=sh foo => fs.read process.exec
  try git grep -nO foo => fs.read process.exec

git cat-file
  class fs.read
  check git
  takes text...
  options -p -t -s -e --batch? --batch-check? --batch-command? --batch-all-objects --buffer --unordered
  options --follow-symlinks --allow-unknown-type --use-mailmap -z -Z --path= --filter= --textconv>process.exec
  options --filters>process.exec
  try git cat-file -p HEAD
  try git cat-file --textconv HEAD:a => process.exec fs.read
  try git cat-file -p HEAD:.env => secrets.read fs.read
  try git cat-file --batch-check
  try git cat-file --batch => fs.read ?

git ls-files, git ls-tree, git name-rev, git show-ref, git for-each-ref, git show-branch, git merge-base, git cherry,
git count-objects, git check-ignore, git check-attr, git check-mailmap, git check-ref-format, git verify-commit,
git verify-tag, git verify-pack, git describe, git var, git get-tar-commit-id, git patch-id, git stripspace,
git fmt-merge-msg, git column, git last-modified
  class fs.read
  check git
  takes text...
  options -F,--file=read -x,--exclude= -X,--exclude-from=read --exclude-per-directory= --with-tree= -l --format= --sort=
  options --count= --points-at= --contains --no-contains --merged --no-merged --match= --candidates=
  options --abbrev? --dirty? --refs= --source=
  free
  try git ls-files
  try git ls-files -m -o --exclude-standard
  try git ls-tree -r HEAD --name-only
  try git describe --tags --always
  try git for-each-ref --sort=-committerdate refs/heads
  try git merge-base HEAD main
  try git check-ignore -v a
  try git show-ref --tags
  try git var GIT_EDITOR
  try git var -l => secrets.read

git rev-parse
  class fs.read
  check git
  takes text...
  free
  try git rev-parse HEAD
  try git rev-parse --show-toplevel
  try git rev-parse --abbrev-ref HEAD

git merge-tree
  class fs.read
  check git
  takes text...
  free
  try git merge-tree main topic

git hash-object
  class fs.read
  check git
  takes read...
  options -w>git.write -t= --stdin --stdin-paths --no-filters --path= --literally
  try git hash-object a
  try git hash-object -w a => fs.read git.write

git help, git version
  class none
  check git
  takes text...
  options -a,--all -g,--guides -c,--config -v,--verbose --build-options --user-interfaces --developer-interfaces
  options -m,--man -w,--web>browser.act -i,--info
  try git help log
  try git version
  try git help -w log => browser.act

git fsck
  class fs.read
  check git
  takes text...
  options --unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full --connectivity-only
  options --strict --verbose --progress --no-progress --name-objects --references --no-references --lost-found>git.write
  try git fsck
  try git fsck --full
  try git fsck --lost-found => git.write

git reflog
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git reflog
  try git reflog -10 HEAD
  try git reflog --output=x => fs.write fs.read

git reflog show, git reflog list, git reflog exists
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git reflog show main

git stash
  class git.write
  check git
  options -u,--include-untracked -a,--all -k,--keep-index --no-keep-index -p,--patch -S,--staged -m,--message=
  options -q,--quiet
  try git stash
  try git stash -u

git stash list, git stash show
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git stash list
  try git stash show -p stash@{0}
  try git stash show -p -- .env => secrets.read fs.read
  try git stash show -p --output=x => fs.write fs.read

git bisect log
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git bisect log

git bundle create
  class git.write
  check git
  takes write text...
  options -n,--max-count= LOG
  free
  try git bundle create a.bundle HEAD => fs.write git.write

git format-patch
  class fs.write
  check git
  takes text...
  options -o,--output-directory=write --suffix= --stdout<fs.read --signature-file=read --description-file=read
  options -n,--max-count= LOG DIFF
  free
  try git format-patch -o out HEAD~3
  try git format-patch --suffix=/../../a -1 => fs.write ?
  try git format-patch --stdout HEAD~1 => fs.read
  try git format-patch --stdout --no-stdout -1 => fs.read ?
  try git format-patch --stdout HEAD~1 -- .env => secrets.read fs.read
`;
