export const VERSION_CONTROL_PROGRAMS = String.raw`
# Other version control systems: Subversion, Mercurial, Jujutsu.

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

hg status, hg st, hg diff, hg cat, hg annotate, hg blame, hg branches, hg tags, hg heads, hg tip, hg parents,
hg summary, hg sum, hg root, hg paths, hg manifest, hg files, hg locate, hg grep, hg help, hg version, hg verify
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

hg id, hg identify
  class fs.read
  check addressed
  takes read...
  options -r,--rev= -n,--num -i,--id -b,--branch -t,--tags -B,--bookmarks -T,--template=
  obeys hg
  try hg id -i
  try hg id https://a.example/x => fs.read network.read
  try hg id -r "$X" https://a.example/x => fs.read network.read ?

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

# The settings of jj are in a place where only people write; settings that an option loads can run code.
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
