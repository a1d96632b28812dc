export const SHELL_PROGRAMS = String.raw`
# Shells and shell builtins.

bash, sh, dash, zsh, ksh, ash, mksh, rbash
  class process.exec
  check shell
  try bash build.sh => fs.read process.exec
  try bash -c 'ls src' => fs.read
  try sh -ec 'rm a' => fs.delete
  try bash --version => none
  try bash -n a.sh => fs.read
  try bash -n -c x => process.exec
  try bash -s => process.exec ?
  try echo ls | bash => process.exec ?
  try bash --rcfile x => fs.read process.exec ?
  try bash <<< 'rm a' => fs.delete
  try bash -c "$X" => process.exec ?

fish, csh, tcsh, elvish, nu, xonsh, cmd, cmd.exe, pwsh, pwsh.exe, powershell, powershell.exe, osh, ysh, rc
  class process.exec
  takes text...
  options --version<none
  free
  partly note.shell_grammar_not_examined
  try fish -c 'rm a' => process.exec ?
  try nu -c ls => process.exec ?
  try pwsh -c ls => process.exec ?
  try cmd.exe /C dir => process.exec ?

# Builtins that print or compute something.
echo
  class none
  takes text...
  free
  try echo hi
  try echo $HOME
  try echo "$USER $(date)"
  try echo *.ts
  try echo $AWS_SECRET_ACCESS_KEY => secrets.read
  try echo "key: ${"${"}API_KEY}" => secrets.read
  try echo ${"${"}#API_KEY}
  try echo hi > a => fs.write
  try echo $KEYBOARD $MONKEY
  try X=$GITHUB_TOKEN; echo $X => secrets.read
  try echo ${"${"}!NAME} => secrets.read ?

printf
  class none
  check names
  takes text...
  options -v=
  free
  try printf '%s\n' a
  try printf -v x %s a
  try printf -v 'x[$(rm a)]' b => none ?
  try printf %s "$DB_PASSWORD" => secrets.read

true, false, :, pwd, exit, return, break, continue, shift, times, dirs, wait, fg, bg, disown, suspend, logout, caller,
umask, ulimit, getopts
  class none
  check names
  takes text...
  free
  keeps
  try true
  try pwd
  try exit 1
  try wait
  try umask
  try umask 022 => none ?
  try : "${"${"}A:=b}"
  try wait -n -p 'x[$(rm a)]' => none ?
  try ulimit -n

jobs
  class none
  takes text...
  options -l -n -p -r -s -x=command
  try jobs -l
  try jobs -x rm a => fs.delete

test, [, [[
  class none
  check test
  takes text...
  free
  keeps
  try test -f a
  try [ -f a ]
  try [ "$A" = b ]
  try [ -n "$GITHUB_TOKEN" ]
  try test -v 'x[$(rm a)]' => none ?
  try [ -v A ]
  try test -f a && echo yes

cd, pushd, popd, chdir
  class none
  takes text...
  free
  keeps
  try cd src
  try cd -
  try cd "$X" && ls => fs.read ?

type
  class none
  takes text...
  free
  try type node
  try type -a ls

compgen
  class none
  takes text?
  options -a -b -c -d -e -f -g -j -k -s -u -v -A=
  try compgen -c
  try compgen -A function
  try compgen -W '$(rm a)' => none ?
  try compgen -C ./x => none ?

hash
  class none
  takes text...
  options -r -l -t -d
  try hash -r
  try hash node
  try hash -p ./x ls => none ?

history
  class secrets.read
  takes text?
  options -c<fs.delete -d=<fs.delete -w=write -a=write
  try history
  try history 20
  try history -c => fs.delete
  try history -w ~/.bashrc => permissions.change secrets.read
  try history -s a => secrets.read ?

fc, bind, complete, compopt
  class process.exec
  takes text...
  free
  try fc -s
  try bind -x '"a": rm b'

# Builtins that change the shell.
export, declare, typeset, local, readonly
  class none
  check declaring
  takes text...
  options -p -x -r -a -A -g -l -u -t -F -f -n -i +x +r +a +i -I
  keeps
  try export A=1
  try export PATH
  try export -n PATH => none ?
  try declare +x PATH => none ?
  try local PATH => none ?
  try declare -a x
  try local x=1
  try export PATH=/tmp:$PATH => none ?
  try export LD_PRELOAD=x => none ?
  try export => secrets.read
  try export -p => secrets.read
  try declare => secrets.read
  try declare -p => secrets.read
  try declare -F
  try declare -n x=y => none ?
  try declare -i x=y => none ?
  try declare 'x[$(rm a)]=1' => none ?
  try export GH_TOKEN=$GITHUB_TOKEN
  try readonly A
  try export "$X=/tmp" => none ?
  try export $(ls) => fs.read ?

unset
  class none
  check names
  takes text...
  options -f -v -n
  keeps
  try unset A
  try unset -f a
  try unset PATH => none ?
  try unset -f PATH
  try unset http_proxy
  try unset "$X" => none ?
  try unset HISTFILE => none ?
  try unset 'x[$(rm a)]' => none ?

read
  class none
  check names
  takes text...
  options -r -s -e -E -a= -d= -i= -n= -N= -p= -t= -u=
  try read -r x
  try read -p 'ok? ' x
  try read -ra x
  try read 'x[$(rm a)]' => none ?
  try read PATH => none ?

mapfile, readarray
  class none
  check names
  takes text...
  options -t -d= -n= -O= -s= -u= -c= -C=line
  try mapfile -t x
  try mapfile -C 'rm a' x => fs.delete
  try readarray -t LD_PRELOAD => none ?

set
  class none
  check setting
  takes text...
  free
  try set -e
  try set -euo pipefail
  try set -- a b
  try set +x
  try set => secrets.read
  try set -o

shopt, unalias
  class none
  takes text...
  free
  try shopt -s globstar
  try unalias -a

alias
  class none
  check names
  takes text...
  free
  try alias
  try alias ll
  try alias ll='ls -l' => none ?
  try alias ls='rm -rf a'; ls => fs.read ?

enable
  class none
  takes code...
  options -a -n>process.exec -p -s -d>process.exec -f=code
  try enable -a
  try enable -n echo => process.exec ?
  try enable -f ./x.so y => process.exec ?
  try enable ./x.so => process.exec ?

let
  class none
  check counting
  takes text...
  try let 1+1
  try let x=1+2
  try let PATH=1 => none ?
  try let 'x[$(rm a)]' => none ?
  try let i++ => none ?

trap
  class none
  check trap
  takes text...
  options -l -p -P
  try trap 'rm a' EXIT => fs.delete ?
  try trap - EXIT
  try trap '' INT
  try trap -p
  try trap cleanup EXIT => process.exec
  try trap "rm $X" EXIT => none ?
  try trap 2

# Builtins that run something.
eval
  class none
  check joined
  takes command
  try eval 'ls src' => fs.read
  try eval rm a => fs.delete
  try eval ls '> a' => fs.read fs.write
  try eval "$X" => none ?
  try eval "$(ssh-agent -s)" => process.exec ?

command
  class none
  check command
  takes command
  options -p -v -V
  try command -v node
  try command -V rm
  try command rm a => fs.delete
  try command ls => fs.read
  try command -p ls => fs.read ?

builtin
  class none
  takes command
  try builtin echo hi
  try builtin cd src

exec
  class none
  check exec
  takes command
  options -a= -c -l
  try exec ls => fs.read
  try exec > a => fs.write
  try exec -a x rm b => fs.delete ?
  try exec -c ls => fs.read ?
  try exec 3<&0

source, .
  class process.exec
  check source
  takes text...
  try source a.sh => fs.read process.exec
  try . ./a => fs.read process.exec
  try source .venv/bin/activate => fs.read process.exec
  try source <(ls) => fs.read process.exec ?
  try source /dev/stdin => process.exec ?

coproc
  class none
  takes command
  try coproc ls => fs.read ?
`;
