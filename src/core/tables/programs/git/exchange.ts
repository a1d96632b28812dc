export const GIT_EXCHANGE_PROGRAMS = String.raw`
# git: what exchanges commits with other repositories, by network, file or mail.

group QUIET
  options -q,--quiet -v,--verbose --progress --no-progress

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

git fetch
  class network.read
  check git
  takes text...
  options QUIET --all --multiple -a,--append --atomic --depth=>git.write --deepen= --shallow-since=>git.write
  options --shallow-exclude=>git.write --unshallow --update-shallow>git.write --negotiation-tip= --dry-run -k,--keep
  options -p,--prune>git.write -P,--prune-tags>git.write -n,--no-tags -t,--tags --no-recurse-submodules
  options --recurse-submodules? -j,--jobs=local -4,--ipv4 -6,--ipv6 -o,--server-option= --porcelain --filter= --no-auto-gc
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
  options -h,--heads -b,--branches -t,--tags --refs -q,--quiet --exit-code --get-url --symref --sort=local
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
  options -n,--no-checkout --bare>git.write --mirror>git.write -o,--origin=local -b,--branch= --depth= --shallow-since=
  options --shallow-exclude= --single-branch --no-single-branch --tags --no-tags
  options --recurse-submodules,--recursive?>git.write --shallow-submodules --no-shallow-submodules --sparse --filter=
  options -j,--jobs=local --also-filter-submodules --revision= --server-option= --separate-git-dir=write>git.write
  options --template=code -u,--upload-pack=program>process.exec --setting,-c,--config=
  try git clone https://a.example/x.git => network.read fs.write git.write
  try git clone --depth 1 https://a.example/x.git src/x => network.read fs.write git.write
  try git clone -u evil a@b.example:x => fs.write process.exec git.write
  try git clone -c core.hooksPath=x https://a.example/x.git => fs.write process.exec git.write ?
  try git clone --template=/tmp/t https://a.example/x => fs.write process.exec git.write ?
  try git clone --bare . x => fs.read fs.write git.write
  try git clone ext::sh x => fs.write process.exec git.write ?

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

git archive
  class fs.read
  check git
  takes text...
  options -o,--output=write --remote=code>network.read --exec=program>process.exec --format= -l,--list --prefix=
  options --add-file=read --add-virtual-file= --worktree-attributes -v,--verbose --mtime= -#
  try git archive HEAD
  try git archive -o out.tar HEAD => fs.read fs.write
  try git archive --remote=x --exec=evil HEAD => process.exec ?

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

git interpret-trailers, git mailinfo, git mailsplit, git fast-export
  class fs.write
  takes text...
  free
  partly note.written_files_not_examined
  try git interpret-trailers --in-place a => fs.write ?
`;
