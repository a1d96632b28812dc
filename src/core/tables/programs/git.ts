export const GIT_PROGRAMS = String.raw`
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

group QUIET
  options -q,--quiet -v,--verbose --progress --no-progress

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

git reflog expire, git reflog delete, git reflog drop, git reflog write
  class git.write
  check git
  takes text...
  free
  reversible no
  try git reflog expire --expire=now --all
  try git reflog write HEAD a b c => fs.read git.write

git branch
  class fs.read
  check git
  takes text...
  options -l,--list --contains --no-contains --merged --no-merged --points-at= --show-current -a,--all -r,--remotes
  options --sort= --format= -v,-vv,--verbose -q,--quiet --color? --no-color --column? --no-column --abbrev? --no-abbrev
  options -i,--ignore-case --omit-empty -d,--delete>git.write -D!>git.write -m,--move>git.write -M!>git.write
  options -c,--copy>git.write -C!>git.write -f,--force!>git.write -t,--track?>git.write --no-track>git.write
  options -u,--set-upstream-to=>git.write --unset-upstream>git.write --edit-description>git.write
  options --create-reflog>git.write --recurse-submodules>git.write
  try git branch
  try git branch -a
  try git branch -vv
  try git branch --show-current
  try git branch --merged main
  try git branch --list 'a*'
  try git branch topic => git.write
  try git branch --abbrev topic => git.write
  try git branch -l --no-list topic => fs.read ?
  try git branch -D topic => git.write
  try git branch -d topic => git.write
  try git branch -f main HEAD~3 => git.write
  try git branch --sort=-committerdate

git tag
  class fs.read
  check git
  takes text...
  options -l,--list -n? --contains --no-contains --merged --no-merged --points-at= --sort= --format= --column?
  options --no-column --color? -i,--ignore-case --omit-empty -v,--verify -a,--annotate>git.write -s,--sign>git.write
  options -u,--local-user=>git.write -f,--force!>git.write -d,--delete>git.write -m,--message=>git.write
  options -F,--file=read>git.write -e,--edit>git.write --cleanup= --create-reflog>git.write --no-sign>git.write
  try git tag
  try git tag -l 'v1.*'
  try git tag --sort=-v:refname
  try git tag --points-at HEAD
  try git tag v1 => git.write
  try git tag -d v1 => git.write
  try git tag -a v1 -m x => git.write

git remote
  class fs.read
  check git
  options -v,--verbose
  try git remote
  try git remote -v

git remote get-url
  class fs.read
  check git
  takes text
  options --push --all
  try git remote get-url origin

git remote show
  class network.read
  check git
  takes text...
  options -n
  try git remote show origin
  try git remote show https://a.example/x
  try git remote show ext::evil => process.exec ?

git remote add, git remote set-url
  class git.write
  check git
  takes text...
  options -f,--fetch -t= -m= --tags --no-tags --mirror? --push --add --delete
  try git remote add up https://a.example/x.git
  try git remote set-url origin https://a.example/x.git
  try git remote add x 'ext::sh -c id' => git.write ?

git remote remove, git remote rm, git remote rename, git remote set-head, git remote set-branches, git remote prune,
git remote update
  class git.write
  check git
  takes text...
  free
  try git remote remove up
  try git remote prune origin

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

git stash push, git stash save, git stash create, git stash store, git stash apply, git stash branch
  class git.write
  check git
  takes text...
  free
  try git stash push -m wip
  try git stash apply

git stash drop, git stash clear, git stash pop
  class git.write
  check git
  takes text...
  free
  reversible no
  try git stash drop
  try git stash clear
  try git stash pop

git config
  class fs.read
  check git
  takes text...
  options --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l,--list --global --system --local
  options --worktree -f,--file=read --blob= --show-origin --show-scope -z,--null --name-only --type= --bool --int
  options --bool-or-int --path --expiry-date --no-type --default= --includes --no-includes --fixed-value
  options --add>permissions.change --replace-all>permissions.change --unset>permissions.change
  options --unset-all>permissions.change --rename-section>permissions.change --remove-section>permissions.change
  options -e,--edit>permissions.change --append>permissions.change --comment=>permissions.change
  try git config --get user.name
  try git config --list --show-origin => secrets.read
  try git config -l --name-only
  try git config --get http.extraheader => secrets.read
  try git config --get-regexp ^branch
  try git config --get-regexp url => secrets.read
  try git config user.email
  try git config user.email ana@a.example => git.write
  try git config core.hooksPath /tmp/x => permissions.change
  try git config --global alias.st '!sh' => permissions.change
  try git config --unset a.b => permissions.change
  try git config -e => permissions.change

git config list, git config get
  class fs.read
  check git
  takes text...
  options --all --regexp --url= --value= --global --system --local --worktree -f,--file=read --blob= --show-origin
  options --show-scope --show-names --no-show-names -z,--null --name-only --type= --bool --int --path --default=
  options --includes --no-includes --fixed-value
  try git config list => secrets.read
  try git config list --name-only
  try git config get user.name

git config set, git config unset, git config rename-section, git config remove-section, git config edit
  class permissions.change
  check git
  takes text...
  free
  try git config set core.editor x
  try git config unset a.b

git fetch
  class network.read
  check git
  takes text...
  options QUIET --all --multiple -a,--append --atomic --depth=>git.write --deepen= --shallow-since=>git.write
  options --shallow-exclude=>git.write --unshallow --update-shallow>git.write --negotiation-tip= --dry-run -k,--keep
  options -p,--prune>git.write -P,--prune-tags>git.write -n,--no-tags -t,--tags --no-recurse-submodules
  options --recurse-submodules? -j,--jobs= -4,--ipv4 -6,--ipv6 -o,--server-option= --porcelain --filter= --no-auto-gc
  options --no-auto-maintenance --no-write-fetch-head --refetch --prefetch -f,--force!>git.write
  options -u,--update-head-ok>git.write --refmap=>git.write --set-upstream>git.write --upload-pack=program>process.exec
  options --stdin>git.write
  try git fetch
  try git fetch origin
  try git fetch --all --tags
  try git fetch origin main
  try git fetch origin +main:main => git.write
  try git fetch --upload-pack='touch x' origin => fs.write process.exec
  try git fetch ext::sh => process.exec ?
  try git fetch --prune => git.write
  try git fetch https://a.example/x.git

git pull
  class git.write
  check git
  takes text...
  options --upload-pack=program>process.exec -f,--force! -s,--strategy= -X,--strategy-option= --depth=
  options -o,--server-option=
  free
  try git pull
  try git pull --rebase origin main
  try git pull --upload-pack=x origin => git.write process.exec

git ls-remote
  class network.read
  check git
  takes text...
  options -h,--heads -b,--branches -t,--tags --refs -q,--quiet --exit-code --get-url --symref --sort=
  options -o,--server-option= --upload-pack,--exec=program>process.exec
  try git ls-remote
  try git ls-remote --tags origin
  try git ls-remote https://a.example/x.git
  try git ls-remote --upload-pack=evil origin => process.exec
  try git ls-remote --exec=evil origin => process.exec
  try git ls-remote ext::evil => process.exec ?
  try git ls-remote -- --upload-pack=evil => network.read ?

git clone
  class network.read
  check git
  takes text text
  options QUIET -l,--local --no-hardlinks -s,--shared --reference=read --reference-if-able=read --dissociate
  options -n,--no-checkout --bare>git.write --mirror>git.write -o,--origin= -b,--branch= --depth= --shallow-since=
  options --shallow-exclude= --single-branch --no-single-branch --tags --no-tags
  options --recurse-submodules,--recursive?>git.write --shallow-submodules --no-shallow-submodules --sparse --filter=
  options -j,--jobs= --also-filter-submodules --revision= --server-option= --separate-git-dir=write>git.write
  options --template=code -u,--upload-pack=program>process.exec --setting,-c,--config=
  try git clone https://a.example/x.git => network.read fs.write git.write
  try git clone --depth 1 https://a.example/x.git src/x => network.read fs.write git.write
  try git clone -u evil a@b.example:x => fs.write process.exec git.write
  try git clone -c core.hooksPath=x https://a.example/x.git => fs.write process.exec git.write ?
  try git clone --template=/tmp/t https://a.example/x => fs.write process.exec git.write ?
  try git clone --bare . x => fs.read fs.write git.write
  try git clone ext::sh x => fs.write process.exec git.write ?

git init
  class git.write
  check git
  takes write
  options -q,--quiet --bare -b,--initial-branch= --object-format= --ref-format= --shared? --separate-git-dir=write
  options --template=code
  try git init
  try git init --template=x => git.write ?

git add, git stage
  class git.write
  check git
  takes text...
  options -A,--all -u,--update -n,--dry-run<fs.read --no-dry-run>git.write -v,--verbose -f,--force -i,--interactive
  options -p,--patch -e,--edit -N,--intent-to-add --refresh --ignore-errors --ignore-missing --chmod= --renormalize
  options --sparse --pathspec-from-file=read --pathspec-file-nul --no-all --no-ignore-removal --ignore-removal
  options --no-warn-embedded-repo
  try git add .
  try git add -A
  try git add -n . => fs.read
  try git add -p

git rm
  class git.write
  check git
  takes text...
  options -f,--force! -n,--dry-run -r* --cached --ignore-unmatch -q,--quiet --sparse --pathspec-from-file=read
  options --pathspec-file-nul
  try git rm a => fs.delete git.write
  try git rm -r --cached node_modules

git mv
  class git.write
  check git
  takes move... write
  options -f,--force! -k -n,--dry-run -v,--verbose --sparse
  try git mv a b => fs.move fs.write git.write

git restore
  class git.write
  check git
  takes text...
  options --staged,-S --worktree,-W -s,--source= --pathspec-from-file=read --conflict=
  free
  try git restore a => fs.write git.write
  try git restore --staged a
  try git restore . => fs.write git.write

git checkout
  class git.write
  check git
  takes text...
  options -b= -B=! --orphan= -f,--force! -t,--track? --conflict= --pathspec-from-file=read!
  free
  try git checkout main
  try git checkout -b topic
  try git checkout -- src/a.ts => fs.write git.write
  try git checkout . => fs.write git.write
  try git checkout -f

git switch
  class git.write
  check git
  takes text...
  options -c,--create= -C,--force-create=! -f,--force,--discard-changes! --orphan= --conflict=
  free
  try git switch main
  try git switch -c topic
  try git switch -f main

git commit
  class git.write
  check git
  takes text...
  options -m,--message= -F,--file=read -C,--reuse-message= -c,--reedit-message= -t,--template=read --author= --date=
  options --fixup= --squash= --trailer= --cleanup= --pathspec-from-file=read
  free
  try git commit -m 'a b'
  try git commit -am x --no-verify
  try git commit --amend --no-edit

git merge, git revert, git cherry-pick, git am
  class git.write
  check git
  takes text...
  options -m= -F,--file=read -s,--strategy= -X,--strategy-option= --into-name= --cleanup=
  free
  try git merge topic
  try git revert HEAD
  try git cherry-pick abc1234
  try git am a.patch

git rebase
  class git.write
  check git
  takes text...
  options -x,--exec=line>process.exec --onto= -s,--strategy= -X,--strategy-option=
  free
  try git rebase main
  try git rebase --abort
  try git rebase -x 'rm a' main => fs.delete git.write
  try git rebase -i HEAD~3

git reset
  class git.write
  check git
  takes text...
  options --hard! --merge! --keep! --pathspec-from-file=read
  free
  try git reset HEAD a
  try git reset --hard HEAD~1
  try git reset --soft HEAD~1

git clean
  class fs.delete
  check git
  takes file...
  here
  options -n,--dry-run<fs.read --no-dry-run>fs.delete -f,--force -d* -x -X -q,--quiet -i,--interactive -e,--exclude=
  try git clean -fdx
  try git clean -n => fs.read
  try git clean -ndx => fs.read
  try git clean -n --no-dry-run -f

git push
  class git.write
  check git
  takes text...
  options -f,--force! --force-with-lease?! --force-if-includes! --mirror! -d,--delete! --prune!
  options --receive-pack,--exec=program>process.exec --repo= -o,--push-option= --recurse-submodules=
  free
  reach outside
  try git push
  try git push -u origin topic
  try git push --force origin main
  try git push origin +main
  try git push origin :main
  try git push --delete origin main
  try git push --receive-pack=evil origin => git.write process.exec
  try git push ext::evil => git.write ?

git worktree list
  class fs.read
  check git
  free
  try git worktree list
  try git worktree list --porcelain

git worktree add
  class git.write
  check git
  takes write text
  options -b= -B=! --reason= --orphan
  free
  try git worktree add ../x main => fs.write git.write

git worktree remove
  class git.write
  check git
  takes delete
  options -f,--force*!
  try git worktree remove ../x => fs.delete git.write

git worktree move, git worktree prune, git worktree lock, git worktree unlock, git worktree repair
  class git.write
  check git
  takes text...
  free
  try git worktree prune

git submodule
  class fs.read
  check git
  options -q,--quiet --cached
  try git submodule

git submodule status, git submodule summary
  class fs.read
  check git
  takes text...
  options -q,--quiet --cached --recursive --files -n,--summary-limit=
  try git submodule status --recursive

git submodule add, git submodule update, git submodule init, git submodule sync, git submodule deinit,
git submodule set-url, git submodule set-branch, git submodule absorbgitdirs
  class git.write
  check git
  takes text...
  options -b,--branch= --name= --depth= --reference=read
  free
  try git submodule update --init --recursive
  try git submodule add https://a.example/x.git x
  try git submodule add ext::evil x => git.write ?

git submodule foreach
  class process.exec
  check git
  takes command
  options -q,--quiet --recursive
  try git submodule foreach 'git status' => fs.read process.exec
  try git submodule foreach --recursive rm a => fs.delete process.exec

git bisect start, git bisect good, git bisect bad, git bisect new, git bisect old, git bisect skip, git bisect reset,
git bisect replay, git bisect terms, git bisect next
  class git.write
  check git
  takes text...
  free
  try git bisect start
  try git bisect good HEAD~9

git bisect view, git bisect visualize
  class process.exec
  check git
  takes text...
  free
  try git bisect view rm a

git bisect log
  class fs.read
  check git
  takes text...
  options -n,--max-count= LOG DIFF
  free
  try git bisect log

git bisect run
  class process.exec
  check git
  takes command
  try git bisect run rm a => fs.delete process.exec

git notes
  class fs.read
  check git
  options --ref=
  try git notes

git notes list, git notes show, git notes get-ref
  class fs.read
  check git
  takes text...
  options --ref=
  try git notes list
  try git notes show HEAD

git notes add, git notes append, git notes edit, git notes copy, git notes merge, git notes remove, git notes prune
  class git.write
  check git
  takes text...
  options -m,--message= -F,--file=read
  free
  try git notes add -m x

git gc, git repack, git pack-refs, git maintenance, git commit-graph, git multi-pack-index, git pack-objects, git rerere,
git update-index, git read-tree, git write-tree, git commit-tree, git mktag, git mktree, git replace, git checkout-index,
git unpack-objects, git index-pack, git fast-import, git merge-file, git merge-index, git update-server-info,
git backfill, git refs
  class git.write
  check git
  takes text...
  free
  try git gc
  try git update-index --assume-unchanged a
  try git maintenance run

git prune, git prune-packed
  class git.write
  check git
  takes text...
  options --expire=
  free
  reversible no
  try git prune
  try git prune --expire now

git rerere status, git rerere diff, git rerere remaining
  class fs.read
  check git
  takes text...
  try git rerere status

git archive
  class fs.read
  check git
  takes text...
  options -o,--output=write --remote=code>network.read --exec=program>process.exec --format= -l,--list --prefix=
  options --add-file=read --add-virtual-file= --worktree-attributes -v,--verbose --mtime= -#
  try git archive HEAD
  try git archive -o out.tar HEAD => fs.read fs.write
  try git archive --remote=x --exec=evil HEAD => process.exec ?

git bundle create
  class git.write
  check git
  takes write text...
  options -n,--max-count= LOG
  free
  try git bundle create a.bundle HEAD => fs.write git.write

git bundle verify, git bundle list-heads
  class fs.read
  check git
  takes read text...
  options -q,--quiet
  try git bundle verify a.bundle

git bundle unbundle
  class git.write
  check git
  takes read text...
  try git bundle unbundle a.bundle => fs.read git.write

git apply
  class git.write
  check git
  takes read...
  options --check --stat --numstat --summary --apply -R,--reverse -p= -C= --whitespace= --exclude= --include=
  options --directory= --build-fake-ancestor=write
  free
  try git apply a.patch => fs.read git.write ?
  try git apply --unsafe-paths a.patch => fs.read git.write ?
  try git apply --check a.patch => fs.read
  try git apply --check --no-ch a.patch => fs.read ?
  try git apply --stat --apply a.patch => fs.read git.write ?

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

git sparse-checkout list, git sparse-checkout check-rules
  class fs.read
  check git
  options --rules-file=read
  free
  try git sparse-checkout list

git sparse-checkout set, git sparse-checkout add, git sparse-checkout init, git sparse-checkout disable,
git sparse-checkout reapply, git sparse-checkout clean
  class git.write
  check git
  takes text...
  free
  try git sparse-checkout set src

git lfs ls-files, git lfs status, git lfs env, git lfs version, git lfs pointer
  class fs.read
  check git
  takes text...
  free
  try git lfs ls-files
  try git lfs status

git lfs locks
  class network.read
  check git
  takes text...
  options -r,--remote= --id= -p,--path= --local --cached -l,--limit= --verify --json --refspec=
  try git lfs locks
  try git lfs locks --remote=https://a.example/x

git lfs fetch, git lfs pull, git lfs push, git lfs install, git lfs uninstall, git lfs track, git lfs untrack,
git lfs checkout, git lfs migrate, git lfs prune, git lfs lock, git lfs unlock, git lfs clone
  class git.write
  check git
  takes text...
  free
  try git lfs pull
  try git lfs track '*.psd'

git filter-branch, git filter-repo
  class process.exec
  check git
  takes text...
  options --setup=line --subdirectory-filter= --env-filter=line --tree-filter=line --index-filter=line
  options --parent-filter=line --msg-filter=line --commit-filter=line --tag-name-filter=line --original= -d=
  free
  reversible no
  try git filter-branch --tree-filter 'rm -f a' HEAD => fs.delete process.exec
  try git filter-repo --path src

git difftool, git mergetool
  class process.exec
  check git
  takes text...
  options -x,--extcmd=line -t,--tool=
  free
  try git difftool -x 'rm a' HEAD => fs.delete process.exec

git gui, git instaweb, git citool, git daemon, git upload-pack, git receive-pack, git http-backend, git shell, git svn,
git p4, git cvsserver, gitk
  class process.exec
  takes text...
  free
  try git gui
  try git daemon --export-all

git send-email, git imap-send
  class message.send
  takes text...
  options --smtp-server=
  free
  try git send-email a.patch

git request-pull
  class network.read
  check git
  takes text...
  options -p
  try git request-pull v1 origin main

git credential, git credential-store, git credential-cache, git credential-manager, git credential-osxkeychain,
git credential-libsecret, git askpass
  class secrets.read
  takes text...
  free
  try git credential fill
  try git credential-store get

git update-ref
  class git.write
  check git
  takes text...
  options -d! -m=
  free
  try git update-ref refs/heads/a HEAD
  try git update-ref -d refs/heads/a

git symbolic-ref
  class fs.read
  check git
  takes text...
  options -q,--quiet --short --recurse --no-recurse -d,--delete!>git.write -m=>git.write
  try git symbolic-ref --short HEAD
  try git symbolic-ref HEAD refs/heads/a => git.write
  try git symbolic-ref -d HEAD => git.write

git interpret-trailers, git mailinfo, git mailsplit, git fast-export
  class fs.write
  takes text...
  free
  partly note.written_files_not_examined
  try git interpret-trailers --in-place a => fs.write ?

gh
  class none
  options --version --help
  try gh --version
  try gh weird => process.exec ?

gh pr list, gh pr view, gh pr status, gh pr diff, gh pr checks, gh issue list, gh issue view, gh issue status,
gh repo view, gh repo list, gh run list, gh run view, gh run watch, gh workflow list, gh workflow view, gh release list,
gh release view, gh gist list, gh gist view, gh label list, gh project list, gh project view, gh project field-list,
gh project item-list, gh cache list, gh ruleset list, gh ruleset view, gh ruleset check, gh variable list,
gh variable get, gh secret list, gh ssh-key list, gh gpg-key list, gh org list, gh status, gh search repos,
gh search issues, gh search prs, gh search code, gh search commits, gh repo deploy-key list, gh repo license list,
gh repo license view, gh repo gitignore list, gh repo gitignore view, gh extension list, gh extension search,
gh codespace list, gh codespace view
  class network.read
  check gh
  takes text...
  options -w,--web>browser.act -R,--repo= -q,--jq= -t,--template= --json= -L,--limit= -S,--search= -s,--state=
  options -l,--label= -a,--assignee= -A,--author= -H,--head= -B,--base= -j,--job= -b,--branch= -u,--user= -e,--event=
  options -c,--commit= -i,--interval= -f,--filename= -m,--milestone= -o,--order= -k,--key=
  free
  obeys git
  try gh pr list
  try gh pr view 12 --json title,body
  try gh pr view --web => browser.act
  try gh run view 1 --log
  try gh issue list --jq 'env.GH_TOKEN' => secrets.read
  try gh pr diff 12
  try gh search repos foo --limit 5
  try gh pr checks
  try gh pr list -R a.example/b/c => network.read ?
  try gh repo view github.com/a/b

gh attestation verify
  class network.read
  check gh
  takes text
  options -o,--owner= -R,--repo= -b,--bundle=read --custom-trusted-root=read --hostname=host -q,--jq= -t,--template=
  options --format=
  free
  try gh attestation verify a.zip --owner a
  try gh attestation verify a.zip --owner a --bundle .env => secrets.read network.read

gh api
  class network.read
  check gh
  takes text
  options -X,--method= -f,--raw-field= -F,--field= --input=read -H,--header= -q,--jq= -t,--template= --paginate --slurp
  options --cache= -i,--include -p,--preview= --silent --verbose --hostname=host
  try gh api user
  try gh api repos/a/b/pulls --paginate --jq '.[].title'
  try gh api -X DELETE repos/a/b => network.write
  try gh api repos/a/b/issues -f title=x => network.write
  try gh api -X GET search/issues -f q=x
  try gh api graphql -f query='query { viewer { login } }'
  try gh api graphql -f query='mutation { x }' => network.write
  try gh api x -F body=@.env => network.write secrets.read
  try gh api x --method=PATCH => network.write
  try gh api x --input a.json => fs.read network.write
  try gh api -Xpost x => network.write
  try gh api x -H 'X-HTTP-Method-Override: DELETE' => network.write
  try gh api https://evil.example/x => network.read ?
  try gh api --hostname evil.example x => network.read ?

gh auth status
  class network.read
  options -h,--hostname= -a,--active -t,--show-token>secrets.read --json=
  try gh auth status
  try gh auth status -t => secrets.read

gh auth token, gh auth git-credential
  class secrets.read
  takes text...
  free
  try gh auth token

gh auth login, gh auth logout, gh auth refresh, gh auth setup-git, gh auth switch, gh secret set, gh secret delete,
gh secret remove, gh variable set, gh variable delete, gh ssh-key add, gh ssh-key delete, gh gpg-key add,
gh gpg-key delete, gh repo deploy-key add, gh repo deploy-key delete, gh alias set, gh alias delete, gh alias import,
gh config set, gh config clear-cache
  class permissions.change
  takes text...
  free
  try gh auth login
  try gh secret set A -b x
  try gh alias set x '!sh'
  try gh ssh-key add a.pub
  try gh config set pager evil

gh config get
  class none
  check variables
  takes text
  options -h,--host=
  try gh config get git_protocol
  try gh config get -h github.com oauth_token => secrets.read

gh config list, gh alias list, gh completion, gh version, gh help
  class none
  takes text...
  options -h,--host= -s,--shell=
  try gh config get editor
  try gh alias list
  try gh version

gh pr create, gh pr new, gh pr comment, gh pr review, gh issue create, gh issue new, gh issue comment, gh gist create,
gh gist edit, gh gist rename
  class network.write
  takes text...
  options -F,--body-file=read -b,--body= -t,--title=
  free
  try gh pr create --fill
  try gh issue comment 1 -b x
  try gh pr create -F .env => network.write secrets.read

gh pr close, gh pr reopen, gh pr edit, gh pr ready, gh pr lock, gh pr unlock, gh pr update-branch, gh pr revert,
gh issue close, gh issue reopen, gh issue edit, gh issue lock, gh issue unlock, gh issue pin, gh issue unpin,
gh issue transfer, gh issue develop, gh label create, gh label edit, gh label clone, gh project create, gh project edit,
gh project item-add, gh project item-edit, gh project item-create, gh project close, gh project copy, gh project link,
gh run rerun, gh run cancel, gh repo fork, gh repo sync, gh repo create, gh repo rename, gh repo set-default,
gh repo unarchive, gh codespace create, gh codespace stop, gh codespace edit
  class network.write
  takes text...
  free
  try gh pr close 1
  try gh run rerun 5
  try gh repo fork a/b

gh issue delete, gh label delete, gh gist delete, gh run delete, gh cache delete, gh repo delete, gh repo archive,
gh project delete, gh project item-delete, gh project item-archive, gh project field-delete, gh codespace delete
  class network.write
  takes text...
  free
  reversible no
  try gh repo delete a/b --yes
  try gh cache delete --all

gh repo edit
  class permissions.change
  takes text...
  free
  try gh repo edit --visibility public

gh pr merge
  class git.write
  takes text...
  free
  reach outside
  reversible no
  try gh pr merge 1 --squash

gh pr checkout, gh co
  class git.write
  takes text...
  options -b,--branch= -f,--force!
  free
  try gh pr checkout 1

gh release create, gh release edit, gh release upload, gh release delete, gh release delete-asset, gh workflow run,
gh workflow enable, gh workflow disable
  class deploy.write
  takes text...
  free
  try gh release create v1
  try gh workflow run deploy.yml

gh release download, gh run download, gh gist clone, gh attestation download
  class network.read
  check download
  takes text...
  here
  options -D,--dir=write -O,--output=write -p,--pattern= -n,--name= -A,--archive= -R,--repo= --clobber --skip-existing
  options -o,--owner= -L,--limit=
  partly note.maker_names_files
  try gh release download v1 => fs.write network.read ?
  try gh run download 5 -D out => fs.write network.read ?

gh repo clone
  class network.read
  check download
  takes text write? text...
  options -u,--upstream-remote-name=
  try gh repo clone a/b => fs.write network.read git.write
  try gh repo clone a/b -- --depth 1 => fs.write network.read git.write ?

gh browse
  class browser.act
  takes text...
  free
  try gh browse

gh extension install, gh extension upgrade, gh extension remove, gh extension create, gh extension exec,
gh extension browse, gh codespace ssh, gh codespace cp, gh codespace code, gh codespace jupyter, gh codespace ports,
gh codespace rebuild, gh copilot, gh agent-task, gh preview
  class process.exec
  takes text...
  free
  try gh extension install a/b
  try gh codespace ssh

glab mr list, glab mr view, glab mr diff, glab issue list, glab issue view, glab ci list, glab ci status, glab ci get,
glab repo view, glab repo list, glab repo search, glab release list, glab release view, glab label list,
glab pipeline list, glab pipeline status, glab user events
  class network.read
  check gh
  takes text...
  options -w,--web>browser.act -R,--repo= --with-variables>secrets.read
  free
  try glab mr list
  try glab mr list -R gitlab.com/a/b
  try glab mr list -R https://a.example/b/c => network.read ?
  try glab mr view 3 -w => browser.act
  try glab ci status

glab mr, glab issue, glab ci, glab pipeline, glab repo, glab label, glab snippet, glab incident, glab api,
glab mr create, glab mr close, glab mr approve, glab mr note, glab issue create, glab issue note, glab issue close,
glab ci run, glab ci retry, glab ci cancel
  class network.write
  takes text...
  free
  try glab mr create --fill
  try glab api projects

glab mr merge, glab mr checkout
  class git.write
  takes text...
  free
  reach outside
  reversible no
  try glab mr merge 3

glab release create, glab release delete, glab release upload
  class deploy.write
  takes text...
  free
  try glab release create v1

glab auth, glab variable, glab config, glab alias, glab ssh-key, glab token, glab securefile, glab deploy-key
  class permissions.change
  takes text...
  free
  try glab auth login
  try glab variable set A b

glab variable list, glab variable get, glab variable export
  class secrets.read
  takes text...
  free
  try glab variable list

glab version
  class none
  try glab version

hub
  class process.exec
  takes text...
  free
  partly note.known_only_by_its_words
  try hub pull-request => process.exec ?

svn info, svn log, svn status, svn stat, svn st, svn diff, svn di, svn list, svn ls, svn cat, svn blame, svn annotate,
svn proplist, svn pl, svn propget, svn pg, svn help
  class network.read
  check svn
  takes text...
  options -r,--revision= -v,--verbose -q,--quiet -l,--limit= -c,--change= --xml --stop-on-copy -g,--use-merge-history
  options --depth= -R,--recursive -u,--show-updates --no-ignore --non-interactive --summarize --git --show-item=
  options --incremental -x,--extensions= --ignore-properties --old= --new=
  try svn status
  try svn log -l 5
  try svn diff -r 1:2 a => network.read fs.read
  try svn diff --old=.env --new=a => secrets.read fs.read network.read
  try svn diff --diff-cmd evil => fs.read network.read ?
  try svn cat .env => network.read secrets.read
  try svn cat https://svn.example.com/a/.env@5 => network.read secrets.read
  try svn ls https://svn.example.com/a

svn checkout, svn co, svn update, svn up, svn add, svn delete, svn del, svn remove, svn rm, svn move, svn mv, svn copy,
svn cp, svn mkdir, svn revert, svn resolve, svn switch, svn sw, svn merge, svn commit, svn ci, svn propset, svn ps,
svn propdel, svn propedit, svn export, svn import, svn cleanup, svn lock, svn unlock, svn relocate, svn changelist,
svn patch, svn upgrade
  class git.write
  takes text...
  options --editor-cmd=program>process.exec --diff-cmd=program>process.exec --diff3-cmd=program>process.exec
  options --config-option=code --config-dir=code
  free
  reversible no
  try svn commit -m x
  try svn revert -R .
  try svn update --config-option a=b => git.write ?

hg
  class none
  options -q,--quiet --version --help -h
  obeys hg
  try hg --version

hg log, hg history
  class fs.read
  check form
  takes read...
  options -r,--rev= -l,--limit= -p,--patch --stat -T,--template= -q,--quiet -v,--verbose -G,--graph -u,--user=
  options -d,--date= -k,--keyword= -b,--branch= -I,--include= -X,--exclude= -g,--git -f,--follow --style= --pager=
  options -M,--no-merges
  obeys hg
  try hg log -l 5
  try hg log -T '{node}\n'
  try hg log -T ./.env => fs.read secrets.read ?
  try hg log --style compact
  try hg log --style a/map => fs.read ?
  try hg log -p .env => fs.read secrets.read
  try hg log --config alias.log=!sh => fs.read ?
  try hg log -l --config x=y => fs.read ?
  try hg -R x log => process.exec ?

hg status, hg st, hg diff, hg cat, hg annotate, hg blame, hg branches, hg tags, hg heads, hg tip, hg parents, hg id,
hg identify, hg summary, hg sum, hg root, hg paths, hg manifest, hg files, hg locate, hg grep, hg help, hg version,
hg verify
  class fs.read
  check form
  takes read...
  options -r,--rev= -c,--change= -p,--patch --stat -T,--template= -q,--quiet -v,--verbose -n -u -d -m -a -A -i -l -b -t
  options -0,--print0 -I,--include= -X,--exclude= -g,--git -w -B -U,--unified= -f
  obeys hg
  try hg status
  try hg cat .env => fs.read secrets.read
  try hg diff -r 1
  try hg annotate -l --config x=y a => fs.read ?
  try hg id

hg add, hg addremove, hg commit, hg ci, hg update, hg up, hg checkout, hg co, hg merge, hg pull, hg push, hg clone,
hg init, hg revert, hg remove, hg rm, hg rename, hg mv, hg copy, hg cp, hg branch, hg tag, hg bookmark, hg backout,
hg rollback, hg purge, hg strip, hg rebase, hg histedit, hg graft, hg import, hg export, hg shelve, hg unshelve,
hg resolve, hg phase, hg archive, hg bundle, hg unbundle, hg forget, hg bisect, hg amend
  class git.write
  takes text...
  options --config=code -e,--ssh=line>process.exec --remotecmd=line>process.exec
  free
  reversible no
  try hg commit -m x
  try hg push
  try hg pull -e evil => git.write process.exec
  try hg push --config x=y => git.write ?

# Its own settings are where only people write; what an option loads is code.
jj
  class process.exec
  check alone
  takes text...
  options --version<none --help<none -R,--repository=code --config=code --config-toml=code --config-file=code
  options --at-operation,--at-op= --no-pager --color= --quiet --ignore-working-copy --no-graph
  free
  everywhere
  try jj --version => none
  try jj git push
  try jj undo
  try jj
  try jj new

jj log, jj status, jj st, jj diff, jj show, jj bookmark list, jj op log, jj evolog, jj file list, jj file show, jj root,
jj version, jj tag list, jj workspace list
  class fs.read
  takes read...
  options -r,--revisions,--revision= -n,--limit= --reversed -G,--no-graph -T,--template= -p,--patch -s,--summary --stat
  options --types --name-only --git --color-words --context= -f,--from= -t,--to= -w,--ignore-all-space
  options -b,--ignore-space-change -a,--all-remotes --tool=code
  obeys jj
  try jj log
  try jj st
  try jj diff --git
  try jj log -r @ --no-graph
  try jj show
  try jj log --config ui.pager=evil => process.exec ?
  try jj diff --tool evil => process.exec ?
  try jj -R /tmp/a log => process.exec ?
  try jj file show .env => fs.read secrets.read
`;
