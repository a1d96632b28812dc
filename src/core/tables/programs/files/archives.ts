export const ARCHIVE_PROGRAMS = String.raw`
# Archives and copies of whole folders. Only the archive itself says what is extracted from it.

tar, gtar, bsdtar
  class fs.read
  check tar
  try tar tf a.tar
  try tar -tvzf a.tgz
  try tar czf a.tgz src => fs.write fs.read
  try tar -cf - src
  try tar -C src -cf ../a.tar . => fs.write fs.read
  try tar xzf a.tgz => fs.write fs.read ?
  try tar -xf a.tar -C build => fs.read fs.write ?
  try tar xf a.tar src/a => fs.read fs.write ?
  try tar -xf a.tar -C / => fs.write fs.read ?
  try tar xPf a.tar -C build => fs.write fs.read ?
  try tar -cf a --checkpoint=1 --checkpoint-action=exec=sh src => fs.write fs.read process.exec ?
  try tar xf a --to-command=sh => fs.write fs.read process.exec ?
  try tar -I ./x -cf a src => fs.write fs.read process.exec
  try tar cf a -T names => fs.write fs.read ?
  try tar czf a.tgz ~/.ssh => secrets.read fs.write fs.read
  try tar cf host:a src => fs.read network.write ?
  try tar czf a.tgz * => fs.write fs.read ?
  try tar czf a.tgz src/* => fs.write fs.read
  try tar --delete -f a b => fs.write fs.read
  try tar -xOf a.tar b => fs.read
  try tar -xOf a.tar .env => secrets.read fs.read
  try tar cf a --remove-files src => fs.delete fs.write fs.read
  try tar --rsh-command=./x -tf h:a => process.exec network.write ?
  try tar xf $A => fs.write fs.read ?

zip
  class fs.write
  takes write deep...
  options -r,--recurse-paths -q,--quiet -v,--verbose -j,--junk-paths -u,--update -f,--freshen -e,--encrypt
  options -P,--password= -9 -8 -7 -6 -5 -4 -3 -2 -1 -0 -y,--symlinks -D,--no-dir-entries -X,--no-extra -o,--latest-time
  options -A,--adjust-sfx -l,--to-crlf -x,--exclude= -i,--include= -O,--out=write -m,--move>fs.delete -d,--delete
  options -n,--suffixes= -t,--from-date= -tt,--before-date= -b,--temp-path=write -sf,--show-files<fs.read
  options --version,-h,--help<none
  try zip -r a.zip src => fs.write
  try zip -qr9 a.zip src => fs.write
  try zip -rm a.zip src => fs.delete fs.read fs.write
  try zip -T -TT 'rm b' a.zip a => fs.write ?
  try zip -qTT 'rm b' a.zip a => fs.write ?
  try zip -r a.zip . -x '*.git*' => fs.write
  try zip a.zip -@ => fs.write ?

unzip
  class fs.write
  check unpack
  takes read text...
  options -d=write -o -n -q -j -a -aa -b -C -L -U -u -f -P= -x= -l<fs.read -p<fs.read -c<fs.read -t<fs.read -v<fs.read
  options -Z<fs.read -1 -z<fs.read -M -K -: -^ -h<none
  try unzip a.zip => fs.write ?
  try unzip -l a.zip => fs.read
  try unzip -p a.zip b => fs.read
  try unzip -p a.zip .env => secrets.read fs.read
  try unzip -p a.zip '*env' => secrets.read fs.read
  try unzip -qo a.zip -d build => fs.write ?
  try unzip a.zip -d / => fs.write ?
  try unzip -: a.zip -d build => fs.write ?

zipinfo, zipgrep
  class fs.read
  takes read...
  free
  try zipinfo -1 a.zip

unrar l, unrar lb, unrar t, rar l
  class fs.read
  takes read text...
  try unrar l a.rar
  try unrar l -ilogx a => fs.read ?

unrar, rar
  class process.exec
  takes text...
  free
  try unrar x a.rar

gzip, gunzip, pigz, unpigz, bzip2, bunzip2, compress, uncompress
  class fs.write
  check modes
  takes file...
  options -d,--decompress,--uncompress -k,--keep -f,--force -v,--verbose -q,--quiet -n,--no-name -N,--name -z,--compress
  options -1 -2 -3 -4 -5 -6 -7 -8 -9 -c,--stdout,--to-stdout<fs.read -l,--list<fs.read -t,--test<fs.read -r,--recursive*
  options -S,--suffix= -p= -b= -V,--version,-h,--help,-L,--license<none
  free
  try gzip a
  try gunzip a.gz
  try gzip -dc a.gz => fs.read
  try gzip -l a.gz => fs.read
  try gzip -9 -k a
  try gzip -r src
  try gzip -c .env => secrets.read fs.read
  try gzip -kS y .env => secrets.read fs.write
  try gzip -kS .json package => deploy.write fs.write
  try gzip -rkS .x src => fs.write ?
  try gzip .git/config => permissions.change fs.write
  try bzip2 -k a

xz, unxz, lzma, unlzma, pixz
  class fs.write
  check modes
  takes file...
  options -d,--decompress,--uncompress -k,--keep -f,--force -v,--verbose -q,--quiet -z,--compress -1 -2 -3 -4 -5 -6 -7
  options -8 -9 -0 -e,--extreme -c,--stdout,--to-stdout<fs.read -l,--list<fs.read -t,--test<fs.read -S,--suffix=
  options -F,--format= -C,--check= -T,--threads= -M,--memlimit,--memory= --memlimit-compress= --memlimit-decompress=
  options --block-size= --flush-timeout= --files,--files0?>fs.delete -V,--version,-h,--help,-H,--long-help<none
  free
  try xz a
  try xz -t -z a => fs.write
  try xz -lz .git/config => permissions.change fs.write
  try xz -dk a.xz
  try xz -T 0 -9 a
  try xz -l a.xz => fs.read
  try xz --files=names => fs.delete

zstd, unzstd, zstdmt, pzstd
  class fs.write
  check modes
  takes file...
  options -d,--decompress -k,--keep -f,--force -v,--verbose -1 -2 -3 -4 -5 -6 -7 -8 -9 -q,--quiet -z -o=write
  options -c,--stdout<fs.read -l,--list<fs.read -t,--test<fs.read -D=read --patch-from=read --filelist=list
  options --output-dir-flat=write --output-dir-mirror=write --trace=write -r* --rm>fs.delete --memory= --train*
  options --train-cover? --train-fastcover? --train-legacy? -V,--version,-h,-H,--help<none
  free
  apart
  try zstd a
  try zstd -t -d .git/config => permissions.change fs.write
  try zstd -19 -T0 a -o b
  try zstd -q a
  try zstd -cof b a => fs.read fs.write ?
  try zstd -o b .env => secrets.read fs.write
  try zstd -dc a.zst => fs.read
  try zstd -dc --trace b a.zst => fs.read fs.write
  try zstd --rm a => fs.delete
  try zstd -q .git/config => permissions.change fs.write
  try zstd --filelist=names => fs.write ?

lz4, unlz4
  class fs.write
  check modes
  takes file...
  options -d,--decompress -k,--keep -f,--force -v,--verbose -1 -2 -3 -4 -5 -6 -7 -8 -9 -q,--quiet -z -c,--stdout<fs.read
  options --list<fs.read -t,--test<fs.read -D=read -r* --rm>fs.delete
  free
  apart
  try lz4 a
  try lz4 -dc a.lz4 => fs.read
  try lz4 -l a b
  try lz4 --rm a => fs.delete

brotli, unbrotli
  class fs.write
  check modes
  takes file...
  options -d,--decompress -k,--keep -f,--force -v,--verbose -1 -2 -3 -4 -5 -6 -7 -8 -9 -o,--output=write
  options -c,--stdout<fs.read -t,--test<fs.read -q,--quality= -w,--lgwin= -S,--suffix= -D,--dictionary=read
  options -j,--rm>fs.delete
  free
  try brotli a
  try brotli -q 5 a -o b
  try brotli -dc a.br => fs.read
  try brotli -j a => fs.delete

7z, 7za, 7zr, 7zz, p7zip
  class process.exec
  takes text...
  free
  try 7z
  try 7z rn a.7z b c

7z l, 7za l, 7zr l, 7zz l, 7z t, 7za t, 7zr t, 7zz t
  class fs.read
  takes read text...
  options -slt -ba -r -y -bd -p? -so
  words
  atfile
  try 7z l a.7z
  try 7z l -slt a.7z
  try 7z t -scrc a => fs.read ?

7z a, 7za a, 7zr a, 7zz a
  class fs.write
  takes write deep...
  options -y -r -bd -tzip -t7z -ttar -mx0 -mx1 -mx3 -mx5 -mx7 -mx9 -mx? -mmt? -mhe? -sdel>fs.delete
  words
  atfile
  try 7z a a.7z src => fs.write
  try 7z a -mx=9 -tzip a.zip src => fs.write
  try 7z a -sdel a.7z src => fs.delete fs.read fs.write
  try 7z a -wb a src => fs.write ?
  try 7z a a.7z @names => fs.write ?

7z x, 7z e, 7za x, 7za e, 7zr x, 7zr e, 7zz x, 7zz e
  class fs.write
  takes read text...
  free
  words
  partly note.files_named_in_archive
  try 7z x a.7z => fs.write ?
  try 7z x a.7z -obuild => fs.write ?

cpio
  class fs.write
  check cpio
  takes text...
  options -i,--extract -o,--create -p,--pass-through -t,--list<fs.read -v,--verbose -d,--make-directories
  options -m,--preserve-modification-time -u,--unconditional -n,--numeric-uid-gid -a,--reset-access-time -b,--swap -c
  options -f,--nonmatching -s -S -B -0,--null -L,--dereference -V,--dot --quiet --no-absolute-filenames -F,--file=read
  options -I=read -O=write -D,--directory=folder -E,--pattern-file=read -C,--io-size= -H,--format= -M,--message=
  options -R,--owner= --to-stdout --only-verify-crc<fs.read --rsh-command=program --version,--help<none
  try cpio -idm => fs.write ?
  try cpio -t -F a.cpio => fs.read
  try cpio -itv < a.cpio => fs.read
  try cpio -o -O a => fs.write ?
  try cpio -tF h:a => fs.read ?
  try cpio --rsh-command=./x -iF h:a => fs.write process.exec ?

pax
  class fs.write
  takes text...
  free
  partly note.files_named_in_input
  try pax -r => fs.write ?

rsync
  class fs.copy
  check rsync
  takes text...
  options -e,--rsh=line --rsync-path=code -n,--dry-run,--list-only<fs.read
  options --delete,--del,--delete-before,--delete-during,--delete-delay,--delete-after,--delete-excluded,--delete-missing-args!>fs.delete
  options --remove-source-files!>fs.delete
  options --files-from=list --exclude-from=read --include-from=read --log-file=write --backup-dir=write
  options -T,--temp-dir=write --partial-dir=write --compare-dest=read --copy-dest=read --link-dest=read
  options --password-file=read --early-input=read -a,--archive -v,--verbose -r,--recursive -z,--compress -u,--update
  options -h,--human-readable -P -p,--perms -t,--times -g,--group -o,--owner -l,--links -L,--copy-links -k -K
  options -H,--hard-links -A,--acls -X,--xattrs -D --devices --specials -q,--quiet -c,--checksum -i,--itemize-changes
  options -R,--relative -d,--dirs -m,--prune-empty-dirs -x,--one-file-system -b,--backup -W,--whole-file -S,--sparse
  options -C,--cvs-exclude -O -J -F -0,--from0 -I,--ignore-times -y,--fuzzy -4,--ipv4 -6,--ipv6 --size-only
  options --existing,--ignore-existing --progress --partial --stats --inplace --append --append-verify --info= --debug=
  options --exclude= --include= -f,--filter= --bwlimit= --chmod= --max-size= --min-size= --max-delete= --timeout=
  options --contimeout= --port= --suffix= --out-format= -B,--block-size= --modify-window=
  options --no-perms,--no-owner,--no-group,--no-times,--no-links,--no-o,--no-g,--no-p,--no-motd --safe-links --mkpath
  options --numeric-ids --compress-level= --compress-choice= --force --delay-updates --protect-args,-s
  options --version,--help<none
  try rsync -av src/ dst/ => fs.copy
  try rsync -avn src/ dst/ => fs.read
  try rsync -av --delete src/ dst/ => fs.delete fs.read
  try rsync -avn --delete src/ dst/ => fs.read
  try rsync -a --remove-source-files src/ dst/ => fs.delete fs.read fs.write
  try rsync -av src/ ana@example.com:dst => network.write fs.read
  try rsync -av ana@example.com:src dst => network.read fs.write ?
  try rsync -e './x' src ana@example.com:d => process.exec network.write fs.read
  try rsync --rsync-path=./x src h:d => fs.read network.write ?
  try rsync -a --files-from=names src dst => fs.copy ?
  try rsync -a ~/.ssh dst => fs.copy permissions.change secrets.read ?
  try rsync --daemon => fs.copy ?
  try rsync rsync://example.com/a . => network.read fs.write ?
`;
