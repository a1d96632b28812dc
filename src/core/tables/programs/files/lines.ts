export const LINE_PROGRAMS = String.raw`
# Programs that sort, cut, join, count, encode or compare the lines or bytes of files and print the result.

sort, gsort
  class fs.read
  takes read...
  options -k,--key= -t,--field-separator= -S,--buffer-size= --parallel= -o,--output=write -T,--temporary-directory=write
  options --compress-program=program --files0-from=list --random-source=read --batch-size= --sort=
  free
  try sort -u a.txt
  try sort -k2 -o b a => fs.write fs.read
  try sort --o=b a => fs.write fs.read
  try sort --compress-program=./x a => process.exec fs.read
  try sort --files0-from=a => fs.read ?
  try ls | sort -rn

uniq
  class fs.read
  takes read? write?
  options -f,--skip-fields= -s,--skip-chars= -w,--check-chars=
  free
  try sort a | uniq -c
  try uniq a b => fs.write fs.read
  try uniq -f 1 a

cut
  class fs.read
  takes read...
  options -d,--delimiter= -f,--fields= -c,--characters= -b,--bytes= --output-delimiter=
  free
  try cut -d: -f1 a
  try cut -d ' ' -f 2,3 a
  try cut -c1-10
  try cut -d= -f2 .env => secrets.read fs.read

paste
  class fs.read
  takes read...
  options -d,--delimiters=
  free
  try paste -d, a b
  try paste -s a

join
  class fs.read
  takes read...
  options -1= -2= -j= -t= -o= -e= -a= -v=
  free
  try join -t, -1 2 a b
  try join a b

comm, tsort
  class fs.read
  takes read...
  options --output-delimiter=
  free
  try comm -12 a b
  try tsort a
  try comm <(sort a) <(sort b)
  try comm -i .env a => secrets.read fs.read

cmp
  class fs.read
  takes read...
  options -i,--ignore-initial= -n,--bytes=
  free
  try cmp a b
  try cmp -n 10 a b

tr, seq, factor, numfmt, expr, jot
  class none
  takes text...
  free
  try tr a-z A-Z
  try seq 1 10
  try expr 1 + 2
  try echo a | tr -d '\n'
  try numfmt --to=iec 1000
  try seq $N

fold, fmt
  class fs.read
  takes read...
  options -w,--width= --prefix= --goal=
  free
  try fold -w 80 -s a
  try fmt -w 72 a
  try fmt -t .env => secrets.read fs.read

expand, unexpand
  class fs.read
  takes read...
  options -t,--tabs=
  free
  try expand -t 4 a
  try unexpand a

column
  class fs.read
  takes read...
  options -c,--output-width,--columns= -s,--separator= -o,--output-separator= -N,--table-columns= -H,--table-hide=
  options -O,--table-order= -R,--table-right= --table-truncate= --table-wrap= --table-name= --table-columns-limit=
  options --tree-id= --tree-parent= --tree=
  free
  try column -t -s, a.csv
  try column -t
  try column -n .env => secrets.read fs.read

pr
  class fs.read
  takes read...
  options -h,--header= -l,--length= -o,--indent= -w,--width= -W,--page-width= -D,--date-format= -N,--first-line-number=
  free
  try pr -t a
  try pr -h x a

od
  class fs.read
  takes read...
  options -A,--address-radix= -j,--skip-bytes= -N,--read-bytes= -t,--format=
  free
  try od -c a
  try od -A x -t x1z a
  try od -s .env => secrets.read fs.read

hexdump, hd
  class fs.read
  takes read...
  options -n= -s= -e= -f=read
  free
  try hexdump -C a
  try hexdump -n 16 -C .env => secrets.read fs.read

xxd
  class fs.read
  takes read? write?
  options -c,-cols= -g,-groupsize= -l,-len= -o= -s,-seek= -n,-name= -R=
  free
  words
  try xxd a
  try xxd -l 16 a
  try xxd -r a b => fs.write fs.read
  try xxd -p a

strings
  class fs.read
  takes read...
  options -n,--bytes= -t,--radix= -e,--encoding= -T,--target= -s,--output-separator=
  free
  atfile
  try strings a
  try strings -n 8 a

base64, base32, basenc
  class fs.read
  takes read...
  options -w,--wrap= -o,--output=write -b,--break=
  free
  try base64 a
  try echo a | base64 -d
  try base64 -w0 .env => secrets.read fs.read
  try base64 -i a -o b => fs.write fs.read

md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum, sum, shasum, md5, b3sum, crc32
  class fs.read
  takes read...
  options -a,--algorithm= -l,--length=
  free
  try sha256sum a
  try shasum -a 256 a
  try md5sum -c sums
  try cksum a b

shuf, gshuf
  class fs.read
  takes read...
  options -i,--input-range= -n,--head-count= -o,--output=write --random-source=read
  free
  try shuf -n 3 a
  try shuf -i 1-10
  try shuf -o b a => fs.write fs.read

iconv
  class fs.read
  takes read...
  options -f,--from-code= -t,--to-code= -o,--output=write
  free
  try iconv -f latin1 -t utf8 a
  try iconv -l
  try iconv -o b a => fs.write fs.read

dos2unix, unix2dos, mac2unix
  class fs.write
  takes file...
  options -k,--keepdate -q,--quiet -f,--force -o,--oldfile -O,--to-stdout<fs.read -i<fs.read -v,--verbose
  options -s,--safe -c,--convmode= -l,--newline -b,--keep-bom -m,--add-bom -r,--remove-bom -u,--keep-utf16
  options --info?<fs.read
  try dos2unix a b
  try unix2dos -k a
  try dos2unix -i a => fs.read
  try dos2unix -n .env x => fs.write ?

pv
  class fs.read
  takes read...
  options -p,--progress -t,--timer -e,--eta -I,--fineta -r,--rate -a,--average-rate -b,--bytes -n,--numeric -q,--quiet
  options -W,--wait -c,--cursor -f,--force -l,--line-mode -0,--null -i,--interval= -w,--width= -H,--height= -N,--name=
  options -s,--size= -L,--rate-limit= -B,--buffer-size= -o,--output=write -h,--help -V,--version
  try pv big.bin > /dev/null
  try pv --version => none
  try pv -o /dev/sda a => fs.read fs.write
  try pv -P /etc/a b => fs.read ?
`;
