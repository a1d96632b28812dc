export const PACKAGE_PROGRAMS = String.raw`
# Package managers of operating systems.

apt, apt-get, aptitude, apt-cache, yum, dnf, microdnf, zypper, apk, snap, flatpak
  class process.exec
  takes text...
  options --version,--help<none
  free
  everywhere
  try apt install a
  try apt-get install -y a
  try dnf remove a
  try apk add a
  try snap install a
  try apt --version => none
  try apt-get update

brew
  class process.exec
  check brew
  takes text...
  options --version,--help,-h,--prefix,--cellar,--repository,--cache,--caskroom<none
  free
  try brew install a
  try brew --version => none
  try brew --prefix openssl => none
  try brew --cache ./a.rb => process.exec ?
  try brew bundle

port, pkg, emerge, nix-env, opkg, choco, winget, scoop, mas
  class process.exec
  takes text...
  free
  try emerge a
  try choco install a --version 1
  try nix-env -iA a

apt list, apt show, apt search, apt policy, apt depends, apt rdepends, apt-cache show, apt-cache search,
apt-cache policy, apt-cache depends, apt-cache rdepends, apt-cache madison, apt-cache showpkg, apt-cache stats,
aptitude search, aptitude show, aptitude why
  class none
  takes text...
  options -i,--installed --upgradable,--upgradeable -a,--all-versions -n,--names-only -f,--full -q,--quiet --no-pager
  options -qq
  try apt list --installed
  try apt-cache policy a
  try apt search a
  try apt show -o Dir::Bin=x a => none ?

yum list, yum info, yum search, yum provides, yum repolist, yum history list, yum history info, dnf history list,
dnf history info, yum check-update, yum deplist, dnf list, dnf info, dnf search, dnf provides, dnf repolist,
dnf check-update, dnf repoquery, dnf deplist, zypper search, zypper info, zypper repos, zypper list-updates, apk info,
apk search, apk list, apk policy, apk version, snap list, snap info, snap find, snap version, flatpak list, flatpak info,
flatpak search, flatpak remotes, pkg info, pkg search, pkg query, port list, port info, port search, winget list,
winget search, winget show, choco list, choco search, mas list, mas search
  class network.read
  takes text...
  options -q,--quiet -v,--verbose -y,--assumeyes -a,--all --installed --available --upgrades --updates --showduplicates
  options -e,--exact -d -C,--cacheonly --refresh -L,--contents -s -i -u --user --system
  try dnf list --installed
  try yum search a
  try apk info
  try snap list
  try flatpak list
  try dnf list --setopt=a=b => network.read ?
  try dnf search -c x a => network.read ?

yum history, dnf history
  class network.read
  options -q,--quiet -v,--verbose
  try yum history
  try yum history list
  try dnf history userinstalled => process.exec ?

yum history undo, yum history rollback, yum history redo
  class process.exec
  takes text...
  free
  try yum history undo 1

brew list, brew ls, brew info, brew search, brew outdated, brew config, brew doctor, brew deps, brew uses, brew leaves,
brew desc, brew cat, brew log, brew commands, brew tap-info, brew formulae, brew casks, brew missing
  class network.read
  check brew
  takes text...
  options --formula,--formulae --cask,--casks -1 -l -r -t --versions --pinned --json? --installed --tree -v,--verbose
  options -q,--quiet --all --greedy --desc -d,--description -s,--search --full-name --multiple --analytics
  options --include-build
  try brew list
  try brew info node
  try brew outdated --json=v2
  try brew search a
  try brew info --eval-all a => network.read ?
  try brew info ./a.rb => process.exec ?
  try brew info ana/tap/a => process.exec
  try brew info homebrew/core/jq

brew services list, brew services info
  class none
  takes text...
  options --json --all
  try brew services list

dpkg, rpm, pacman, yay, paru, makepkg, dpkg-reconfigure, dpkg-divert, update-alternatives, alternatives, installer,
gdebi, add-apt-repository, apt-key, apt-mark, rpmbuild, debuild, unattended-upgrade, do-release-upgrade
  class process.exec
  check packages
  takes text...
  free
  try dpkg -i a.deb
  try dpkg -l => fs.read
  try dpkg -L bash => fs.read
  try dpkg --list => fs.read
  try dpkg -s a => fs.read
  try rpm -qa => fs.read
  try rpm -qi bash => fs.read
  try rpm -ivh a.rpm
  try rpm -q --pipe 'rm a' b
  try rpm -E '%(rm a)'
  try pacman -Qi a => fs.read
  try pacman -Ss a => fs.read
  try pacman -Syu
  try pacman -S a
  try dpkg -l --admindir=x
  try rpm -q --define 'a %(id)' b

dpkg-query
  class fs.read
  takes text...
  options -l,--list -L,--listfiles -s,--status -S,--search -W,--show -f,--showformat= -p,--print-avail -c,--control-path
  try dpkg-query -W -f '${"${"}Version}' a
  try dpkg-query -l
  try dpkg-query --admindir=x -l => fs.read ?

dpkg-deb
  class fs.read
  takes read text...
  options -c,--contents -I,--info -f,--field -W,--show -v,--verbose --version --help
  try dpkg-deb -c a.deb
  try dpkg-deb --info a.deb
  try dpkg-deb -x a.deb / => fs.read ?
  try dpkg-deb -b a => fs.read ?
`;
