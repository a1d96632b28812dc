export const GIT_UPKEEP_PROGRAMS = String.raw`
# git: settings, upkeep and rewriting of a repository.

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
`;
