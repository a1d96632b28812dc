export const FILE_CHANGING_PROGRAMS = String.raw`
# Programs that create, copy, move and delete files.

mkdir
  class fs.mkdir
  check mode
  takes write...
  options -p,--parents -v,--verbose -m,--mode= -Z --context?
  try mkdir -p src/a
  try mkdir a b
  try mkdir -m 700 a
  try mkdir -m 777 a => permissions.change fs.write
  try mkdir -p .git/hooks => permissions.change fs.mkdir
  try mkdir $X => fs.mkdir ?

mktemp
  class fs.write
  takes write?
  options -d,--directory -u,--dry-run<none -q,--quiet --suffix= -p=write --tmpdir?write -t
  try mktemp
  try mktemp -d
  try mktemp -u => none
  try mktemp a.XXXX
  try mktemp --tmpdir=/etc

touch
  class fs.write
  takes write...
  options -a -c,--no-create -f -m -d,--date= -t= -r,--reference=read -h,--no-dereference --time=
  try touch a
  try touch -d yesterday a b
  try touch ~/.ssh/authorized_keys => permissions.change fs.write

cp, gcp
  class fs.copy
  takes read... write!-t
  options -r,-R,--recursive* -a,--archive* -f,--force -i,--interactive -n,--no-clobber -p --preserve?
  options --no-preserve? -u,--update? -v,--verbose -t,--target-directory=write -T,--no-target-directory -L,--dereference
  options -P,--no-dereference -H -d -c -X -x,--one-file-system -b --parents --backup? --suffix= --reflink? --sparse=
  options --strip-trailing-slashes --attributes-only --debug --progress
  try cp a b
  try cp -r src dst
  try cp -a src/. dst/
  try cp -t dst a b
  try cp a .git/hooks/pre-commit => permissions.change fs.copy
  try cp .env x => secrets.read fs.copy
  try cp -s a b => fs.copy ?
  try cp $A b => fs.copy ?

mv, gmv
  class fs.move
  takes move... write!-t
  options -f,--force -i,--interactive -n,--no-clobber -u,--update? -v,--verbose -t,--target-directory=write
  options -T,--no-target-directory -b --backup? --suffix= --strip-trailing-slashes --no-copy -Z --debug -h
  try mv a b
  try mv -t dst a b
  try mv a .git/hooks/pre-commit => permissions.change fs.move
  try mv .git x => permissions.change fs.move

rename, prename, file-rename
  class process.exec
  takes text...
  options --version,--help<none
  free
  try rename s/a/b/ *.txt

rm, grm
  class fs.delete
  takes delete...
  options -r,-R,--recursive*
  free
  try rm a
  try rm -rf build
  try rm -f *.log
  try rm -rf $X => fs.delete ?
  try rm -rf ~
  try rm -rf .git => permissions.change fs.delete

rmdir, unlink
  class fs.delete
  takes delete...
  free
  try rmdir a
  try unlink a
  try rmdir -p a/b

shred, srm, wipe
  class fs.delete
  takes delete...
  options -n,--iterations= -s,--size= --random-source=read -r*
  free
  reversible no
  try shred -u a
  try shred -n 3 a b

trash, trash-put
  class fs.delete
  takes delete...
  options -v,--verbose -f,--force
  try trash a
  try trash-put a b
  try trash --empty => fs.delete ?

ln, gln, link
  class fs.write
  check link
  takes text... write!-t
  options -s,--symbolic -f,--force -n,--no-dereference -i,--interactive -v,--verbose -r,--relative -b --backup?
  options --suffix= -t,--target-directory=write -T,--no-target-directory -h -L,--logical -P,--physical
  try ln -s a b
  try ln -sf ../a b
  try ln a b
  try ln -s ~/.ssh x => secrets.read permissions.change fs.write
  try ln -s ../.git/hooks src/h => permissions.change fs.write
  try ln -s .env x => secrets.read fs.write
  try ln -s $A b => fs.write ?

install, ginstall
  class fs.copy
  check mode
  takes read...!-d write!-t
  options -d,--directory -D -c -C,--compare -v,--verbose -p,--preserve-timestamps -m,--mode=
  options -o,--owner=>permissions.change -g,--group=>permissions.change -t,--target-directory=write
  options -T,--no-target-directory -b --backup? --suffix= -s,--strip --strip-program=program
  try install -m 644 a b
  try install -Dm755 a b
  try install -m 4755 a b => permissions.change fs.write fs.read
  try install -d build
  try install -o root a b => permissions.change fs.write fs.read
  try install -s --strip-program=./x a b => process.exec fs.copy

truncate
  class fs.delete
  takes write...
  options -s,--size= -r,--reference=read -c,--no-create -o,--io-blocks
  reversible no
  try truncate -s 0 a.log => fs.delete fs.write
  try truncate -s0 .git/config => permissions.change fs.delete

split, gsplit
  class fs.write
  takes read? write?
  options --filter=line -a,--suffix-length= -b,--bytes= -C,--line-bytes= -l,--lines= -n,--number= -t,--separator=
  options --additional-suffix= -d -x --numeric-suffixes? --hex-suffixes? -e,--elide-empty-files -u,--unbuffered
  options --verbose -#
  try split -l 100 a.txt part-
  try split -b 1M a
  try split --filter='rm b' a => fs.delete fs.write

csplit
  class fs.write
  check suffix
  takes read text...
  options -f,--prefix=write -b,--suffix-format= -n,--digits= -k,--keep-files -s,-q,--quiet,--silent
  options -z,--elide-empty-files --suppress-matched
  try csplit a.txt /x/
  try csplit -f part a 10
  try csplit -f docs/ -b '../../x%d' a 10 => fs.write ?

dd, gdd
  class fs.read
  check dd
  try dd if=a of=b bs=1M => fs.write
  try dd if=/dev/zero of=a count=1 => fs.write
  try dd if=/dev/urandom bs=16 count=1
  try dd if=a of=/dev/sda => fs.delete fs.read
  try dd if=~/.ssh/id_rsa => secrets.read fs.read
  try dd if=$A of=b => fs.write ?
  try dd odd=1 => fs.read ?

tee, gtee
  class fs.write
  check tee
  takes write...
  options -a,--append -i,--ignore-interrupts -p --output-error?
  try tee out.txt
  try tee -a a b
  try echo x | tee ~/.bashrc => permissions.change fs.write
  try tee /dev/null => none
  try tee => none
  try tee /dev/stderr a

sponge
  class fs.write
  takes write?
  options -a
  try sort a | sponge a => fs.write fs.read
`;
