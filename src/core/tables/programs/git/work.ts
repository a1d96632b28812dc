export const GIT_WORK_PROGRAMS = String.raw`
# git: what changes the working tree, the branches and the history of this repository.

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

git difftool, git mergetool
  class process.exec
  check git
  takes text...
  options -x,--extcmd=line -t,--tool=
  free
  try git difftool -x 'rm a' HEAD => fs.delete process.exec
`;
